/** The books before a write, and what a write takes from them. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { FieldOwner, ManagedFields } from '../managed-fields/field-owner.ts';
import { compare } from '../typed/compare.ts';
import { reconcileFieldSet } from '../typed/reconcile.ts';
import type { TrackedPath } from './tracked-path.ts';

/** Documents, without managedFields. */
export interface Difference {
  /** What is new, or has another value. */
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

export function differenceOf({ shape, reset }: TrackedPath, before: JsonObject, after: JsonObject): Difference {
  const { added, modified, removed } = compare(shape, before, after);
  return { set: added.union(modified).recursiveDifference(reset), removed: removed.recursiveDifference(reset) };
}

/**
 * The owners that count today: those in another version own nothing any more, and where a type has become atomic, or is so no longer, since
 * a set was written, the set says it as the type does now.
 */
export function currentOwners({ shape, apiVersion }: TrackedPath, owners: ManagedFields): ManagedFields {
  return changedOwners(owners, (owner) =>
    owner.apiVersion === apiVersion ? owner.withSet(reconcileFieldSet(shape, owner.set)) : undefined,
  );
}

/** `owners` without these very fields. Who is left with nothing is no owner any more. */
export const withoutFields = (owners: ManagedFields, fields: FieldSet): ManagedFields =>
  changedOwners(owners, (owner) => {
    const set = owner.set.difference(fields);
    return set.isEmpty ? undefined : owner.withSet(set);
  });

/** `owners` with each as `change` has it, or without it; `owners` itself when all stay what they are. */
function changedOwners(owners: ManagedFields, change: (owner: FieldOwner, identity: string) => FieldOwner | undefined): ManagedFields {
  let changed: Map<string, FieldOwner> | undefined;
  for (const [identity, owner] of owners) {
    const after = change(owner, identity);
    if (after === owner) continue;
    changed ??= new Map(owners);
    if (after === undefined) changed.delete(identity);
    else changed.set(identity, after);
  }
  return changed ?? owners;
}
