/** JSON Pointer (RFC 6901): the path of an operation. */

/** A pointer as sent, and its unescaped reference tokens. Without tokens: the whole document. */
export interface JsonPointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** `undefined` if the text is not empty and has no leading slash. As in Kubernetes, `~` without 0 or 1 is literal. */
export function parsePointer(text: string): JsonPointer | undefined {
  if (text === '') return { text, tokens: [] };
  return text.startsWith('/') ? { text, tokens: text.slice(1).split('/').map(unescapeToken) } : undefined;
}

const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')) : token;

export const formatPointer = (tokens: readonly string[]): string => tokens.map((token) => `/${escapeToken(token)}`).join('');

const escapeToken = (token: string): string => (/[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token);

/**
 * The index of a token in a list of `length`; `undefined` if there is none. Like Kubernetes, accepts more than RFC
 * 6901: leading zeros, a sign, and `-1` for the last element.
 */
export function elementIndex(token: string, length: number): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(token)) return undefined;
  // Turns `-0` into 0.
  const given = Number(token) + 0;
  const index = given < 0 ? given + length : given;
  return index >= 0 && index < length ? index : undefined;
}

/** The index at which to insert into a list of `length`; `-` and `-1` mean the end. `undefined` if out of range. */
export const insertionIndex = (token: string, length: number): number | undefined =>
  token === '-' ? length : elementIndex(token, length + 1);
