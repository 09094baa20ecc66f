/**
 * JSON merge patch (RFC 7386), `application/merge-patch+json`, as the Go library of Kubernetes applies it: in a list of the patch that
 * replaces anything but an object, and in whatever is new, `null` members of objects are left out; RFC 7386 would keep those inside lists.
 * Values are never changed in place, what the patch does not change stays the same object, and raw values stay as they are unless the
 * patch reaches into them.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw, parseJson, type JsonFinding } from '../../apimachinery/json/parse-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';

export interface MergePatch {
  /** Numbers of unusual spelling (`1.0`) are raw values. */
  readonly patch: JsonObject;
  /** Members said twice; the last one counts. */
  readonly findings: readonly JsonFinding[];
}

/** Throws StatusError BadRequest: no JSON, or not an object. */
export function parseMergePatch(bytes: Uint8Array): MergePatch {
  const { value, findings } = parseJson(bytes, undefined, 'tokens');
  if (!isJsonObject(value)) throw badRequest('the merge patch is not an object');
  return { patch: value, findings };
}

/** `document` itself when the patch changes nothing. */
export const applyMergePatch = (document: JsonValue, patch: JsonObject): JsonObject =>
  isJsonObject(document) ? mergeObjects(document, patch) : objectWithoutNulls(patch);

function mergeObjects(current: JsonObject, patch: JsonObject): JsonObject {
  let merged: Record<string, JsonValue | undefined> | undefined;
  for (const name of Object.keys(patch)) {
    const change = patch[name];
    if (change === undefined) continue;
    const before = memberOf(current, name);
    const after = change === null ? undefined : mergeValues(before ?? null, change);
    if (after === before) continue;
    merged ??= { ...current };
    if (after === undefined) Reflect.deleteProperty(merged, name);
    else setMember(merged, name, after);
  }
  return merged ?? current;
}

function mergeValues(current: JsonValue, change: JsonValue): JsonValue {
  if (!isArray(change) && !isJsonObject(change)) return change;
  const opened = openRaw(current);
  if (!isJsonObject(opened)) return withoutNulls(change);
  if (isArray(change)) return change;
  const merged = mergeObjects(opened, change);
  return merged === opened ? current : merged;
}

/** `null` elements of lists are values and stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return listWithoutNulls(value);
  return isJsonObject(value) ? objectWithoutNulls(value) : value;
}

function listWithoutNulls(list: readonly JsonValue[]): readonly JsonValue[] {
  const elements = list.map(withoutNulls);
  return elements.every((element, index) => element === list[index]) ? list : elements;
}

function objectWithoutNulls(object: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const before = object[name] ?? null;
    const after = withoutNulls(before);
    if (after !== before || after === null) changed = true;
    if (after !== null) setMember(kept, name, after);
  }
  return changed ? kept : object;
}
