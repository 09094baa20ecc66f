import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ListMerge, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { type PathElement, fieldElement } from '../fields/path-element.ts';
import { isGranular } from './granularity.ts';
import { elementOf } from './list-element.ts';
import { memberType } from './member-type.ts';
import { hasMembers } from './members.ts';

/**
 * `object` without the members and elements that end in `set`, all that is below them included. A struct, map or list that loses its last one
 * becomes null, and so does what has one owner, or nothing in it, where the set goes on below it.
 *
 * Shares what it can with `object`, to the object itself when there is nothing to remove.
 */
export function removeItems(shape: ObjectShape, object: JsonObject, set: FieldSet): JsonObject {
  if (set.isEmpty) return object;
  const left = withoutMembers(shape, object, set);
  return left ?? {};
}

/** Where `set` is not empty. */
function without(type: TypeShape, granular: boolean, value: JsonValue, set: FieldSet): JsonValue {
  switch (type.shape) {
    case 'object':
    case 'map':
      return granular && isJsonObject(value) ? withoutMembers(type, value, set) : null;
    case 'array':
      return isArray(value) && type.merge !== undefined ? withoutElements(type.items, type.merge, value, set) : null;
    default:
      return value;
  }
}

/** Null: nothing is left. */
function withoutMembers(type: TypeShape, object: JsonObject, set: FieldSet): JsonObject | null {
  let left: Record<string, JsonValue | undefined> | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const element = fieldElement(name);
    if (set.members.has(element)) {
      Reflect.deleteProperty((left ??= { ...object }), name);
      continue;
    }
    const below = set.children.get(element);
    const member = below === undefined ? undefined : memberType(type, element);
    if (below === undefined || member === undefined) continue;
    const shown = without(member.type, isGranular(member.type, member.atomic), value, below);
    if (shown !== value) setMember((left ??= { ...object }), name, shown);
  }
  return hasMembers(left ?? object) ? (left ?? object) : null;
}

/** Null: nothing is left. */
function withoutElements(items: TypeShape, merge: ListMerge, list: readonly JsonValue[], set: FieldSet): readonly JsonValue[] | null {
  const granular = isGranular(items);
  const left: JsonValue[] = [];
  let changed = false;
  for (const value of list) {
    const element = elementOf(merge, value);
    if (element !== undefined && set.members.has(element)) {
      changed = true;
      continue;
    }
    const shown = elementWithout(items, granular, value, element, set);
    if (shown !== value) changed = true;
    left.push(shown);
  }
  if (left.length === 0) return null;
  return changed ? left : list;
}

function elementWithout(type: TypeShape, granular: boolean, value: JsonValue, element: PathElement | undefined, set: FieldSet): JsonValue {
  const below = element === undefined ? undefined : set.children.get(element);
  return below === undefined ? value : without(type, granular, value, below);
}
