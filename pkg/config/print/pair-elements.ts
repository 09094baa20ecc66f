/** Which elements of two lists are the same: the longest common subsequence. */

/** Places in the lists; one of them is undefined for an element that only the other list has. */
export interface ElementPair {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Finding the best pairs takes the product of both lengths; beyond this many steps what differs is all taken out and put in again. */
const MAX_STEPS = 4_000_000;

/** In order; what was taken out comes before what came in at the same place. */
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
    ...inner(own, other).map((pair) => ({ before: shifted(pair.before, head), after: shifted(pair.after, head) })),
    ...Array.from({ length: tail }, (_, index) => ({ before: before.length - tail + index, after: after.length - tail + index })),
  ];
}

const shifted = (index: number | undefined, by: number): number | undefined => (index === undefined ? undefined : index + by);

function inner(before: readonly string[], after: readonly string[]): ElementPair[] {
  const taken = before.map((_, index) => ({ before: index, after: undefined }));
  const put = after.map((_, index) => ({ before: undefined, after: index }));
  if (before.length * after.length > MAX_STEPS) return [...taken, ...put];
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

/** At `[i][j]`: how many elements the rest of `before` from `i` and the rest of `after` from `j` have in common. */
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
