/** Canonical text and order of the values in path elements, as in structured-merge-diff. All numbers are doubles. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { compareByBytes, isArray, sortedNames } from '../../apimachinery/json/write-json.ts';
import { quoted, quotedForHtml } from './quoted.ts';

/** Compact JSON with sorted object keys. Recursion depth is bounded by the JSON parser. */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return quotedForHtml(value);
  if (typeof value === 'number') return doubleText(value);
  if (typeof value === 'bigint') return doubleText(Number(value));
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof RawJson) return canonicalText(decodeRaw(value));
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = sortedNames(Object.keys(value)).map((name) => `${quotedForHtml(name)}:${canonicalText(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** The key fields of a list item. As stored by Kubernetes, their names are not escaped for HTML. */
export function keyFieldsText(keys: readonly { readonly name: string; readonly value: JsonValue }[]): string {
  const sorted = keys.length < 2 ? keys : keys.toSorted((a, b) => compareByBytes(a.name, b.name));
  return `{${sorted.map(({ name, value }) => `${quoted(name)}:${canonicalText(value)}`).join(',')}}`;
}

/** Zero has no sign, so that both zeros have the same text. */
function doubleText(value: number): string {
  const text = String(value === 0 ? 0 : value);
  // Go writes at least two exponent digits.
  return text.includes('e-') ? text.replace(/e-(\d)$/, 'e-0$1') : text;
}

/** Numbers, then strings, booleans, lists, objects, null; values of one type by value, strings by their UTF-8 bytes. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareByBytes(a, b);
  if (isArray(a) && isArray(b)) return compareLists(a, b);
  if (isObjectValue(a) && isObjectValue(b)) return compareObjects(a, b);
  return Number(a) - Number(b);
}

function rankOf(value: JsonValue): number {
  if (value === null) return 5;
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return isArray(value) ? 3 : 4;
  }
}

const isObjectValue = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !isArray(value);

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    const order = compareValues(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.keys(a).length, Object.keys(b).length];
  const names = sortedNames([...new Set([...Object.keys(a), ...Object.keys(b)])]);
  for (const [at, name] of names.entries()) {
    if (at === left) return -1;
    if (at === right) return 1;
    if (!Object.hasOwn(a, name)) return 1;
    if (!Object.hasOwn(b, name)) return -1;
    const order = compareValues(a[name] ?? null, b[name] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
