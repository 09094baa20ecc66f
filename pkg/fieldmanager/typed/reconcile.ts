import type { TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { isGranular } from './granularity.ts';
import { memberType } from './member-type.ts';

/**
 * Adapts a set that was recorded with an earlier schema to the current type. The owner of parts of a value that is now
 * atomic owns all of it. A value that is now granular stays a single path, because the intended parts are unknown.
 * Unknown paths stay. Returns `set` itself if it fits, and caches that.
 */
export function reconcileFieldSet(shape: TypeShape, set: FieldSet): FieldSet {
  if (set.isReconciledWith(shape)) return set;
  const reconciled = reconcile(shape, set);
  reconciled.markReconciledWith(shape);
  return reconciled;
}

function reconcile(shape: TypeShape, set: FieldSet): FieldSet {
  let members: Set<PathElement> | undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const found = memberType(shape, element);
    if (found === undefined) continue;
    if (isAtomic(found.type, found.atomic)) {
      (members ??= new Set(set.members)).add(element);
      (children ??= new Map(set.children)).delete(element);
      continue;
    }
    const reconciled = reconcile(found.type, child);
    if (reconciled !== child) (children ??= new Map(set.children)).set(element, reconciled);
  }
  return children === undefined ? set : new FieldSet(members ?? set.members, children);
}

/** Whether a struct, map, list or raw value is atomic. Scalars have no parts, and paths below them are ignored. */
function isAtomic(type: TypeShape, atomic: boolean | undefined): boolean {
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
