/** Ownership by all writes that are no apply. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { capUpdateOwners } from '../managed-fields/cap-update-owners.ts';
import { FieldOwner, ownerIdentity, type ManagedFields } from '../managed-fields/field-owner.ts';
import { withoutNeverOwned } from '../managed-fields/never-owned.ts';
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
export function recordUpdate(
  path: TrackedPath,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  owners: ManagedFields,
  writer: WriterFacts,
): ManagedFields {
  const { set, removed } = differenceOf(path, before, after);
  const remaining = withoutFields(path, currentOwners(path, owners), set.union(removed));
  const taken = withoutNeverOwned(set);
  if (taken.isEmpty) return capUpdateOwners(remaining);
  const facts = { ...writer, operation: 'Update', apiVersion: path.apiVersion } as const;
  const identity = ownerIdentity(facts);
  const previous = remaining.get(identity);
  const owned = previous === undefined ? taken : fieldsOf(path, previous).union(taken);
  // Most writers set what they have set before, and the stored form stays: writing it took a tenth of a replace.
  const known = owners.get(identity);
  const isSame = known !== undefined && known !== previous && known.set.equals(owned);
  const owner = isSame ? known.withTime(writer.time) : new FieldOwner(facts, owned);
  return capUpdateOwners(new Map(remaining).set(identity, owner));
}
