/** One of the five fields of a cron schedule: which values it lets through. */

export interface FieldBounds {
  /** How errors call it. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Words for values, in lower case. */
  readonly names?: Readonly<Record<string, number>>;
}

const named = (first: number, words: string): Readonly<Record<string, number>> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, first + index]));

export const MINUTE: FieldBounds = { name: 'minute', min: 0, max: 59 };
export const HOUR: FieldBounds = { name: 'hour', min: 0, max: 23 };
export const DAY_OF_MONTH: FieldBounds = { name: 'day of month', min: 1, max: 31 };
export const MONTH: FieldBounds = { name: 'month', min: 1, max: 12, names: named(1, 'jan feb mar apr may jun jul aug sep oct nov dec') };
/** Sunday is 0, and not 7 as well. */
export const DAY_OF_WEEK: FieldBounds = { name: 'day of week', min: 0, max: 6, names: named(0, 'sun mon tue wed thu fri sat') };

export interface CronField {
  /** By value: 1 for those that match. */
  readonly matches: Uint8Array;
  readonly isEmpty: boolean;
  /** Some part is `*` or `?` without a step above 1. Of the two fields for days, one that is not decides alone. */
  readonly isStar: boolean;
}

/** What is wrong with a schedule, in one clause. */
export class CronError extends Error {}

/** Of Go's words, which have 64 bits: no number reaches it. Those nearby have as many digits and are the same double. */
const LIMIT = 2 ** 63;
const DIGITS_OF_LIMIT = 19;
const INTEGER = /^[+-]?\d+$/;
const SHOWN_LENGTH = 40;

/** Parts between commas; empty ones count for nothing, so `,` lets nothing through. Throws CronError. Linear in the length of the text. */
export function parseCronField(text: string, bounds: FieldBounds): CronField {
  const matches = new Uint8Array(bounds.max + 1);
  // Most fields are one part. A list may have a million, so each is looked at once.
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

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

/** `*`, `n`, `a-b`, and each with `/step`. */
function parseRange(part: string, bounds: FieldBounds): Range {
  const [range, stepText] = cutOnce(part, '/', bounds, part);
  const step = stepText === undefined ? 1 : parseInteger(stepText, part, bounds);
  if (step === 0) throw wrong(bounds, part, 'has a step of 0');
  // What follows the hyphen of `*-5` was never looked at.
  if (isAny(range)) return { start: bounds.min, end: bounds.max, step, isStar: step === 1 };
  const [low, high] = cutOnce(range, '-', bounds, part);
  const start = parseValue(low, part, bounds);
  if (start < bounds.min) throw wrong(bounds, part, `is below ${bounds.min}`);
  if (start > bounds.max) throw wrong(bounds, part, `is above ${bounds.max}`);
  // `n/step` goes on to the end.
  const last = stepText === undefined ? start : bounds.max;
  const end = high === undefined ? last : parseValue(high, part, bounds);
  if (end > bounds.max) throw wrong(bounds, part, `is above ${bounds.max}`);
  if (end < start) throw wrong(bounds, part, 'ends before it begins');
  return { start, end, step, isStar: false };
}

const isAny = (range: string): boolean => (range.startsWith('*') || range.startsWith('?')) && (range.length === 1 || range[1] === '-');

/** What stands before and behind a separator, which may be missing. */
function cutOnce(text: string, separator: '/' | '-', bounds: FieldBounds, part: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  if (at < 0) return [text, undefined];
  if (text.includes(separator, at + 1)) throw wrong(bounds, part, `has more than one "${separator}"`);
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
  if (!INTEGER.test(text)) throw wrong(bounds, part, 'is not a number');
  const value = Number(text);
  if (value < 0) throw wrong(bounds, part, 'is negative');
  if (value > LIMIT || (value === LIMIT && BigInt(text.slice(-DIGITS_OF_LIMIT)) >= LIMIT)) throw wrong(bounds, part, 'is out of range');
  return value;
}

const wrong = ({ name }: FieldBounds, part: string, what: string) =>
  new CronError(`${name}: ${JSON.stringify(part.length > SHOWN_LENGTH ? `${part.slice(0, SHOWN_LENGTH)}…` : part)} ${what}`);
