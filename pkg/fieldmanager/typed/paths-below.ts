import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ArrayShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import { type PathElement, fieldElement } from '../fields/path-element.ts';
import { isGranular } from './granularity.ts';
import { elementOf } from './list-element.ts';
import { FieldCursor, hasMembers } from './members.ts';

/**
 * Which paths there are below a value of a granular type. Members of maps and elements of lists are always among them, and so are fields that
 * have one owner, null and `{}`. Of elements that a list has more than once there is the bare element.
 *
 * `containers`: whether also the fields that hold other paths are paths themselves.
 */
export function pathsBelow(type: TypeShape, value: JsonValue, containers: boolean): FieldSet {
  switch (type.shape) {
    case 'object':
      return isJsonObject(value) ? belowStruct(type, value, containers) : FieldSet.empty;
    case 'map':
      return isJsonObject(value) ? belowMap(type, value, containers) : FieldSet.empty;
    case 'array':
      return isArray(value) && type.merge !== undefined ? belowList(type, type.merge, value, containers) : FieldSet.empty;
    default:
      return FieldSet.empty;
  }
}

function belowStruct(shape: ObjectShape, object: JsonObject, containers: boolean): FieldSet {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  const cursor = new FieldCursor(shape);
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const field = cursor.find(name);
    if (field === undefined) continue;
    const element = fieldElement(name);
    const granular = isGranular(field.type, field.atomic);
    if (granular) {
      const below = pathsBelow(field.type, value, containers);
      if (!below.isEmpty) children.set(element, below);
    }
    if (!granular || containers || value === null || (isJsonObject(value) && !hasMembers(value))) members.add(element);
  }
  return setOf(members, children);
}

function belowMap({ values }: MapShape, map: JsonObject, containers: boolean): FieldSet {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  const granular = isGranular(values);
  for (const name in map) {
    const value = map[name];
    if (value === undefined) continue;
    const element = fieldElement(name);
    members.add(element);
    if (!granular) continue;
    const below = pathsBelow(values, value, containers);
    if (!below.isEmpty) children.set(element, below);
  }
  return setOf(members, children);
}

function belowList({ items }: ArrayShape, merge: ListMerge, list: readonly JsonValue[], containers: boolean): FieldSet {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  const granular = isGranular(items);
  for (const value of list) {
    const element = elementOf(merge, value);
    if (element === undefined) continue;
    if (members.has(element)) {
      children.delete(element);
      continue;
    }
    members.add(element);
    if (!granular) continue;
    const below = pathsBelow(items, value, containers);
    if (!below.isEmpty) children.set(element, below);
  }
  return setOf(members, children);
}

const setOf = (members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>): FieldSet =>
  members.size + children.size === 0 ? FieldSet.empty : new FieldSet(members, children);
