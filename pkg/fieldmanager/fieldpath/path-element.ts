/**
 * The elements of a field path, spelled as in `fieldsV1`. The spelling is canonical: elements are equal if and only if
 * their texts are equal, so plain string sets and maps can hold them.
 *
 * - `f:name` a field of a struct or a key of a map
 * - `k:{"name":"a","port":80}` the item of a list of type `map` with these key fields, sorted by name
 * - `v:"a"` the item of a list of type `set` with this value
 * - `i:0` the item of a list at this index
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { canonicalText, keyFieldsText } from './canonical-value.ts';
import { parsePlainKeys, parseElementValue } from './element-value.ts';

declare const pathElementBrand: unique symbol;
export type PathElement = string & { readonly [pathElementBrand]: true };

/** Relative to the object; the empty path is the object itself. */
export type Path = readonly PathElement[];

/** A key field of a list item. */
export interface KeyField {
  readonly name: string;
  readonly value: JsonValue;
}

export const fieldElement = (name: string): PathElement => `f:${name}` as PathElement;

/** Keys in any order, without repetition. */
export const keyElement = (keys: readonly KeyField[]): PathElement => `k:${keyFieldsText(keys)}` as PathElement;

/** Numbers are compared as doubles: `1` and `1.0` are the same element, and so are integers with the same double. */
export const valueElement = (value: JsonValue): PathElement => `v:${canonicalText(value)}` as PathElement;

export const indexElement = (index: number): PathElement => `i:${index}` as PathElement;

/** `unknown`: a type of a later version of the format, to be skipped. `undefined`: invalid. */
export function parsePathElement(text: string): PathElement | 'unknown' | undefined {
  if (text.charCodeAt(1) !== COLON) return undefined;
  switch (text.charCodeAt(0)) {
    case 0x66:
      return text as PathElement;
    case 0x6b:
      return parsePlainKeys(text) !== undefined ? (text as PathElement) : parseKeys(text);
    case 0x76:
      return PLAIN_VALUE.test(text) ? (text as PathElement) : parseValue(text);
    case 0x69:
      return parseIndex(text.slice(2));
    default:
      return text.charCodeAt(0) < 0x80 ? 'unknown' : undefined;
  }
}

const COLON = 0x3a;
const PLAIN_VALUE = /^v:"[ !#-%'-;=?-[\]-~]*"$/;

/** The last of repeated names counts. `null` means no keys. */
function parseKeys(text: string): PathElement | undefined {
  const value = parseElementValue(text);
  if (value === null) return keyElement([]);
  if (!isJsonObject(value)) return undefined;
  return keyElement(Object.entries(value).map(([name, of]) => ({ name, value: of ?? null })));
}

function parseValue(text: string): PathElement | undefined {
  const value = parseElementValue(text);
  return value === undefined ? undefined : valueElement(value);
}

const INDEX = /^[+-]?\d+$/;
/** Limits parsing, including leading zeros. */
const MAX_INDEX_DIGITS = 100;

function parseIndex(text: string): PathElement | undefined {
  if (!INDEX.test(text) || text.length > MAX_INDEX_DIGITS) return undefined;
  const index = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, index) === index ? (`i:${index}` as PathElement) : undefined;
}
