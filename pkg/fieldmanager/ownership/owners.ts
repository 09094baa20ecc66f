/** The owners before a write, and the fields that a write takes from them. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { quotedForHtml } from '../fieldpath/quoted.ts';
import type { FieldOwner, ManagedFields } from '../managed-fields/field-owner.ts';
import { compare } from '../typed/compare.ts';
import { reconcileFieldSet } from '../typed/reconcile.ts';
import type { WriteScope } from './write-scope.ts';

/** Documents, without managedFields. */
export interface ChangedFields {
  /** Fields that were added or modified. */
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

export function changedFieldsOf({ shape, resetFields }: WriteScope, before: JsonObject, after: JsonObject): ChangedFields {
  const { added, modified, removed } = compare(shape, before, after);
  return { set: added.union(modified).recursiveDifference(resetFields), removed: removed.recursiveDifference(resetFields) };
}

/** Without the owners of another version, which Kubernetes drops. */
export const currentOwners = ({ apiVersion }: WriteScope, owners: ManagedFields): ManagedFields =>
  mapOwners(owners, (owner) => (owner.apiVersion === apiVersion ? owner : undefined));

/** The owned fields for the current type: a field may have become atomic or granular since. */
export const ownedFields = ({ shape }: WriteScope, owner: FieldOwner): FieldSet => reconcileFieldSet(shape, owner.set);

/**
 * The owners that may own any of `fields`. An update changes few fields, so most owners can be excluded without
 * decoding their sets, which would take 20 µs for 2.5 KB of `fieldsV1`.
 */
export function candidateOwners(fields: FieldSet, owners: ManagedFields): ManagedFields {
  const names = fields.isEmpty ? [] : namesIn(fields);
  return names === undefined ? owners : mapOwners(owners, (owner) => (owner.mayOwn(names) ? owner : undefined));
}

/** With more names than this, sets are decoded without searching their stored form. */
const MAX_NAMES = 32;

/** The last elements of all paths as spelled in `fieldsV1`; `undefined` if there are too many. */
function namesIn(fields: FieldSet): readonly Buffer[] | undefined {
  const elements = new Set<PathElement>();
  const collect = ({ members, children }: FieldSet): boolean => {
    for (const element of members) elements.add(element);
    for (const child of children.values()) if (!collect(child)) return false;
    return elements.size <= MAX_NAMES;
  };
  return collect(fields) ? Array.from(elements, (element) => Buffer.from(`${quotedForHtml(element)}:`, 'utf8')) : undefined;
}

/** `owners` without these exact fields. Owners without fields are dropped. */
export function removeFields(scope: WriteScope, owners: ManagedFields, fields: FieldSet): ManagedFields {
  const candidates = candidateOwners(fields, owners);
  return mapOwners(owners, (owner, identifier) => {
    if (!candidates.has(identifier)) return owner;
    const set = ownedFields(scope, owner).difference(fields);
    return set.isEmpty ? undefined : owner.withSet(set);
  });
}

/** Replaces each owner by the result of `change`, or drops it; returns `owners` itself if nothing changes. */
function mapOwners(owners: ManagedFields, change: (owner: FieldOwner, identifier: string) => FieldOwner | undefined): ManagedFields {
  let changed: Map<string, FieldOwner> | undefined;
  for (const [identifier, owner] of owners) {
    const after = change(owner, identifier);
    if (after === owner) continue;
    changed ??= new Map(owners);
    if (after === undefined) changed.delete(identifier);
    else changed.set(identifier, after);
  }
  return changed ?? owners;
}
