/** One of the five fields of a cron schedule. */

export interface FieldBounds {
  /** The name in error messages. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of values, in lower case. */
  readonly names?: Readonly<Record<string, number>>;
}

const named = (first: number, words: string): Readonly<Record<string, number>> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, first + index]));

export const MINUTE: FieldBounds = { name: 'minute', min: 0, max: 59 };
export const HOUR: FieldBounds = { name: 'hour', min: 0, max: 23 };
export const DAY_OF_MONTH: FieldBounds = { name: 'day of month', min: 1, max: 31 };
export const MONTH: FieldBounds = { name: 'month', min: 1, max: 12, names: named(1, 'jan feb mar apr may jun jul aug sep oct nov dec') };
/** Sunday is 0 only, not also 7. */
export const DAY_OF_WEEK: FieldBounds = { name: 'day of week', min: 0, max: 6, names: named(0, 'sun mon tue wed thu fri sat') };

export interface CronField {
  /** Indexed by value: 1 if it matches. */
  readonly matches: Uint8Array;
  readonly isEmpty: boolean;
  /** A part is `*` or `?` with step 1. If exactly one of the two day fields is a star, the other one decides alone. */
  readonly isStar: boolean;
}

/** The message is a clause about the schedule. */
export class CronError extends Error {}

/** The limit of Go's 64-bit integers. Numbers near it have the same number of digits and the same double. */
const INT64_LIMIT = 2 ** 63;
const INT64_LIMIT_DIGITS = 19;
const INTEGER = /^[+-]?\d+$/;
const MAX_QUOTED_LENGTH = 40;

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
function parseRange(part: string, bounds: FieldBounds) {
  const [range, stepText] = splitOnce(part, '/', bounds, part);
  const step = stepText === undefined ? 1 : parseInteger(stepText, part, bounds);
  if (step === 0) throw fieldError(bounds, part, 'has a step of 0');
  // Kubernetes ignores what follows the hyphen of `*-5`.
  if (isWildcard(range)) return { start: bounds.min, end: bounds.max, step, isStar: step === 1 };
  const [low, high] = splitOnce(range, '-', bounds, part);
  const start = parseValue(low, part, bounds);
  if (start < bounds.min) throw fieldError(bounds, part, `is below ${bounds.min}`);
  if (start > bounds.max) throw fieldError(bounds, part, `is above ${bounds.max}`);
  // `n/step` extends to the maximum.
  const last = stepText === undefined ? start : bounds.max;
  const end = high === undefined ? last : parseValue(high, part, bounds);
  if (end > bounds.max) throw fieldError(bounds, part, `is above ${bounds.max}`);
  if (end < start) throw fieldError(bounds, part, 'ends before it begins');
  return { start, end, step, isStar: false };
}

const isWildcard = (range: string): boolean => (range.startsWith('*') || range.startsWith('?')) && (range.length === 1 || range[1] === '-');

/** The text before and after a separator, which is optional. */
function splitOnce(text: string, separator: '/' | '-', bounds: FieldBounds, part: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  if (at < 0) return [text, undefined];
  if (text.includes(separator, at + 1)) throw fieldError(bounds, part, `has more than one "${separator}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parseValue(text: string, part: string, bounds: FieldBounds): number {
  const { names } = bounds;
  if (names !== undefined && text.length === 3) {
    const word = text.toLowerCase();
    if (Object.hasOwn(names, word)) return names[word] ?? 0;
  }
  return parseInteger(text, part, bounds);
}

function parseInteger(text: string, part: string, bounds: FieldBounds): number {
  if (!INTEGER.test(text)) throw fieldError(bounds, part, 'is not a number');
  const value = Number(text);
  if (value < 0) throw fieldError(bounds, part, 'is negative');
  if (value > INT64_LIMIT || (value === INT64_LIMIT && BigInt(text.slice(-INT64_LIMIT_DIGITS)) >= INT64_LIMIT))
    throw fieldError(bounds, part, 'is out of range');
  return value;
}

const fieldError = ({ name }: FieldBounds, part: string, what: string) =>
  new CronError(`${name}: ${JSON.stringify(part.length > MAX_QUOTED_LENGTH ? `${part.slice(0, MAX_QUOTED_LENGTH)}…` : part)} ${what}`);
