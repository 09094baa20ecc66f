import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { ownMember } from './json-kind.ts';

/** The same JSON: order of members and spelling of raw values do not count. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left instanceof RawJson || right instanceof RawJson) return equalRaw(left, right);
  if (isArray(left) && isArray(right)) {
    return left.length === right.length && left.every((element, index) => equalJson(element, right[index]));
  }
  return isJsonObject(left) && isJsonObject(right) && equalObjects(left, right);
}

function equalRaw(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left instanceof RawJson && right instanceof RawJson && left.equals(right)) return true;
  return equalJson(left instanceof RawJson ? decodeRaw(left) : left, right instanceof RawJson ? decodeRaw(right) : right);
}

function equalObjects(left: JsonObject, right: JsonObject): boolean {
  const present = (object: JsonObject) => Object.keys(object).filter((name) => object[name] !== undefined);
  const names = present(left);
  return names.length === present(right).length && names.every((name) => equalJson(left[name], ownMember(right, name)));
}
