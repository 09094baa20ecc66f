import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ArrayShape, ListMerge, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { type PathElement, fieldElement } from '../fieldpath/path-element.ts';
import { isGranular } from './granularity.ts';
import { listPathElement } from './list-path-element.ts';
import { FieldFinder, hasMembers } from './members.ts';

/**
 * The fields that the manager of a valid configuration owns: every leaf, map entry and list item. Structs are included
 * only if they are empty, null or atomic; empty lists are not. Nothing below duplicate list items is owned.
 */
export const toFieldSet = (shape: TypeShape, value: JsonValue): FieldSet => pathsBelow(shape, value, false);

/**
 * The paths below a value of a granular type. Always includes map entries, list items, atomic fields, null and `{}`;
 * with `containers` also fields that contain other paths. Nothing is included below duplicate list items.
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
  const finder = new FieldFinder(shape);
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const field = finder.find(name);
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
    const element = listPathElement(merge, value);
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
