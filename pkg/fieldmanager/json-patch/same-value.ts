import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { Containers } from './containers.ts';

/**
 * What a `test` operation asks: lists in order, objects in any order, numbers as they are spelled (`1` is not `1.0`), as the Go library
 * of Kubernetes compares. `found` may have own containers, `wanted` has none. Costs no more than `wanted` is large.
 */
export function isSameValue(containers: Containers, found: JsonValue, wanted: JsonValue): boolean {
  const left = containers.open(found);
  const right = containers.open(wanted);
  if (left instanceof RawJson || right instanceof RawJson) {
    return left instanceof RawJson && right instanceof RawJson && left.equals(right);
  }
  if (isArray(left)) return isArray(right) && isSameList(containers, left, right);
  if (isJsonObject(left)) return isJsonObject(right) && isSameObject(containers, left, right);
  return Object.is(left, right);
}

const isSameList = (containers: Containers, found: readonly JsonValue[], wanted: readonly JsonValue[]): boolean =>
  found.length === wanted.length && wanted.every((element, index) => isSameValue(containers, found[index] ?? null, element));

const isSameObject = (containers: Containers, found: JsonObject, wanted: JsonObject): boolean =>
  containers.count(found) === containers.count(wanted) &&
  Object.keys(wanted).every((name) => {
    const left = containers.at(found, name);
    const right = wanted[name];
    return right === undefined || (left !== undefined && isSameValue(containers, left, right));
  });
