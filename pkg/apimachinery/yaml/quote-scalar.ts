/**
 * A string as a YAML scalar that every reader takes for the same string, whichever version of YAML it reads: plain
 * where nothing can be misread, in double quotes where it looks like another type or has characters to be escaped, else
 * in single quotes.
 */
import { resolvePlain } from './plain-scalar.ts';

/**
 * All that must not stand in a document as it is: controls, other line breaks than \n, byte order marks,
 * non-characters.
 */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const UNPRINTABLE_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const ESCAPED_BY_CODE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Numbers and times of YAML 1.1 and 1.2, base 60 and underscores included. */
const NUMBER =
  /^[-+]?(?:0[bB][01_]+|0[oO]?[0-7_]+|0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;
const TIME = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s]|$)/;
/** No number, but readers of YAML 1.1 are known that take it for one. */
const BARE_EXPONENT = /^[-+]?[eE][-+]?[0-9]+$/;
const STARTS_LIKE_NUMBER = /^[-+.0-9eE]/;

function looksLikeOtherType(text: string): boolean {
  if (STARTS_LIKE_NUMBER.test(text) && (NUMBER.test(text) || TIME.test(text) || BARE_EXPONENT.test(text))) return true;
  return text === '=' || text === '<<' || resolvePlain(text) !== undefined;
}

/** Cannot begin a plain scalar, or would be read as a mark of the document or as a comment or a key. */
const NOT_PLAIN = /^[?:,[\]{}#&*!|>'"%@`\s]|^-(?:\s|$)|^(?:---|\.\.\.)|:(?:\s|$)|\s#|\s$/;

/** Nearly all that objects hold; only words with a meaning are to be told apart. */
const SIMPLE = /^[A-Za-z/_][A-Za-z0-9/_.-]*$/;

/** On one line. */
export function quoteScalar(text: string): string {
  if (SIMPLE.test(text)) return looksLikeOtherType(text) ? doubleQuoted(text) : text;
  if (UNPRINTABLE.test(text) || looksLikeOtherType(text)) return doubleQuoted(text);
  if (NOT_PLAIN.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Lone surrogates have no form in UTF-8 and no escape that every reader takes. */
const doubleQuoted = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(ESCAPED_BY_CODE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The header of a literal block (`|`, `|-`, `|+`). Undefined: the text has one line, or a block would not give it back
 * exactly.
 */
export function literalHeader(text: string): string | undefined {
  if (!text.includes('\n') || UNPRINTABLE_BUT_NEWLINE.test(text) || /^\s|[ ](?:\n|$)/.test(text)) return undefined;
  if (!text.endsWith('\n')) return '|-';
  return text.endsWith('\n\n') ? '|+' : '|';
}
