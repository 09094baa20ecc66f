/**
 * JSON merge patch (RFC 7386), `application/merge-patch+json`, as the Go library that Kubernetes uses applies it. It
 * drops null members of objects in new values, also inside lists that replace anything but an object; RFC 7386 keeps
 * those inside lists.
 *
 * Values are never modified. Unchanged values keep their identity, and raw values stay raw unless the patch reaches
 * into them.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { openRaw, parseJson, type JsonFinding } from '../../apimachinery/json/parse-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';

export interface MergePatch {
  /** Numbers with an unusual spelling (`1.0`) are raw values. */
  readonly patch: JsonObject;
  /** Repeated members; the last one counts. */
  readonly findings: readonly JsonFinding[];
}

/** Throws StatusError BadRequest if the body is not a JSON object. */
export function parseMergePatch(bytes: Uint8Array): MergePatch {
  const { value, findings } = parseJson(bytes, undefined, 'tokens');
  if (!isJsonObject(value)) throw badRequest('the merge patch is not an object');
  return { patch: value, findings };
}

/** Returns `document` itself if the patch changes nothing. */
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

/** Preserves `null` elements of lists. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return listWithoutNulls(value);
  return isJsonObject(value) ? objectWithoutNulls(value) : value;
}

function listWithoutNulls(list: readonly JsonValue[]): readonly JsonValue[] {
  const elements = list.map(withoutNulls);
  return elements.every((element, index) => element === list[index]) ? list : elements;
}

function objectWithoutNulls(object: JsonObject): JsonObject {
  const remaining: Record<string, JsonValue> = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const before = object[name] ?? null;
    const after = withoutNulls(before);
    if (after !== before || after === null) changed = true;
    if (after !== null) setMember(remaining, name, after);
  }
  return changed ? remaining : object;
}
