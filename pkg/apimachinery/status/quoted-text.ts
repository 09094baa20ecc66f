/** Characters that Go's unicode.IsPrint rejects, and the two that are special inside quotes. */
const TO_ESCAPE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu;

const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** Quotes text like Go's `%q`: on one line, with only visible characters. */
export const quotedText = (text: string): string => `"${text.replaceAll(TO_ESCAPE, escaped)}"`;

function escaped(character: string): string {
  const short = SHORT_FORMS.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
