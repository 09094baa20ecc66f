import type { TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import type { PathElement } from '../fields/path-element.ts';
import { isGranular } from './granularity.ts';
import { memberType } from './member-type.ts';

/**
 * A set that was recorded when the type was another one, as the type has it now: whoever owns parts of what has one owner now, owns the whole.
 * What used to have one owner and is granular now stays as it is: nobody can tell which parts were meant. Paths that the type does not know
 * stay. Returns `set` itself when it fits, which is remembered: the sets of most managers are met with every write.
 */
export function reconcileFieldSet(shape: TypeShape, set: FieldSet): FieldSet {
  if (set.isKnownToFit(shape)) return set;
  const reconciled = reconcile(shape, set);
  reconciled.knowToFit(shape);
  return reconciled;
}

function reconcile(shape: TypeShape, set: FieldSet): FieldSet {
  let members: Set<PathElement> | undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const found = memberType(shape, element);
    if (found === undefined) continue;
    if (isWhole(found.type, found.atomic)) {
      (members ??= new Set(set.members)).add(element);
      (children ??= new Map(set.children)).delete(element);
      continue;
    }
    const reconciled = reconcile(found.type, child);
    if (reconciled !== child) (children ??= new Map(set.children)).set(element, reconciled);
  }
  return children === undefined ? set : new FieldSet(members ?? set.members, children);
}

/** Struct, map, list or raw value with one owner. Scalars have no parts, and paths below them are left alone. */
function isWhole(type: TypeShape, atomic: boolean | undefined): boolean {
  switch (type.shape) {
    case 'object':
    case 'map':
    case 'array':
      return !isGranular(type, atomic);
    case 'raw':
      return true;
    default:
      return false;
  }
}
