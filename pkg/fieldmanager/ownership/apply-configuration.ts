/** Server-side apply: merge, prune, conflicts and ownership. */
import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { FieldOwner, managerIdentifier, type ManagedFields } from '../managed-fields/field-owner.ts';
import { stripMeta } from '../managed-fields/strip-meta.ts';
import { merge } from '../typed/merge.ts';
import { toFieldSet } from '../typed/paths-below.ts';
import type { Conflict } from './conflicts.ts';
import { currentOwners, changedFieldsOf, ownedFields, candidateOwners, removeFields } from './owners.ts';
import { prune } from './prune.ts';
import type { WriterInfo } from './record-update.ts';
import type { WriteScope } from './write-scope.ts';

export interface ApplierInfo extends WriterInfo {
  /** Takes fields with a different value from their owners. */
  readonly force: boolean;
}

export interface Applied {
  /** Without managedFields. `live` itself if nothing changed. */
  readonly document: JsonObject;
  readonly owners: ManagedFields;
}

/**
 * Merges `config` into `live`, both documents without managedFields; `config` must be valid. Afterwards the applier
 * owns exactly the fields in `config`; others that it owned are removed unless they have another owner. Changed fields
 * are taken from their owners with `force`; otherwise they are returned as conflicts and nothing is changed.
 */
export function applyConfiguration(
  scope: WriteScope,
  { live, config }: { readonly live: JsonObject; readonly config: JsonObject },
  ownersBefore: ManagedFields,
  { force, ...writer }: ApplierInfo,
): Applied | readonly Conflict[] {
  const owners = currentOwners(scope, ownersBefore);
  const info = { ...writer, operation: 'Apply', apiVersion: scope.apiVersion } as const;
  const identifier = managerIdentifier(info);
  const previous = owners.get(identifier);
  const others = new Map(owners);
  others.delete(identifier);

  const after = toFieldSet(scope.shape, config).recursiveDifference(scope.resetFields);
  const set = stripMeta(after);
  // Most applies have the same fields as the previous one, so nothing is pruned and the stored form is reused.
  const unchangedOwner = previous?.set.equals(set) === true ? previous : undefined;
  const owner = unchangedOwner ?? new FieldOwner(info, set);
  const merged = prune(scope.shape, merge(scope.shape, live, config), {
    before: previous === undefined || unchangedOwner !== undefined ? FieldSet.empty : ownedFields(scope, previous),
    after,
    others: () => unionOf(scope, others),
  });
  const { set: changedFields, removed } = changedFieldsOf(scope, live, merged);
  const conflicts = conflictsWith(scope, others, changedFields);
  if (!force && conflicts.length > 0) return conflicts;

  const changed = !equalJson(live, merged);
  const remaining = new Map(removeFields(scope, others, changedFields.union(removed)));
  // An apply that changes nothing does not set a time. An Apply owner is the same in every version.
  if (!set.isEmpty) remaining.set(identifier, owner.withTime(changed ? info.time : ownersBefore.get(identifier)?.time));
  return { document: changed ? merged : live, owners: remaining };
}

function unionOf(scope: WriteScope, owners: ManagedFields): FieldSet {
  let all = FieldSet.empty;
  for (const owner of owners.values()) all = all.union(ownedFields(scope, owner));
  return all;
}

function conflictsWith(scope: WriteScope, owners: ManagedFields, set: FieldSet): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [identifier, owner] of candidateOwners(set, owners)) {
    const fields = ownedFields(scope, owner).intersection(set);
    if (!fields.isEmpty) conflicts.push({ identifier, owner, fields });
  }
  return conflicts;
}
