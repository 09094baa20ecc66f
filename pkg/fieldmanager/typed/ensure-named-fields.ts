import type { TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { isField, memberType } from './member-type.ts';

/**
 * Adds the struct fields on the way to the paths of `set`: `.spec` for `.spec.schedule`. Does not add map keys and list
 * items. `EnsureNamedFieldsAreMembers` in structured-merge-diff.
 */
export function ensureNamedFieldsAreMembers(shape: TypeShape, set: FieldSet): FieldSet {
  let members: Set<PathElement> | undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const found = memberType(shape, element);
    // Below a set value or an index there are no named fields.
    if (found === undefined || (shape.shape === 'array' && !element.startsWith('k:')) || (shape.shape === 'map' && !isField(element)))
      continue;
    if (found.named && !set.members.has(element)) (members ??= new Set(set.members)).add(element);
    const named = ensureNamedFieldsAreMembers(found.type, child);
    if (named !== child) (children ??= new Map(set.children)).set(element, named);
  }
  return members === undefined && children === undefined ? set : new FieldSet(members ?? set.members, children ?? set.children);
}
