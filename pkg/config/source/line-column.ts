/** Converts offsets to lines and columns. */

/** From 1; columns in UTF-16 units, without a byte order mark. */
export type LineColumnOf = (offset: number) => { readonly line: number; readonly column: number };

/** Lines end with LF. The index is built on first use. */
export function createLineIndex(text: string): LineColumnOf {
  let starts: readonly number[] | undefined;
  const isMarked = text.startsWith('\uFEFF');
  return (offset) => {
    starts ??= lineStarts(text);
    const line = linesUpTo(starts, offset);
    const column = offset - (starts[line - 1] ?? 0) + (isMarked && line === 1 ? 0 : 1);
    return { line, column: Math.max(column, 1) };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of lines that start at or before the offset. */
function linesUpTo(starts: readonly number[], offset: number): number {
  let [low, high] = [1, starts.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle - 1] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
