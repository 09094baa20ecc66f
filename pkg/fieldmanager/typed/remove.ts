import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ListMerge, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { type PathElement, fieldElement } from '../fieldpath/path-element.ts';
import { isGranular } from './granularity.ts';
import { listPathElement } from './list-path-element.ts';
import { memberType } from './member-type.ts';
import { hasMembers } from './members.ts';

/**
 * `object` without the members and items in `set` and everything below them. A struct, map or list that becomes empty
 * becomes null, and so does an atomic or empty value with paths below it in the set. Shares unchanged values with
 * `object`, and returns `object` itself if nothing is removed.
 */
export function removeItems(shape: ObjectShape, object: JsonObject, set: FieldSet): JsonObject {
  if (set.isEmpty) return object;
  const remaining = withoutMembers(shape, object, set);
  return remaining ?? {};
}

/** `set` must not be empty. */
function valueWithout(type: TypeShape, granular: boolean, value: JsonValue, set: FieldSet): JsonValue {
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

/** Null if nothing remains. */
function withoutMembers(type: TypeShape, object: JsonObject, set: FieldSet): JsonObject | null {
  let remaining: Record<string, JsonValue | undefined> | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const element = fieldElement(name);
    if (set.members.has(element)) {
      Reflect.deleteProperty((remaining ??= { ...object }), name);
      continue;
    }
    const below = set.children.get(element);
    const member = below === undefined ? undefined : memberType(type, element);
    if (below === undefined || member === undefined) continue;
    const stripped = valueWithout(member.type, isGranular(member.type, member.atomic), value, below);
    if (stripped !== value) setMember((remaining ??= { ...object }), name, stripped);
  }
  return hasMembers(remaining ?? object) ? (remaining ?? object) : null;
}

/** Null if nothing remains. */
function withoutElements(items: TypeShape, merge: ListMerge, list: readonly JsonValue[], set: FieldSet): readonly JsonValue[] | null {
  const granular = isGranular(items);
  const remaining: JsonValue[] = [];
  let changed = false;
  for (const value of list) {
    const element = listPathElement(merge, value);
    if (element !== undefined && set.members.has(element)) {
      changed = true;
      continue;
    }
    const stripped = elementWithout(items, granular, value, element, set);
    if (stripped !== value) changed = true;
    remaining.push(stripped);
  }
  if (remaining.length === 0) return null;
  return changed ? remaining : list;
}

function elementWithout(type: TypeShape, granular: boolean, value: JsonValue, element: PathElement | undefined, set: FieldSet): JsonValue {
  const below = element === undefined ? undefined : set.children.get(element);
  return below === undefined ? value : valueWithout(type, granular, value, below);
}
