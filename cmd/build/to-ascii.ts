/**
 * The same program, as esbuild writes it, without characters beyond ASCII, which stand in it as escapes: in regular expressions they mean the same, and in
 * comments nobody minds; names and texts esbuild has escaped already. One such character makes V8 hold the source, as long as the process lives, and read it, at
 * two bytes for each character. Throws on a character for which an escape would mean something else.
 */
export const toAscii = (source: string): string =>
  source.replace(/[^\x00-\x7f]/g, (unit, at: number) => {
    if (SPECIAL.test(unit) || source[at - 1] === '\\') {
      throw new Error(`an escape for ${JSON.stringify(unit)} may mean something else: …${source.slice(Math.max(0, at - 40), at + 40)}…`);
    }
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Halves of a character, of which only the whole may stand in a name, and ends of a line. */
const SPECIAL = /[\ud800-\udfff\u2028\u2029]/;
