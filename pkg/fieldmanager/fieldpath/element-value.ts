/** Parses the value of a path element, the text after the colon. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';

/** Sorted by name. */
export type KeyFields = readonly (readonly [name: string, value: JsonValue])[];

/** Fast path for one or two canonical keys, where values are strings without escapes or small integers. */
const PLAIN_KEYS =
  /^k:\{"([a-zA-Z]+)":(?:"([ !#-%'-;=?-[\]-~]*)"|(0|[1-9]\d{0,8}))(?:,"([a-zA-Z]+)":(?:"([ !#-%'-;=?-[\]-~]*)"|(0|[1-9]\d{0,8})))?\}$/;

/** The keys of a canonical `k:` element on the fast path, else `undefined`. */
export function parsePlainKeys(element: string): KeyFields | undefined {
  const [, first, firstText, firstNumber, second, secondText, secondNumber] = PLAIN_KEYS.exec(element) ?? [];
  if (first === undefined) return undefined;
  const firstKey = [first, firstText ?? Number(firstNumber)] as const;
  if (second === undefined) return [firstKey];
  return first < second ? [firstKey, [second, secondText ?? Number(secondNumber)]] : undefined;
}

/** The keys of a `k:` element, which must be canonical. */
export function elementKeys(element: string): KeyFields {
  const plain = parsePlainKeys(element);
  if (plain !== undefined) return plain;
  const value = elementValue(element);
  const keys: JsonObject = isJsonObject(value) ? value : {};
  return sortedNames(Object.keys(keys)).map((name) => [name, keys[name] ?? null]);
}

/** The value of a `v:` element, which must be canonical. */
export const elementValue = (element: string): JsonValue => parseElementValue(element) ?? null;

/** The JSON after the colon; `undefined` if it is invalid or nested too deeply. */
export function parseElementValue(element: string): JsonValue | undefined {
  const text = element.slice(2);
  try {
    return text.length < MAX_NATIVE_LENGTH && !NEEDS_OWN_PARSER.test(text)
      ? (JSON.parse(text) as JsonValue)
      : parseJson(Buffer.from(text, 'utf8')).value;
  } catch {
    return undefined;
  }
}

/** Text this short cannot be nested deeper than the parser allows. */
const MAX_NATIVE_LENGTH = 256;
/**
 * `JSON.parse` turns large numbers into infinity, and may confuse names with escapes (V8 of Node 24:
 * `{"\u0001":0,"\\":0}` followed by `{"\u0001":0,"\"":0}`).
 */
const NEEDS_OWN_PARSER = /\\|[\d.][eE]|\d{200}/;
