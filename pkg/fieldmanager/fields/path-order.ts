/** The order of path elements: fields by name, then keys, then values, then positions. `fieldsV1` and lists of conflicts are in this order. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import { compareValues } from './canonical-value.ts';
import { type Keys, keysOf, valueOf } from './element-value.ts';
import type { PathElement } from './path-element.ts';

/** A new array, in order. */
export function sortedElements(elements: Iterable<PathElement>): readonly PathElement[] {
  const sorted = Array.from(elements);
  if (sorted.length < 2) return sorted;
  if (areFields(sorted)) return isInOrder(sorted) ? sorted : sorted.sort(compareByBytes);
  // Each is taken apart once, not once per comparison.
  return sorted
    .map(toComparable)
    .sort(compareComparables)
    .map(({ element }) => element);
}

function areFields(elements: readonly PathElement[]): boolean {
  for (const element of elements) if (element.charCodeAt(0) !== 0x66) return false;
  return true;
}

function isInOrder(elements: readonly PathElement[]): boolean {
  let before = '';
  for (const element of elements) {
    if (compareByBytes(before, element) > 0) return false;
    before = element;
  }
  return true;
}

/** Negative when `a` comes before `b`; zero only when they are the same. */
export const comparePathElements = (a: PathElement, b: PathElement): number =>
  a === b ? 0 : compareComparables(toComparable(a), toComparable(b));

interface Comparable {
  readonly element: PathElement;
  /** Fields, keys, values, positions. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly keys?: Keys;
  readonly value?: JsonValue;
}

function toComparable(element: PathElement): Comparable {
  switch (element.charCodeAt(0)) {
    case 0x66:
      return { element, rank: 0 };
    case 0x6b:
      return { element, rank: 1, keys: keysOf(element) };
    case 0x76:
      return { element, rank: 2, value: valueOf(element) };
    default:
      return { element, rank: 3 };
  }
}

function compareComparables(a: Comparable, b: Comparable): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.keys !== undefined && b.keys !== undefined) return compareKeys(a.keys, b.keys);
  if (a.value !== undefined && b.value !== undefined) return compareValues(a.value, b.value);
  return a.rank === 0 ? compareByBytes(a.element, b.element) : compareIndexes(a.element, b.element);
}

/** Positions are 64-bit integers. */
function compareIndexes(a: PathElement, b: PathElement): number {
  const [left, right] = [BigInt(a.slice(2)), BigInt(b.slice(2))];
  return left < right ? -1 : Number(left > right);
}

function compareKeys(a: Keys, b: Keys): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareByBytes(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
