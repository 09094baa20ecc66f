/** JSON strings in `fieldsV1`, where `\b` and `\f` have no short form. */

const ESCAPED = /["\\\u0000-\u001f]/;
const ESCAPED_EACH = /["\\\u0000-\u001f]/g;
const ESCAPED_FOR_HTML = /["\\<>&\u0000-\u001f\u2028\u2029]/;
const ESCAPED_FOR_HTML_EACH = /["\\<>&\u0000-\u001f\u2028\u2029]/g;

const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** `text` must not contain lone surrogates. */
export const quoted = (text: string): string => `"${ESCAPED.test(text) ? text.replace(ESCAPED_EACH, escaped) : text}"`;

/** Like `quoted`, and also escapes `<`, `>`, `&`, U+2028 and U+2029. */
export const quotedForHtml = (text: string): string =>
  `"${ESCAPED_FOR_HTML.test(text) ? text.replace(ESCAPED_FOR_HTML_EACH, escaped) : text}"`;

const escaped = (character: string): string => SHORT_FORMS.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
