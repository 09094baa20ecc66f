/** Ownership by all writes that are no apply. */
import type { FieldSet } from '../fields/field-set.ts';
import { capUpdateOwners } from '../managed-fields/cap-update-owners.ts';
import { FieldOwner, ownerIdentity, type ManagedFields } from '../managed-fields/field-owner.ts';
import { withoutNeverOwned } from '../managed-fields/never-owned.ts';
import type { Change } from '../typed/change.ts';
import { currentOwners, differenceOf, fieldsOf, withoutFields } from './owners.ts';
import type { TrackedPath } from './tracked-path.ts';

/** Who writes. `time`: RFC 3339, whole seconds. */
export interface WriterFacts {
  readonly manager: string;
  readonly subresource: string;
  readonly time: string;
}

/**
 * The books after `before` has become `after`, both documents without managedFields. The writer takes every field that it set from whoever
 * owned it; fields that are gone are nobody's. It keeps what it owned before, and its time moves only when it has set something.
 */
export function recordUpdate(path: TrackedPath, { before, after }: Change, owners: ManagedFields, writer: WriterFacts): ManagedFields {
  const { set, removed } = differenceOf(path, before, after);
  const taken = withoutNeverOwned(set);
  const current = currentOwners(path, owners);
  if (taken.isEmpty) return capUpdateOwners(withoutFields(path, current, set.union(removed)));
  const facts = { ...writer, operation: 'Update', apiVersion: path.apiVersion } as const;
  const identity = ownerIdentity(facts);
  const known = current.get(identity);
  // Most writers set what they have set before: their sets, and the stored form of them, stay. Making them anew took a tenth of a replace.
  if (known !== undefined && taken === set && removed.isEmpty && hasAll(path, known, set)) {
    const others = new Map(current);
    others.delete(identity);
    return capUpdateOwners(new Map(withoutFields(path, others, set)).set(identity, known.withTime(writer.time)));
  }
  const remaining = withoutFields(path, current, set.union(removed));
  const previous = remaining.get(identity);
  const owned = previous === undefined ? taken : fieldsOf(path, previous).union(taken);
  const isSame = known !== undefined && known !== previous && known.set.equals(owned);
  const owner = isSame ? known.withTime(writer.time) : new FieldOwner(facts, owned);
  return capUpdateOwners(new Map(remaining).set(identity, owner));
}

/** False as well for a set that is not said as the type is now: it would be written anew. */
function hasAll(path: TrackedPath, owner: FieldOwner, fields: FieldSet): boolean {
  const owned = fieldsOf(path, owner);
  return owned === owner.set && fields.difference(owned).isEmpty;
}
