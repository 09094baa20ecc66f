/** The line of a problem, with what is meant pointed at. */
import type { Problem } from '../../../pkg/config/problem.ts';

/** Of a longer line only this much around the problem is shown. */
const MAX_SHOWN = 100;
const SHOWN_BEFORE = 60;
const ELLIPSIS = '…';

/** Two lines; nothing for a line that there is not. */
export function excerptOf(line: string | undefined, { line: number, column }: Pick<Problem, 'line' | 'column'>): string {
  if (line === undefined || line.trim() === '') return '';
  const at = Math.min(column - 1, line.length);
  const from = line.length <= MAX_SHOWN ? 0 : Math.max(0, at - SHOWN_BEFORE);
  const cut = line.slice(from, from + MAX_SHOWN).toWellFormed();
  const shown = `${from > 0 ? ELLIPSIS : ''}${plain(cut)}${from + MAX_SHOWN < line.length ? ELLIPSIS : ''}`;
  const before = `${from > 0 ? ELLIPSIS : ''}${plain(line.slice(from, at))}`;
  const gutter = String(number);
  const pointed = '^'.repeat(Math.max(1, Math.min(widthOf(plain(tokenAt(line, at))), widthOf(shown) - widthOf(before))));
  return `  ${gutter} | ${shown}\n  ${' '.repeat(gutter.length)} | ${' '.repeat(widthOf(before))}${pointed}\n`;
}

/** Up to what ends a plain word, or the whole quoted text. */
const tokenAt = (line: string, at: number): string =>
  /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\]}]+?(?=:?(?:[\s,\]}]|$)))/.exec(line.slice(at))?.[0] ?? '';

/** Each character one column; nothing that moves the cursor. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

const widthOf = (text: string): number => text.match(/./gsu)?.length ?? 0;
