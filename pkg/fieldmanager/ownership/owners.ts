/** The books before a write, and what a write takes from them. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { PathElement } from '../fields/path-element.ts';
import { quotedForHtml } from '../fields/quoted.ts';
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

/** The owners that count today: those in another version own nothing any more. */
export const currentOwners = ({ apiVersion }: TrackedPath, owners: ManagedFields): ManagedFields =>
  changedOwners(owners, (owner) => (owner.apiVersion === apiVersion ? owner : undefined));

/** What an owner has, said as the type is now: it may have become atomic, or be so no longer, since the set was written. */
export const fieldsOf = ({ shape }: TrackedPath, owner: FieldOwner): FieldSet => reconcileFieldSet(shape, owner.set);

/**
 * The owners that may have any of `fields`. An update changes a few fields, and most owners are out of the question without their sets being
 * read, which takes longer than everything else: 2.5 KB of `fieldsV1` 20 µs.
 */
export function ownersThatMayHave(fields: FieldSet, owners: ManagedFields): ManagedFields {
  const names = fields.isEmpty ? [] : namesIn(fields);
  return names === undefined ? owners : changedOwners(owners, (owner) => (owner.mayOwn(names) ? owner : undefined));
}

/** Beyond this many, sets are read without a look at their stored form. */
const MAX_NAMES = 32;

/** How the last elements of all paths stand in `fieldsV1`; `undefined`: they are too many. */
function namesIn(fields: FieldSet): readonly Buffer[] | undefined {
  const elements = new Set<PathElement>();
  const collect = ({ members, children }: FieldSet): boolean => {
    for (const element of members) elements.add(element);
    for (const child of children.values()) if (!collect(child)) return false;
    return elements.size <= MAX_NAMES;
  };
  return collect(fields) ? Array.from(elements, (element) => Buffer.from(`${quotedForHtml(element)}:`, 'utf8')) : undefined;
}

/** `owners` without these very fields. Who is left with nothing is no owner any more. */
export function withoutFields(path: TrackedPath, owners: ManagedFields, fields: FieldSet): ManagedFields {
  const concerned = ownersThatMayHave(fields, owners);
  return changedOwners(owners, (owner, identity) => {
    if (!concerned.has(identity)) return owner;
    const set = fieldsOf(path, owner).difference(fields);
    return set.isEmpty ? undefined : owner.withSet(set);
  });
}

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
