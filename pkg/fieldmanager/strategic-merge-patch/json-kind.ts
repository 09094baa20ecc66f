/** What a value is, raw or not: patches compare kinds, and look into raw values only where they reach into them. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
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

/** The value itself, or what a raw one holds. Numbers inside keep their spelling. */
export const opened = (value: JsonValue): JsonValue => (value instanceof RawJson ? decodeRaw(value, 'tokens') : value);

/** `undefined`: it is none. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  const inner = opened(value);
  return isJsonObject(inner) ? inner : undefined;
}

/** `undefined`: it is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined) return undefined;
  const inner = opened(value);
  return isArray(inner) ? inner : undefined;
}

/** A member whatever its name; `undefined` when there is none of its own. */
export const ownMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
