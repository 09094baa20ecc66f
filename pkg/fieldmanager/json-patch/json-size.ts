import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject, quote, writeJson } from '../../apimachinery/json/write-json.ts';

/** The size of `value` as JSON text in bytes. Stops early above `max` and then returns any number above `max`. */
export function jsonSize(value: JsonValue, max: number): number {
  if (value instanceof RawJson) return value.bytes.length;
  if (typeof value === 'string') return Buffer.byteLength(quote(value));
  if (isArray(value)) {
    // One opening bracket or comma per element, and the closing bracket.
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
