/**
 * Parses cron schedules as Kubernetes does: five fields (minute, hour, day of month, month, day of week), a descriptor
 * such as `@hourly`, or `@every` and a duration, with an optional time zone prefix (`TZ=` or `CRON_TZ=`).
 */
import { shownText } from '../status/causes.ts';
import { durationError, parseDuration } from '../time/duration.ts';
import { CronError, type CronField, DAY_OF_MONTH, DAY_OF_WEEK, HOUR, MINUTE, MONTH, parseCronField } from './cron-field.ts';

export type CronSchedule = CronFields | CronInterval;

/** A time matches if all fields match. If both day fields are restricted, one of them is enough. */
export interface CronFields {
  readonly form: 'fields';
  /** The zone of the prefix, possibly empty (UTC) or `Local`. Absent without a prefix. */
  readonly timeZone?: string;
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly dayOfWeek: CronField;
}

/** Whole seconds after the previous time, at least one. */
export interface CronInterval {
  readonly form: 'interval';
  readonly timeZone?: string;
  readonly seconds: number;
}

/** The fields that each descriptor stands for. */
const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';
const SECOND_NS = 1_000_000_000n;

// White space as in Go, which differs from `\s` in two characters.
const BLANK = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const ZONE_PREFIX = /^(?:CRON_)?TZ=/;

/** Throws CronError. `isKnownZone` is not called for an empty zone, `UTC` and `Local`. Runs in linear time. */
export function parseCronSchedule(text: string, isKnownZone: (name: string) => boolean): CronSchedule {
  const prefix = ZONE_PREFIX.exec(text);
  if (prefix === null) return parseWithoutZone(text);
  const blank = text.indexOf(' ');
  if (blank < 0) throw new CronError('nothing follows the time zone');
  const timeZone = text.slice(prefix[0].length, blank);
  if (timeZone !== '' && timeZone !== 'UTC' && timeZone !== 'Local' && !isKnownZone(timeZone)) {
    throw new CronError(`provided bad location ${shownText(timeZone)}: unknown time zone ${shownText(timeZone)}`);
  }
  return { ...parseWithoutZone(trimBlanks(text.slice(blank))), timeZone };
}

function parseWithoutZone(text: string): CronSchedule {
  if (text.startsWith(EVERY)) return parseInterval(text.slice(EVERY.length));
  const fields = text.startsWith('@') ? DESCRIPTORS.get(text) : text;
  if (fields === undefined) throw new CronError(`unrecognized descriptor: ${shownText(text)}`);
  const words = wordsOf(fields);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = words;
  if (
    words.length !== 5 ||
    minute === undefined ||
    hour === undefined ||
    dayOfMonth === undefined ||
    month === undefined ||
    dayOfWeek === undefined
  ) {
    throw new CronError(`expected exactly 5 fields, found ${words.length}: [${shownText(words.join(' '))}]`);
  }
  return {
    form: 'fields',
    minute: parseCronField(minute, MINUTE),
    hour: parseCronField(hour, HOUR),
    dayOfMonth: parseCronField(dayOfMonth, DAY_OF_MONTH),
    month: parseCronField(month, MONTH),
    dayOfWeek: parseCronField(dayOfWeek, DAY_OF_WEEK),
  };
}

const wordsOf = (text: string): readonly string[] => text.split(BLANK).filter((word) => word !== '');

function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start++;
  while (end > start && BLANK.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function parseInterval(text: string): CronInterval {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined) {
    throw new CronError(`failed to parse duration ${EVERY}${shownText(text)}: ${durationError(shownText(text))}`);
  }
  return { form: 'interval', seconds: nanoseconds < SECOND_NS ? 1 : Number(nanoseconds / SECOND_NS) };
}
