/** One of the five fields of a cron schedule. */
import { shownText } from '../status/causes.ts';
import { quotedText } from '../status/quoted-text.ts';

export interface FieldBounds {
  readonly min: number;
  readonly max: number;
  /** Names of values, in lower case. */
  readonly names?: Readonly<Record<string, number>>;
}

const named = (first: number, words: string): Readonly<Record<string, number>> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, first + index]));

export const MINUTE: FieldBounds = { min: 0, max: 59 };
export const HOUR: FieldBounds = { min: 0, max: 23 };
export const DAY_OF_MONTH: FieldBounds = { min: 1, max: 31 };
export const MONTH: FieldBounds = { min: 1, max: 12, names: named(1, 'jan feb mar apr may jun jul aug sep oct nov dec') };
/** Sunday is 0 only, not also 7. */
export const DAY_OF_WEEK: FieldBounds = { min: 0, max: 6, names: named(0, 'sun mon tue wed thu fri sat') };

export interface CronField {
  /** Indexed by value: 1 if it matches. */
  readonly matches: Uint8Array;
  readonly isEmpty: boolean;
  /** A part is `*` or `?` with step 1. If exactly one of the two day fields is a star, the other one decides alone. */
  readonly isStar: boolean;
}

/** The message has the words of the parser that Kubernetes uses. */
export class CronError extends Error {}

/** The limit of Go's 64-bit integers. Numbers near it have the same number of digits and the same double. */
const INT64_LIMIT = 2 ** 63;
const INT64_LIMIT_DIGITS = 19;
const INTEGER = /^[+-]?\d+$/;

/** Parses comma-separated parts; ignores empty ones, so `,` matches nothing. Throws CronError. Runs in linear time. */
export function parseCronField(text: string, bounds: FieldBounds): CronField {
  const matches = new Uint8Array(bounds.max + 1);
  // Most fields have one part. A list may have a million, so duplicates are parsed once.
  const parts = text.includes(',') ? new Set(text.split(',')) : [text];
  let isStar = false;
  let isEmpty = true;
  for (const part of parts) {
    if (part === '') continue;
    const { start, end, step, isStar: isAll } = parseRange(part, bounds);
    for (let value = start; value <= end; value += step) matches[value] = 1;
    isStar ||= isAll;
    isEmpty = false;
  }
  return { matches, isEmpty, isStar };
}

/** `*`, `n` or `a-b`, each with an optional `/step`. */
function parseRange(part: string, { min, max, names }: FieldBounds) {
  const [range = '', stepText, extraStep] = part.split('/', 3);
  const [low = '', high, extraHigh] = range.split('-', 3);
  // Kubernetes ignores what follows the hyphen of `*-5`.
  const isWildcard = low === '*' || low === '?';
  const start = isWildcard ? min : parseValue(low, names);
  if (!isWildcard && extraHigh !== undefined) throw new CronError(`too many hyphens: ${shownText(part)}`);
  const last = isWildcard ? max : high === undefined ? start : parseValue(high, names);
  if (extraStep !== undefined) throw new CronError(`too many slashes: ${shownText(part)}`);
  const step = stepText === undefined ? 1 : parseInteger(stepText);
  // `n/step` extends to the maximum.
  const end = stepText !== undefined && high === undefined ? max : last;
  if (start < min) throw new CronError(`beginning of range (${start}) below minimum (${min}): ${shownText(part)}`);
  if (end > max) throw new CronError(`end of range (${end}) above maximum (${max}): ${shownText(part)}`);
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${shownText(part)}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${shownText(part)}`);
  return { start, end, step, isStar: isWildcard && step === 1 };
}

function parseValue(text: string, names: FieldBounds['names']): number {
  const word = text.length === 3 ? text.toLowerCase() : '';
  return names !== undefined && Object.hasOwn(names, word) ? (names[word] ?? 0) : parseInteger(text);
}

function parseInteger(text: string): number {
  const refusal = (why: string) =>
    new CronError(`failed to parse int from ${shownText(text)}: strconv.Atoi: parsing ${quotedText(shownText(text))}: ${why}`);
  if (!INTEGER.test(text)) throw refusal('invalid syntax');
  const value = Number(text);
  if (Math.abs(value) > INT64_LIMIT || (value === INT64_LIMIT && BigInt(text.slice(-INT64_LIMIT_DIGITS)) >= INT64_LIMIT))
    throw refusal('value out of range');
  if (value < 0) throw new CronError(`negative number (${value}) not allowed: ${shownText(text)}`);
  return value;
}
