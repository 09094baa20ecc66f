import type { JsonObject, JsonValue } from './json-value.ts';
import { memberOf } from './member-of.ts';
import { openRaw } from './parse-json.ts';
import { RawJson } from './raw-json.ts';
import { isArray } from './write-json.ts';

/**
 * Whether two values are the same JSON. The order of members does not count, null differs from absence, numbers are
 * compared by value. Two raw values are compared by their bytes, because their spelling matters.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a instanceof RawJson) return b instanceof RawJson ? a.equals(b) : equalToRaw(b, a);
  if (b instanceof RawJson) return equalToRaw(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isArray(a)) return isArray(b) && equalLists(a, b);
  return !isArray(b) && equalObjects(a, b);
}

/** Raw numbers that exceed all doubles only equal raw values. */
function equalToRaw(value: JsonValue, raw: RawJson): boolean {
  const inner = openRaw(raw);
  if (!(inner instanceof RawJson)) return equalJson(value, inner);
  return (typeof value === 'number' || typeof value === 'bigint') && Number(inner.bytes.toString('latin1')) === Number(value);
}

function equalLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (!equalJson(a[at] ?? null, b[at] ?? null)) return false;
  }
  return true;
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let excess = 0;
  for (const name in a) {
    const left = a[name];
    if (left === undefined) continue;
    const right = memberOf(b, name);
    if (right === undefined || !equalJson(left, right)) return false;
    excess--;
  }
  for (const name in b) if (b[name] !== undefined) excess++;
  return excess === 0;
}
