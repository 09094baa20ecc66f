import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject, quote, writeJson } from '../../apimachinery/json/write-json.ts';

/** Bytes of `value` as JSON text. Stops when that is more than `max`: then the answer is some number above `max`. */
export function jsonSize(value: JsonValue, max: number): number {
  if (value instanceof RawJson) return value.bytes.length;
  if (typeof value === 'string') return Buffer.byteLength(quote(value));
  if (isArray(value)) {
    // A bracket or a comma before each element, and the bracket behind the last.
    let size = value.length === 0 ? 2 : 1;
    for (const element of value) {
      if (size > max) return size;
      size += 1 + jsonSize(element, max - size);
    }
    return size;
  }
  if (isJsonObject(value)) {
    let size = 2;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      if (size > max) return size;
      size += (size === 2 ? 1 : 2) + Buffer.byteLength(quote(name));
      size += jsonSize(member, max - size);
    }
    return size;
  }
  return writeJson(value).length;
}
