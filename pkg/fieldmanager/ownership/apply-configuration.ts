/** Server-side apply: what it makes of an object and of its books. */
import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { FieldSet } from '../fields/field-set.ts';
import { FieldOwner, ownerIdentity, type ManagedFields } from '../managed-fields/field-owner.ts';
import { withoutNeverOwned } from '../managed-fields/never-owned.ts';
import { merge } from '../typed/merge.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import type { Conflict } from './conflicts.ts';
import { currentOwners, differenceOf, fieldsOf, ownersThatMayHave, withoutFields } from './owners.ts';
import { prune } from './prune.ts';
import type { WriterFacts } from './record-update.ts';
import type { TrackedPath } from './tracked-path.ts';

export interface ApplierFacts extends WriterFacts {
  /** Takes from others what it applies with another value. */
  readonly force: boolean;
}

export interface Applied {
  /** Without managedFields. `live` itself when nothing has changed. */
  readonly document: JsonObject;
  readonly owners: ManagedFields;
}

/**
 * Merges `config` into `live`, both documents without managedFields, `config` valid for its type. The applier owns exactly what is in
 * `config` from now on; what it owned before and leaves out now goes, unless somebody else owns it. Fields that get another value are taken
 * from their owners if `force`, else nothing happens and they are the conflicts.
 */
export function applyConfiguration(
  path: TrackedPath,
  { live, config }: { readonly live: JsonObject; readonly config: JsonObject },
  ownersBefore: ManagedFields,
  { force, ...writer }: ApplierFacts,
): Applied | readonly Conflict[] {
  const owners = currentOwners(path, ownersBefore);
  const facts = { ...writer, operation: 'Apply', apiVersion: path.apiVersion } as const;
  const identity = ownerIdentity(facts);
  const previous = owners.get(identity);
  const others = new Map(owners);
  others.delete(identity);

  const after = toFieldSet(path.shape, config).recursiveDifference(path.reset);
  const set = withoutNeverOwned(after);
  // Most applies are of the same fields as the one before. Then nothing can go, and their stored form stays: writing it takes twice as long as reading.
  const same = previous?.set.equals(set) === true ? previous : undefined;
  const owner = same ?? new FieldOwner(facts, set);
  const merged = prune(path.shape, merge(path.shape, live, config), {
    before: previous === undefined || same !== undefined ? FieldSet.empty : fieldsOf(path, previous),
    after,
    others: () => unionOf(path, others),
  });
  const { set: changedFields, removed } = differenceOf(path, live, merged);
  const conflicts = conflictsWith(path, others, changedFields);
  if (!force && conflicts.length > 0) return conflicts;

  const changed = !equalJson(live, merged);
  const remaining = new Map(withoutFields(path, others, changedFields.union(removed)));
  // An apply that changes nothing leaves no time, not even that of an owner that is new. An applier is the same in every version.
  if (!set.isEmpty) remaining.set(identity, owner.withTime(changed ? facts.time : ownersBefore.get(identity)?.time));
  return { document: changed ? merged : live, owners: remaining };
}

function unionOf(path: TrackedPath, owners: ManagedFields): FieldSet {
  let all = FieldSet.empty;
  for (const owner of owners.values()) all = all.union(fieldsOf(path, owner));
  return all;
}

function conflictsWith(path: TrackedPath, owners: ManagedFields, set: FieldSet): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [identity, owner] of ownersThatMayHave(set, owners)) {
    const fields = fieldsOf(path, owner).intersection(set);
    if (!fields.isEmpty) conflicts.push({ identity, owner, fields });
  }
  return conflicts;
}
