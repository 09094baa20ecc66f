import type { TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import type { PathElement } from '../fields/path-element.ts';
import { isField, memberType } from './member-type.ts';

/**
 * `set` and the fields of structs that lead to its paths, which `toFieldSet` leaves out: with `.spec.schedule` also `.spec`. Members of maps and
 * elements of lists are not added.
 */
export function withNamedFields(shape: TypeShape, set: FieldSet): FieldSet {
  let members: Set<PathElement> | undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const found = memberType(shape, element);
    // Behind a value of a set, or a position, nothing has names.
    if (found === undefined || (shape.shape === 'array' && !element.startsWith('k:')) || (shape.shape === 'map' && !isField(element)))
      continue;
    if (found.named && !set.members.has(element)) (members ??= new Set(set.members)).add(element);
    const named = withNamedFields(found.type, child);
    if (named !== child) (children ??= new Map(set.children)).set(element, named);
  }
  return members === undefined && children === undefined ? set : new FieldSet(members ?? set.members, children ?? set.children);
}
