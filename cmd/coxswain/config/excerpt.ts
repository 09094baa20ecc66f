/** Shows the line of a problem with a pointer. */
import type { Problem } from '../../../pkg/config/problem.ts';
import { type Cell, cellsOf, widthOf } from './cells.ts';

export interface ExcerptStyle {
  /** Maximum line width. */
  readonly columns: number;
  readonly gutter: (text: string) => string;
  readonly pointer: (text: string) => string;
}

const ELLIPSIS: Cell = { text: '…', width: 1 };
const MIN_SHOWN = 10;

/** Two lines; empty when the line does not exist. A long line is reduced to the part around the problem. */
export function excerptOf(
  line: string | undefined,
  { line: number, column }: Pick<Problem, 'line' | 'column'>,
  { columns, gutter, pointer }: ExcerptStyle,
): string {
  if (line === undefined || line.trim() === '') return '';
  const label = `  ${number} | `;
  const shown = windowOf(line, Math.min(column - 1, line.length), Math.max(columns - label.length, MIN_SHOWN));
  const pointed = '^'.repeat(Math.max(1, widthOf(shown.meant)));
  const text = [...shown.before, ...shown.meant, ...shown.after].map((cell) => cell.text).join('');
  const blank = ' '.repeat(widthOf(shown.before));
  return `${gutter(label)}${text.trimEnd()}\n${gutter(`${' '.repeat(label.length - 2)}| `)}${blank}${pointer(pointed)}\n`;
}

interface ShownCells {
  readonly before: readonly Cell[];
  readonly meant: readonly Cell[];
  readonly after: readonly Cell[];
}

/** At most `room` columns of a line. Truncates before the problem first, then after it, then its own end. */
function windowOf(line: string, at: number, room: number): ShownCells {
  // The line may be the whole file; limits the work to what can be shown.
  const reach = 2 * room;
  const from = Math.max(0, at - reach);
  const lead = line.slice(from, at);
  const token = tokenAt(line.slice(at, at + reach), from > 0 || isWithinBraces(lead));
  const before = cellsOf(lead);
  const meant = cellsOf(token);
  const after = cellsOf(line.slice(at + token.length, at + reach));
  if (from === 0 && at + reach >= line.length && widthOf(before) + widthOf(meant) + widthOf(after) <= room) return { before, meant, after };
  // Two thirds of the remaining room go to the text before the problem.
  const own = fromStart(meant, Math.max(Math.floor(room / 2), room - widthOf(before) - 1), false);
  const left = room - Math.max(1, widthOf(own));
  const shownBefore = fromEnd(before, Math.max(Math.floor((2 * left) / 3), left - widthOf(after)), from > 0);
  return { before: shownBefore, meant: own, after: fromStart(after, left - widthOf(shownBefore), at + reach < line.length) };
}

/** As many cells as fit, with an ellipsis when truncated here or before. */
function fromStart(cells: readonly Cell[], room: number, isCut: boolean): readonly Cell[] {
  if (!isCut && widthOf(cells) <= room) return cells;
  if (room < 1) return [];
  const fitting: Cell[] = [];
  let left = room - 1;
  for (const cell of cells) {
    left -= cell.width;
    if (left < 0) break;
    fitting.push(cell);
  }
  return [...fitting, ELLIPSIS];
}

const fromEnd = (cells: readonly Cell[], room: number, isCut: boolean): readonly Cell[] =>
  fromStart(cells.toReversed(), room, isCut).toReversed();

/** The word or quoted text at the start of the line. Commas end a word only within braces. */
const tokenAt = (line: string, isWithinBraces: boolean): string => (isWithinBraces ? FLOW_TOKEN : BLOCK_TOKEN).exec(line)?.[0] ?? '';

const FLOW_TOKEN = /^("(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|[^\s,\]}]+?(?=:?(?:[\s,\]}]|$)))/;
const BLOCK_TOKEN = /^("(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|[^\s\]}]+?(?=[:,]?(?:[\s\]}]|$)))/;

/** Based on this line only. */
const isWithinBraces = (before: string): boolean => (before.match(/[[{]/g) ?? []).length > (before.match(/[\]}]/g) ?? []).length;
