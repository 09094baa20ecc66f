/** Matches the elements of two lists by their longest common subsequence. */

/** Indexes into the lists; undefined for an element that only the other list has. */
export interface ElementPair {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The algorithm is quadratic. Beyond this many steps the differing parts are treated as removed and added. */
const MAX_STEPS = 4_000_000;

/** In order; removed elements come before those added at the same place. */
export function pairElements(before: readonly string[], after: readonly string[]): ElementPair[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const own = before.slice(head, before.length - tail);
  const other = after.slice(head, after.length - tail);
  return [
    ...Array.from({ length: head }, (_, index) => ({ before: index, after: index })),
    ...pairMiddle(own, other).map((pair) => ({ before: shifted(pair.before, head), after: shifted(pair.after, head) })),
    ...Array.from({ length: tail }, (_, index) => ({ before: before.length - tail + index, after: after.length - tail + index })),
  ];
}

const shifted = (index: number | undefined, by: number): number | undefined => (index === undefined ? undefined : index + by);

function pairMiddle(before: readonly string[], after: readonly string[]): ElementPair[] {
  const removed = before.map((_, index) => ({ before: index, after: undefined }));
  const added = after.map((_, index) => ({ before: undefined, after: index }));
  if (before.length * after.length > MAX_STEPS) return [...removed, ...added];
  const lengths = commonLengths(before, after);
  const pairs: ElementPair[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) pairs.push({ before: i++, after: j++ });
    else if (j === after.length || (i < before.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      pairs.push({ before: i++, after: undefined });
    } else pairs.push({ before: undefined, after: j++ });
  }
  return pairs;
}

/** At `[i][j]`: the length of the longest common subsequence of `before` from `i` and `after` from `j`. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}
