/** Suggests the known name that an unknown one was probably meant to be. */

/** Longer texts are not typos, and comparing them takes time. */
const MAX_LENGTH = 80;

/** Each search takes time, and a file with more unknown names than this has another problem. */
export const MAX_SUGGESTIONS = 100;

/** `nearestName` for a fixed set of names; returns undefined after the first hundred calls. */
export function createSuggester(known: Iterable<string>): (name: string) => string | undefined {
  const names = [...known];
  let calls = 0;
  return (name) => (++calls > MAX_SUGGESTIONS ? undefined : nearestName(name, names));
}

/** Undefined if none is near: at most a third of the letters may differ, ignoring case, and at most four. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let minDistance = Math.min(4, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), minDistance);
    if (distance < minDistance) {
      best = candidate;
      minDistance = distance;
    }
  }
  return best;
}

/** The number of letters to insert, remove, replace or swap with the next one; at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    if (Math.min(...row) >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? limit, limit);
}
