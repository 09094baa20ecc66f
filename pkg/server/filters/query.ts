/** The query string, parsed once. Unknown parameters are ignored; the first of several values counts by default. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';

export interface Query {
  /** The first value; undefined when absent. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
}

const EMPTY: Query = { first: () => undefined, all: () => [] };

export function parseQuery(text: string): Query {
  if (text === '') return EMPTY;
  const parameters = new URLSearchParams(text);
  return { first: (name) => parameters.get(name) ?? undefined, all: (name) => parameters.getAll(name) };
}

/** Undefined when absent. `0` and `false` in any case are false; anything else is true, including an empty value. */
export function booleanOf(query: Query, name: string): boolean | undefined {
  const value = query.first(name);
  if (value === undefined) return undefined;
  return value !== '0' && value.toLowerCase() !== 'false';
}

const INTEGER = /^[+-]?[0-9]+$/;
const DIGITS = /^[0-9]+$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Why the text is no number, in the words of Go's parser. */
export const numberError = (parser: 'ParseInt' | 'ParseUint', text: string): string =>
  `strconv.${parser}: parsing ${quotedText(text)}: ${(parser === 'ParseInt' ? INTEGER : DIGITS).test(text) ? 'value out of range' : 'invalid syntax'}`;

/** Undefined when absent. Throws BadRequest unless it is an int64. */
export function integerOf(query: Query, name: string): number | undefined {
  const value = query.first(name);
  if (value === undefined) return undefined;
  if (!INTEGER.test(value)) throw badRequest(numberError('ParseInt', value));
  const exact = BigInt(value.startsWith('+') ? value.slice(1) : value);
  if (exact > INT64_MAX || exact < INT64_MIN) throw badRequest(numberError('ParseInt', value));
  return Number(exact);
}
