/** Members of a patch that control how it is applied. Elsewhere they count as data. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray } from '../../apimachinery/json/write-json.ts';
import { malformedPatch, memberPath, type PatchPath } from './patch-error.ts';

/** `delete`, `replace` or, in lists, `merge`: applies to the object or list item that contains it. */
export const PATCH = '$patch';
/** The names of the members to keep. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/<field>`: values to remove. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';
/** `$setElementOrder/<field>`: the elements, or their merge keys, in the wanted order. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

type ListDirective = typeof DELETE_FROM_PRIMITIVE_LIST | typeof SET_ELEMENT_ORDER;

export const isListDirective = (name: string): boolean => name.startsWith(DELETE_FROM_PRIMITIVE_LIST) || name.startsWith(SET_ELEMENT_ORDER);

/** The field that a list directive refers to. Throws BadRequest if it names none. */
export function directedField(name: string, directive: ListDirective, path: PatchPath): string {
  if (name[directive.length] !== '/') throw malformedPatch(memberPath(path, name), `${directive} must be followed by / and a field`);
  return name.slice(directive.length + 1);
}

/** The result of a `$patch` directive, whatever the original. Throws BadRequest for an unknown directive. */
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
 * The value that a patch adds: without objects that have `$patch`, at any depth, and with `drop` without null members.
 * Other directives stay. `undefined` if nothing remains. Shares unchanged values.
 */
export function withoutDirectives(value: JsonValue, nulls: 'drop' | 'keep'): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return listWithoutDirectives(value, nulls);
  if (!(value instanceof RawJson)) return objectWithoutDirectives(value, nulls);
  const inner = openRaw(value);
  if (inner instanceof RawJson) return value;
  const remaining = withoutDirectives(inner, nulls);
  return remaining === inner ? value : remaining;
}

function listWithoutDirectives(list: readonly JsonValue[], nulls: 'drop' | 'keep'): readonly JsonValue[] {
  let remaining: JsonValue[] | undefined;
  for (const [index, element] of list.entries()) {
    const left = withoutDirectives(element, nulls);
    if (remaining === undefined && left !== element) remaining = list.slice(0, index);
    if (left !== undefined) remaining?.push(left);
  }
  return remaining ?? list;
}

function objectWithoutDirectives(object: JsonObject, nulls: 'drop' | 'keep'): JsonObject | undefined {
  const directive = memberOf(object, PATCH);
  if (directive !== undefined && (directive !== null || nulls === 'keep')) return undefined;
  const remaining: Record<string, JsonValue> = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const member = object[name];
    const left = member === undefined || (member === null && nulls === 'drop') ? undefined : withoutDirectives(member, nulls);
    if (left !== member) changed = true;
    if (left !== undefined) setMember(remaining, name, left);
  }
  return changed ? remaining : object;
}
