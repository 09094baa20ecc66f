/**
 * The same program without characters beyond ASCII, which stand in it as escapes: in texts, regular expressions and names they mean the same, and in comments
 * nobody minds. One such character makes V8 hold the source, as long as the process lives, and read it, at two bytes for each character.
 */
export const toAscii = (source: string): string =>
  // Unit by unit: there is no escape of four digits for more.
  source.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
