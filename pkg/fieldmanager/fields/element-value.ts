/** What stands behind the colon of an element, read back. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';

/** In the order of their names. */
export type Keys = readonly (readonly [name: string, value: JsonValue])[];

/** One key or two in canonical form, as almost all are: texts in which nothing needs an escape, and small integers. */
const PLAIN_KEYS =
  /^k:\{"([a-zA-Z]+)":(?:"([ !#-%'-;=?-[\]-~]*)"|(0|[1-9]\d{0,8}))(?:,"([a-zA-Z]+)":(?:"([ !#-%'-;=?-[\]-~]*)"|(0|[1-9]\d{0,8})))?\}$/;

/** The keys of a `k:` element, when they can be had for little, and are in canonical form. */
export function plainKeysOf(element: string): Keys | undefined {
  const [, first, firstText, firstNumber, second, secondText, secondNumber] = PLAIN_KEYS.exec(element) ?? [];
  if (first === undefined) return undefined;
  const firstKey = [first, firstText ?? Number(firstNumber)] as const;
  if (second === undefined) return [firstKey];
  return first < second ? [firstKey, [second, secondText ?? Number(secondNumber)]] : undefined;
}

/** The keys of a `k:` element that is known to be canonical. */
export function keysOf(element: string): Keys {
  const plain = plainKeysOf(element);
  if (plain !== undefined) return plain;
  const value = valueOf(element);
  const keys: JsonObject = isJsonObject(value) ? value : {};
  return sortedNames(Object.keys(keys)).map((name) => [name, keys[name] ?? null]);
}

/** The value of a `v:` element that is known to be canonical. */
export const valueOf = (element: string): JsonValue => valueIn(element) ?? null;

/** The JSON behind the colon; `undefined` when it is none, or nested too deeply. */
export function valueIn(element: string): JsonValue | undefined {
  const text = element.slice(2);
  try {
    return text.length < SHORT && !HARD.test(text) ? (JSON.parse(text) as JsonValue) : parseJson(Buffer.from(text, 'utf8')).value;
  } catch {
    return undefined;
  }
}

/** Not nested deeper than half of this. */
const SHORT = 256;
/**
 * What `JSON.parse` does not do as we need it: numbers that are too large become infinite, and names with escapes may come out as others
 * (V8 of Node 24: `{"\u0001":0,"\\":0}` and after it `{"\u0001":0,"\"":0}`).
 */
const HARD = /\\|[\d.][eE]|\d{200}/;
