/** Durations as Go parses and formats them (`1h30m0s`): 64-bit nanoseconds, at most 292 years in either direction. */
import { quotedText } from '../status/quoted-text.ts';

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // The micro sign, and the Greek letter that looks the same.
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const MICROSECOND = 1_000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n;

const MAX = 2n ** 63n - 1n;
const MAX_DIGITS = 19;
/** Further digits of a fraction have no effect: a nanosecond is the 13th digit of an hour. */
const MAX_FRACTION_DIGITS = 18;

/** One number with its unit, at the current position. Unambiguous, so matching is linear. */
const PART = /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/y;

/** The same for a text that may have any units. */
const LOOSE_PART = /(\d*(?:\.\d*)?)([^.\d]*)/y;

/** Nanoseconds; undefined if `text` is not a duration or does not fit 64 bits. Linear in the length of the text. */
export function parseDuration(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const magnitude = parseMagnitude(isNegative || text.startsWith('+') ? text.slice(1) : text);
  if (magnitude === undefined) return undefined;
  if (isNegative) return -magnitude;
  return magnitude <= MAX ? magnitude : undefined;
}

/** Why `parseDuration` returns undefined, in Go's words. Linear in the length of the text. */
export function durationError(text: string): string {
  LOOSE_PART.lastIndex = /^[+-]/.test(text) ? 1 : 0;
  while (LOOSE_PART.lastIndex < text.length) {
    const [, number = '', unit = ''] = LOOSE_PART.exec(text) ?? [];
    if (!/\d/.test(number)) break;
    if (unit === '') return `time: missing unit in duration ${quotedText(text)}`;
    if (!Object.hasOwn(UNITS, unit)) return `time: unknown unit ${quotedText(unit)} in duration ${quotedText(text)}`;
  }
  return `time: invalid duration ${quotedText(text)}`;
}

export const isDuration = (text: string): boolean => parseDuration(text) !== undefined;

/** The absolute value. May exceed the maximum by one, since the lowest duration has no positive counterpart. */
function parseMagnitude(text: string): bigint | undefined {
  if (text === '0') return 0n;
  if (text === '') return undefined;
  let sum = 0n;
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, whole = '', fraction, unit = ''] = PART.exec(text) ?? [];
    const nanoseconds = UNITS[unit];
    if (nanoseconds === undefined || (whole === '' && (fraction ?? '') === '')) return undefined;
    const part = partOf(whole, fraction ?? '', nanoseconds);
    if (part === undefined) return undefined;
    sum += part;
    if (sum > MAX + 1n) return undefined;
  }
  return sum;
}

function partOf(whole: string, fraction: string, unit: bigint): bigint | undefined {
  const digits = withoutLeadingZeros(whole);
  if (digits.length > MAX_DIGITS) return undefined;
  const nanoseconds = BigInt(digits) * unit;
  if (fraction === '') return nanoseconds;
  const counted = fraction.slice(0, MAX_FRACTION_DIGITS);
  // In doubles, like Go, so that the last nanosecond of a long fraction is the same.
  return nanoseconds + BigInt(Math.trunc(Number(counted) * (Number(unit) / 10 ** counted.length)));
}

const withoutLeadingZeros = (digits: string): string => digits.slice(digits.search(/[^0]|$/));

/** The canonical text: the largest unit below a second, otherwise hours, minutes and seconds; `0s` for zero. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds < MICROSECOND) return `${nanoseconds}ns`;
  if (nanoseconds < MILLISECOND) return `${decimal(nanoseconds, MICROSECOND)}\u00b5s`;
  if (nanoseconds < SECOND) return `${decimal(nanoseconds, MILLISECOND)}ms`;
  const minutes = nanoseconds / (SECOND * MINUTE);
  const seconds = `${decimal(nanoseconds % (SECOND * MINUTE), SECOND)}s`;
  if (minutes === 0n) return seconds;
  return minutes < MINUTE ? `${minutes}m${seconds}` : `${minutes / MINUTE}h${minutes % MINUTE}m${seconds}`;
}

/** `value` in units, with as many decimals as needed. */
function decimal(value: bigint, unit: bigint): string {
  const remainder = value % unit;
  if (remainder === 0n) return String(value / unit);
  return `${value / unit}.${String(remainder)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '')}`;
}
