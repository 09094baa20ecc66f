/** The members of a patch that say how it is to be applied. They are no data, and count as such where nothing looks for them. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray } from '../../apimachinery/json/write-json.ts';
import { malformedPatch, memberPath, type PatchPath } from './patch-error.ts';

/** `delete`, `replace` or, in lists, `merge`: what becomes of the object or element that has it. */
export const PATCH = '$patch';
/** The names of the members that stay. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/<field>`: values to take out. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';
/** `$setElementOrder/<field>`: the elements, or their merge keys, in the order in which they shall stand. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

type ListDirective = typeof DELETE_FROM_PRIMITIVE_LIST | typeof SET_ELEMENT_ORDER;

export const isListDirective = (name: string): boolean => name.startsWith(DELETE_FROM_PRIMITIVE_LIST) || name.startsWith(SET_ELEMENT_ORDER);

/** The field that a member starting with `directive` is about. Throws BadRequest when it names none. */
export function directedField(name: string, directive: ListDirective, path: PatchPath): string {
  if (name[directive.length] !== '/') throw malformedPatch(memberPath(path, name), `${directive} must be followed by / and a field`);
  return name.slice(directive.length + 1);
}

/** What `$patch` makes of the object that has it, whatever was there before. Throws BadRequest for a word that is none. */
export function directedObject(directive: JsonValue, patch: JsonObject, path: PatchPath): JsonObject {
  if (directive === 'delete') return {};
  if (directive === 'replace') return without(patch, PATCH);
  throw malformedPatch(memberPath(path, PATCH), 'must be "delete" or "replace"');
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object;
  return others;
}

/**
 * What a patch adds where nothing was to merge with: objects that have `$patch` are left out, wherever they stand, and null members too
 * unless they are kept. Other directives stay. `undefined`: nothing is left. Shares what does not change.
 */
export function withoutDirectives(value: JsonValue, nulls: 'drop' | 'keep'): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return listWithoutDirectives(value, nulls);
  if (!(value instanceof RawJson)) return objectWithoutDirectives(value, nulls);
  const inner = openRaw(value);
  if (inner instanceof RawJson) return value;
  const stays = withoutDirectives(inner, nulls);
  return stays === inner ? value : stays;
}

function listWithoutDirectives(list: readonly JsonValue[], nulls: 'drop' | 'keep'): readonly JsonValue[] {
  let stays: JsonValue[] | undefined;
  for (const [index, element] of list.entries()) {
    const left = withoutDirectives(element, nulls);
    if (stays === undefined && left !== element) stays = list.slice(0, index);
    if (left !== undefined) stays?.push(left);
  }
  return stays ?? list;
}

function objectWithoutDirectives(object: JsonObject, nulls: 'drop' | 'keep'): JsonObject | undefined {
  const directive = memberOf(object, PATCH);
  if (directive !== undefined && (directive !== null || nulls === 'keep')) return undefined;
  const stays: Record<string, JsonValue> = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const member = object[name];
    const left = member === undefined || (member === null && nulls === 'drop') ? undefined : withoutDirectives(member, nulls);
    if (left !== member) changed = true;
    if (left !== undefined) setMember(stays, name, left);
  }
  return changed ? stays : object;
}
