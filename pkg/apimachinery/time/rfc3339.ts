/** RFC 3339 times as in Kubernetes: `Time` in whole seconds, `MicroTime` with six fractional digits, both in UTC. */

/** Go's zero time. It counts as absent and is written as `null`. */
const ZERO_TIME = '0001-01-01T00:00:00Z';
const ZERO_SECONDS = -62_135_596_800;

// Like Go's parser, accepts hours of one digit, a decimal comma, and offsets up to 24:60.
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const MAX_OFFSET_HOUR = 24;
const MAX_OFFSET_MINUTE = 60;
/** Years 0 to 9999 in UTC; other years could not be written. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;
const CANONICAL_LENGTH = ZERO_TIME.length;
const MICRO_DIGITS = 6;
const NANO_DIGITS = 9;
const NANOS_PER_MICRO = 1000;
const SECOND_MS = 1000;

interface Instant {
  /** Whole seconds since the epoch, rounded down. */
  readonly seconds: number;
  /** Fractional digits as written, possibly empty. */
  readonly fraction: string;
}

/** Undefined if `text` is not an existing RFC 3339 time, or its year in UTC does not have four digits. */
function parseRfc3339(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour ?? 0) > MAX_OFFSET_HOUR || Number(offsetMinute ?? 0) > MAX_OFFSET_MINUTE) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A date that does not exist overflows to another one.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60 * (sign === '-' ? -1 : 1);
  const seconds = date.getTime() / SECOND_MS + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return seconds < FIRST_SECOND || seconds > LAST_SECOND ? undefined : { seconds, fraction: fraction ?? '' };
}

export const isTime = (text: string): boolean => parseRfc3339(text) !== undefined;

/** Kubernetes accepts a MicroTime only with exactly six digits. */
export const isMicroTime = (text: string): boolean => parseRfc3339(text)?.fraction.length === MICRO_DIGITS;

/** Matches most canonical times: years 1000 to 2999, days that every month has. Parsing takes ten times as long. */
const CANONICAL_FAST_PATH = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** The canonical text; `null` for the zero time; undefined if `text` is not a time. */
export function normalizeTime(text: string): string | null | undefined {
  if (CANONICAL_FAST_PATH.test(text)) return text;
  const instant = parseRfc3339(text);
  if (instant === undefined) return undefined;
  const canonical = text.length === CANONICAL_LENGTH ? text : formatSeconds(instant.seconds);
  return canonical === ZERO_TIME && instant.fraction.replaceAll('0', '') === '' ? null : canonical;
}

/** The same for a MicroTime. Accepts any number of digits, so that a value once accepted can always be written. */
export function normalizeMicroTime(text: string): string | null | undefined {
  const instant = parseRfc3339(text);
  if (instant === undefined) return undefined;
  const whole = formatSeconds(instant.seconds);
  const digits = instant.fraction.slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, '0');
  return whole === ZERO_TIME && instant.fraction.replaceAll('0', '') === '' ? null : `${whole.slice(0, -1)}.${digits}Z`;
}

const formatSeconds = (seconds: number): string => `${new Date(seconds * SECOND_MS).toISOString().slice(0, CANONICAL_LENGTH - 1)}Z`;

/** A time as in protobuf. */
export interface Timestamp {
  /** Since the epoch, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

/** Undefined if `text` is not a time. Truncates to nanoseconds. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = parseRfc3339(text);
  if (instant === undefined) return undefined;
  const { seconds, fraction } = instant;
  return { seconds, nanos: fraction === '' ? 0 : Number(fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, '0')) };
}

/** Go's zero time, which counts as absent. */
export const isZeroTime = ({ seconds, nanos }: Timestamp): boolean => seconds === ZERO_SECONDS && nanos === 0;

/** As a Time, without fraction; `null` for the zero time; undefined if the year does not have four digits. */
export function timeOf({ seconds }: Timestamp): string | null | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return seconds === ZERO_SECONDS ? null : formatSeconds(seconds);
}

/** As a MicroTime, truncated to six digits. */
export function microTimeOf({ seconds, nanos }: Timestamp): string | null | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  const micros = Math.floor(nanos / NANOS_PER_MICRO);
  if (micros === 0 && seconds === ZERO_SECONDS) return null;
  return `${formatSeconds(seconds).slice(0, -1)}.${String(micros).padStart(MICRO_DIGITS, '0')}Z`;
}

/** `ms` since the epoch as a Time, rounded down. Clients compare it as text, and a Time has no fraction. */
export const toRfc3339Seconds = (ms: number): string => formatSeconds(Math.floor(ms / SECOND_MS));

/** `ms` since the epoch as a MicroTime. */
export const toRfc3339Micros = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
