/** The order of path elements: fields by name, then keys, then values, then positions. `fieldsV1` and lists of conflicts are in this order. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { compareByBytes, isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';
import { compareValues } from './canonical-value.ts';
import type { PathElement } from './path-element.ts';

/** Negative when `a` comes before `b`; zero only when they are the same. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const type = rankOf(a) - rankOf(b);
  if (type !== 0) return type;
  switch (a.charCodeAt(0)) {
    case 0x6b:
      return compareKeys(keysOf(a), keysOf(b));
    case 0x76:
      return compareValues(valueOf(a), valueOf(b));
    case 0x69:
      return BigInt(a.slice(2)) < BigInt(b.slice(2)) ? -1 : 1;
    default:
      return compareByBytes(a, b);
  }
}

/** A new array, in order. */
export function sortedElements(elements: Iterable<PathElement>): readonly PathElement[] {
  return Array.from(elements).sort(comparePathElements);
}

/** The value of a `v:` element, or the keys of a `k:` element. */
export const valueOf = (element: PathElement): JsonValue => JSON.parse(element.slice(2)) as JsonValue;

/** The keys of a `k:` element, in the order of their names. */
export function keysOf(element: PathElement): readonly (readonly [name: string, value: JsonValue])[] {
  const value = valueOf(element);
  const keys: JsonObject = isJsonObject(value) ? value : {};
  return sortedNames(Object.keys(keys)).map((name) => [name, keys[name] ?? null]);
}

function rankOf(element: PathElement): number {
  switch (element.charCodeAt(0)) {
    case 0x66:
      return 0;
    case 0x6b:
      return 1;
    case 0x76:
      return 2;
    default:
      return 3;
  }
}

type Keys = ReturnType<typeof keysOf>;

function compareKeys(a: Keys, b: Keys): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareByBytes(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
