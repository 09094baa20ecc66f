import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { CopyOnWriteContainers } from './copy-on-write.ts';

/**
 * The equality of `test` operations, as in Kubernetes' Go library: lists in order, objects in any order, numbers by
 * spelling (`1` is not `1.0`). Only `found` may contain writable containers. The size of `wanted` bounds the cost.
 */
export function isEqualValue(containers: CopyOnWriteContainers, found: JsonValue, wanted: JsonValue): boolean {
  const left = containers.decode(found);
  const right = containers.decode(wanted);
  if (left instanceof RawJson || right instanceof RawJson) {
    return left instanceof RawJson && right instanceof RawJson && left.equals(right);
  }
  if (isArray(left)) return isArray(right) && isEqualList(containers, left, right);
  if (isJsonObject(left)) return isJsonObject(right) && isEqualObject(containers, left, right);
  return Object.is(left, right);
}

const isEqualList = (containers: CopyOnWriteContainers, found: readonly JsonValue[], wanted: readonly JsonValue[]): boolean =>
  found.length === wanted.length && wanted.every((element, index) => isEqualValue(containers, found[index] ?? null, element));

const isEqualObject = (containers: CopyOnWriteContainers, found: JsonObject, wanted: JsonObject): boolean =>
  containers.count(found) === containers.count(wanted) &&
  Object.keys(wanted).every((name) => {
    const left = containers.at(found, name);
    const right = wanted[name];
    return right === undefined || (left !== undefined && isEqualValue(containers, left, right));
  });
