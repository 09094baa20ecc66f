/** The order of path elements in `fieldsV1` and conflicts: fields by name, then keys, values and indexes. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import { compareValues } from './canonical-value.ts';
import { type KeyFields, elementKeys, elementValue } from './element-value.ts';
import type { PathElement } from './path-element.ts';

/** Returns a new, sorted array. */
export function sortedElements(elements: Iterable<PathElement>): readonly PathElement[] {
  const sorted = Array.from(elements);
  if (sorted.length < 2) return sorted;
  if (areAllFieldNames(sorted)) return isSorted(sorted) ? sorted : sorted.sort(compareByBytes);
  // Decodes each element once rather than at each comparison.
  return sorted
    .map(decodeElement)
    .sort(compareDecoded)
    .map(({ element }) => element);
}

function areAllFieldNames(elements: readonly PathElement[]): boolean {
  for (const element of elements) if (element.charCodeAt(0) !== 0x66) return false;
  return true;
}

function isSorted(elements: readonly PathElement[]): boolean {
  let before = '';
  for (const element of elements) {
    if (compareByBytes(before, element) > 0) return false;
    before = element;
  }
  return true;
}

/** Negative if `a` comes before `b`; zero only if they are equal. */
export const comparePathElements = (a: PathElement, b: PathElement): number =>
  a === b ? 0 : compareDecoded(decodeElement(a), decodeElement(b));

interface DecodedElement {
  readonly element: PathElement;
  /** Fields, keys, values, indexes. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly keys?: KeyFields;
  readonly value?: JsonValue;
}

function decodeElement(element: PathElement): DecodedElement {
  switch (element.charCodeAt(0)) {
    case 0x66:
      return { element, rank: 0 };
    case 0x6b:
      return { element, rank: 1, keys: elementKeys(element) };
    case 0x76:
      return { element, rank: 2, value: elementValue(element) };
    default:
      return { element, rank: 3 };
  }
}

function compareDecoded(a: DecodedElement, b: DecodedElement): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.keys !== undefined && b.keys !== undefined) return compareKeys(a.keys, b.keys);
  if (a.value !== undefined && b.value !== undefined) return compareValues(a.value, b.value);
  return a.rank === 0 ? compareByBytes(a.element, b.element) : compareIndexes(a.element, b.element);
}

/** Indexes are 64-bit integers. */
function compareIndexes(a: PathElement, b: PathElement): number {
  const [left, right] = [BigInt(a.slice(2)), BigInt(b.slice(2))];
  return left < right ? -1 : Number(left > right);
}

function compareKeys(a: KeyFields, b: KeyFields): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareByBytes(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
