/** Writes JSON like Go's encoder: escapes `<`, `>`, `&`, U+2028 and U+2029 and sorts map keys, except in raw values. */
import type { JsonObject, JsonValue } from './json-value.ts';
import { RawJson } from './raw-json.ts';

/** Members have the order of the object. `undefined` members are omitted. */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // JSON has no NaN and no infinity.
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : 'null';
  return writeContainer(value);
}

const numberText = (value: number) => (Object.is(value, -0) ? '-0' : String(value));

type Container = Exclude<JsonValue, null | boolean | number | bigint | string>;

function writeContainer(value: Container): string {
  if (value instanceof RawJson) return value.bytes.toString('utf8');
  let text = '';
  if (isArray(value)) {
    for (const element of value) text += (text === '' ? '' : ',') + writeJson(element);
    return `[${text}]`;
  }
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(name)}:${writeJson(member)}`;
  }
  return `{${text}}`;
}

/** A JSON object: neither a list nor a raw value. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson);

/** `Array.isArray` does not narrow readonly arrays. */
export const isArray = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** A JSON string. Lone surrogates become U+FFFD. */
export const quote = (text: string): string => (SPECIAL.test(text) ? escaped(text) : `"${text}"`);

/** Escaped characters, and surrogates, which may be lone. */
const SPECIAL = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

/** What Go escapes and JSON.stringify does not. */
const ESCAPED = /[<>&\u2028\u2029]/g;

/** JSON.stringify takes a fifth of the time of a replace where there is much to escape, as in a file of many lines. */
const escaped = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(ESCAPED, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The names in the order of their UTF-8 bytes, as Go sorts map keys. */
export function sortedNames(names: string[]): string[] {
  return names.length < 2 ? names : names.sort(compareByBytes);
}

/** UTF-16 order differs from byte order only where surrogates meet U+E000 and above. */
export function compareByBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return orderOf(left) - orderOf(right);
  }
  return a.length - b.length;
}

/** Sorts surrogates after all other units. */
const orderOf = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
