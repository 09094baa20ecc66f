/**
 * Writes a string as a YAML scalar that readers of every YAML version read as the same string: plain if unambiguous, in
 * double quotes if it looks like another type or needs escapes, else in single quotes.
 */
import { resolvePlain } from './plain-scalar.ts';

/** Characters that need escapes: controls, line breaks other than \n, byte order marks, non-characters. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const UNPRINTABLE_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const ESCAPED_BY_CODE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Numbers and times of YAML 1.1 and 1.2, including base 60 and underscores. */
const NUMBER =
  /^[-+]?(?:0[bB][01_]+|0[oO]?[0-7_]+|0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;
const TIME = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s]|$)/;
/** Not a number, but some YAML 1.1 readers read it as one. */
const BARE_EXPONENT = /^[-+]?[eE][-+]?[0-9]+$/;
const STARTS_LIKE_NUMBER = /^[-+.0-9eE]/;

function looksLikeOtherType(text: string): boolean {
  if (STARTS_LIKE_NUMBER.test(text) && (NUMBER.test(text) || TIME.test(text) || BARE_EXPONENT.test(text))) return true;
  return text === '=' || text === '<<' || resolvePlain(text) !== undefined;
}

/** Cannot start a plain scalar, or would be read as a document marker, a comment or a key. */
const NOT_PLAIN = /^[?:,[\]{}#&*!|>'"%@`\s]|^-(?:\s|$)|^(?:---|\.\.\.)|:(?:\s|$)|\s#|\s$/;

/** Covers most strings in objects; only words such as `true` need quotes. */
const SIMPLE = /^[A-Za-z/_][A-Za-z0-9/_.-]*$/;

/** Always a single line. */
export function quoteScalar(text: string): string {
  if (SIMPLE.test(text)) return looksLikeOtherType(text) ? doubleQuoted(text) : text;
  if (UNPRINTABLE.test(text) || looksLikeOtherType(text)) return doubleQuoted(text);
  if (NOT_PLAIN.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Lone surrogates are replaced: UTF-8 cannot encode them, and not every reader accepts an escape. */
const doubleQuoted = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(ESCAPED_BY_CODE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The header of a literal block (`|`, `|-`, `|+`). Undefined for a single line or if a block would alter the text. */
export function literalHeader(text: string): string | undefined {
  if (!text.includes('\n') || UNPRINTABLE_BUT_NEWLINE.test(text) || /^\s|[ ](?:\n|$)/.test(text)) return undefined;
  if (!text.endsWith('\n')) return '|-';
  return text.endsWith('\n\n') ? '|+' : '|';
}
