/**
 * The steps of a path to a field, in the spelling that `fieldsV1` gives them. The spelling is canonical: two elements say the same if and only
 * if their texts are the same, so that sets and maps of them need no more than strings.
 *
 * - `f:name` a member of a struct or a map
 * - `k:{"name":"a","port":80}` the element of a list that has these keys, which are in the order of their names
 * - `v:"a"` the element of a set that is this value
 * - `i:0` the element of a list at this position
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { canonicalText, keyedText } from './canonical-value.ts';
import { plainKeysOf, valueIn } from './element-value.ts';

declare const pathElementBrand: unique symbol;
export type PathElement = string & { readonly [pathElementBrand]: true };

/** From the object itself; the empty path is the object. */
export type Path = readonly PathElement[];

/** A key of a list's element. */
export interface KeyEntry {
  readonly name: string;
  readonly value: JsonValue;
}

export const fieldElement = (name: string): PathElement => `f:${name}` as PathElement;

/** In whichever order the keys are given, each once. */
export const keyElement = (keys: readonly KeyEntry[]): PathElement => `k:${keyedText(keys)}` as PathElement;

/** Numbers are compared as doubles: `1` and `1.0` are the same element, and so are integers that no double tells apart. */
export const valueElement = (value: JsonValue): PathElement => `v:${canonicalText(value)}` as PathElement;

export const indexElement = (index: number): PathElement => `i:${index}` as PathElement;

/** `unknown`: of a type that a later version of the format may have; whoever meets it passes it over. `undefined`: not readable. */
export function parsePathElement(text: string): PathElement | 'unknown' | undefined {
  if (text.charCodeAt(1) !== COLON) return undefined;
  switch (text.charCodeAt(0)) {
    case 0x66:
      return text as PathElement;
    case 0x6b:
      return plainKeysOf(text) !== undefined ? (text as PathElement) : parseKeys(text);
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

/** A name that comes twice keeps its last value; `null` is no keys. */
function parseKeys(text: string): PathElement | undefined {
  const value = valueIn(text);
  if (value === null) return keyElement([]);
  if (!isJsonObject(value)) return undefined;
  return keyElement(Object.entries(value).map(([name, of]) => ({ name, value: of ?? null })));
}

function parseValue(text: string): PathElement | undefined {
  const value = valueIn(text);
  return value === undefined ? undefined : valueElement(value);
}

const INDEX = /^[+-]?\d+$/;
/** Beyond this, leading zeros included, nobody means a position. */
const MAX_INDEX_DIGITS = 100;

function parseIndex(text: string): PathElement | undefined {
  if (!INDEX.test(text) || text.length > MAX_INDEX_DIGITS) return undefined;
  const index = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, index) === index ? (`i:${index}` as PathElement) : undefined;
}
