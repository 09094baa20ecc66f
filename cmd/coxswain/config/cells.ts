/** Splits a text into terminal cells with their widths. */

export interface Cell {
  readonly text: string;
  readonly width: 1 | 2;
}

/** Wide and fullwidth characters (UAX #11), by block. */
const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u;
/** Zero-width characters, which combine with the previous one. */
const MARK = /^[\p{Mn}\p{Me}\u{200d}\u{fe0f}]$/u;
/** Characters that move the cursor or hide or reorder text. */
const UNSHOWN = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]$/u;

/** Replaces invisible characters by spaces. */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const character of text.toWellFormed()) {
    const last = cells.at(-1);
    if (MARK.test(character)) {
      // Without its joiner a combined emoji is shown as two.
      if (last !== undefined && !/^[\u{200d}\u{fe0f}]$/u.test(character)) cells.splice(-1, 1, { ...last, text: last.text + character });
    } else if (UNSHOWN.test(character)) cells.push({ text: ' ', width: 1 });
    else cells.push({ text: character, width: WIDE.test(character) ? 2 : 1 });
  }
  return cells;
}

export const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, { width }) => sum + width, 0);
