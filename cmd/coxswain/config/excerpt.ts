/** The line of a problem, with what is meant pointed at. */
import type { Problem } from '../../../pkg/config/problem.ts';
import { type Cell, cellsOf, widthOf } from './cells.ts';

export interface ExcerptStyle {
  /** How many a line may take, all in all. */
  readonly columns: number;
  readonly gutter: (text: string) => string;
  readonly pointer: (text: string) => string;
}

const ELLIPSIS: Cell = { text: '…', width: 1 };
const LEAST_SHOWN = 10;

/** Two lines; nothing for a line that there is not. Of a longer line only what is around the problem is shown. */
export function excerptOf(
  line: string | undefined,
  { line: number, column }: Pick<Problem, 'line' | 'column'>,
  { columns, gutter, pointer }: ExcerptStyle,
): string {
  if (line === undefined || line.trim() === '') return '';
  const label = `  ${number} | `;
  const shown = windowOf(line, Math.min(column - 1, line.length), Math.max(columns - label.length, LEAST_SHOWN));
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

/**
 * At most `room` columns of a line. What is before the problem gives way first, then what is behind it, then its own
 * end.
 */
function windowOf(line: string, at: number, room: number): ShownCells {
  // A line may be the whole file; no more of it than could be shown is looked at.
  const reach = 2 * room;
  const from = Math.max(0, at - reach);
  const lead = line.slice(from, at);
  const token = tokenAt(line.slice(at, at + reach), from > 0 || isWithinBraces(lead));
  const before = cellsOf(lead);
  const meant = cellsOf(token);
  const after = cellsOf(line.slice(at + token.length, at + reach));
  if (from === 0 && at + reach >= line.length && widthOf(before) + widthOf(meant) + widthOf(after) <= room) return { before, meant, after };
  // Of the room that is left beside what is meant, two thirds are for what leads up to it.
  const own = fromStart(meant, Math.max(Math.floor(room / 2), room - widthOf(before) - 1), false);
  const left = room - Math.max(1, widthOf(own));
  const shownBefore = fromEnd(before, Math.max(Math.floor((2 * left) / 3), left - widthOf(after)), from > 0);
  return { before: shownBefore, meant: own, after: fromStart(after, left - widthOf(shownBefore), at + reach < line.length) };
}

/** As many cells as fit; with an ellipsis when it is not all, or when more was left out already. */
function fromStart(cells: readonly Cell[], room: number, isCut: boolean): readonly Cell[] {
  if (!isCut && widthOf(cells) <= room) return cells;
  if (room < 1) return [];
  const kept: Cell[] = [];
  let left = room - 1;
  for (const cell of cells) {
    left -= cell.width;
    if (left < 0) break;
    kept.push(cell);
  }
  return [...kept, ELLIPSIS];
}

const fromEnd = (cells: readonly Cell[], room: number, isCut: boolean): readonly Cell[] =>
  fromStart(cells.toReversed(), room, isCut).toReversed();

/**
 * Up to what ends a plain word, or the whole quoted text, as much as is on the line. Only between braces a comma ends a
 * word by itself.
 */
const tokenAt = (line: string, isWithinBraces: boolean): string => (isWithinBraces ? FLOW_TOKEN : BLOCK_TOKEN).exec(line)?.[0] ?? '';

const FLOW_TOKEN = /^("(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|[^\s,\]}]+?(?=:?(?:[\s,\]}]|$)))/;
const BLOCK_TOKEN = /^("(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|[^\s\]}]+?(?=[:,]?(?:[\s\]}]|$)))/;

/** As far as one line tells. */
const isWithinBraces = (before: string): boolean => (before.match(/[[{]/g) ?? []).length > (before.match(/[\]}]/g) ?? []).length;
