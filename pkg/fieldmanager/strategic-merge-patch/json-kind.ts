/** The kind of a value, raw or not. Patches compare kinds, and decode raw values only where they reach into them. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { openRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';

export type JsonKind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

const RAW_KINDS: ReadonlyMap<number | undefined, JsonKind> = new Map<number, JsonKind>([
  [0x7b, 'object'],
  [0x5b, 'list'],
  [0x22, 'string'],
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);

export function kindOf(value: JsonValue): JsonKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value === null) return 'null';
      if (isArray(value)) return 'list';
      return value instanceof RawJson ? (RAW_KINDS.get(value.bytes[0]) ?? 'number') : 'object';
  }
}

/** `undefined` if the value is not an object. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  const inner = openRaw(value);
  return isJsonObject(inner) ? inner : undefined;
}

/** `undefined` if the value is not a list. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined) return undefined;
  const inner = openRaw(value);
  return isArray(inner) ? inner : undefined;
}
