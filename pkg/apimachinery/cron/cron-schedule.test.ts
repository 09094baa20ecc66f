import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { toRfc3339Seconds } from '../time/rfc3339.ts';
import { CronError } from './cron-field.ts';
import { parseCronSchedule } from './cron-schedule.ts';
import { nextRun, type ZoneOffset } from './next-run.ts';

interface CronVector {
  readonly name: string;
  readonly schedule: string;
  readonly expectedValid: boolean;
  readonly after?: string;
  readonly expectedNext?: readonly string[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/cron-schedule.json', import.meta.url), 'utf8'),
) as readonly CronVector[];

const ZONES: readonly string[] = ['Europe/Rome', 'America/New_York', 'America/Sao_Paulo'];
const parse = (text: string) => parseCronSchedule(text, (name) => ZONES.includes(name));
const wrongIn = (text: string): string => {
  try {
    return JSON.stringify(parse(text));
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
};

/** What the runtime knows of a zone; the server itself never asks it. */
function offsetOf(timeZone = 'UTC'): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timeZone === '' ? 'UTC' : timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const shown = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(shown) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  };
}

function runs(text: string, after: string, count: number, timeZone?: string): readonly string[] {
  const schedule = parse(text);
  const offset = offsetOf(timeZone ?? schedule.timeZone);
  const found: string[] = [];
  for (let at = nextRun(schedule, Date.parse(after), offset); at !== undefined && found.length < count;) {
    found.push(toRfc3339Seconds(at));
    at = nextRun(schedule, at, offset);
  }
  return found;
}

describe('cron schedules', () => {
  for (const { name, schedule, expectedValid, after, expectedNext } of vectors) {
    it(name, () => {
      if (!expectedValid) {
        expect(() => parse(schedule)).toThrow(CronError);
      } else if (after !== undefined && expectedNext !== undefined) {
        expect(runs(schedule, after, expectedNext.length)).toEqual(expectedNext);
      } else {
        parse(schedule);
      }
    });
  }

  it.each([
    ['60 * * * *', 'minute: "60" is above 59'],
    ['60/5 * * * *', 'minute: "60/5" is above 59'],
    ['* * 0 * *', 'day of month: "0" is below 1'],
    ['* * * xyz *', 'month: "xyz" is not a number'],
    ['* * * * 5-2', 'day of week: "5-2" ends before it begins'],
    ['1/2/3 * * * *', 'minute: "1/2/3" has more than one slash'],
    ['1-2-3 * * * *', 'minute: "1-2-3" has more than one hyphen'],
    ['*/0 * * * *', 'minute: "*/0" has a step of 0'],
    ['*/-1 * * * *', 'minute: "*/-1" is negative'],
    ['*/99999999999999999999 * * * *', 'minute: "*/99999999999999999999" is out of range'],
    [`${'7'.repeat(50)} * * * *`, `minute: "${'7'.repeat(40)}…" is out of range`],
    ['* * * *', 'expected exactly 5 fields, found 4'],
    ['@never', 'unknown word; use @yearly, @monthly, @weekly, @daily, @hourly or @every <duration>'],
    ['@every day', 'no duration follows @every'],
    ['TZ=UTC @every  1h', 'no duration follows @every'],
    ['TZ=UTC', 'nothing follows the time zone'],
    ['TZ=Nowhere * * * * *', 'unknown time zone'],
    ['TZ=UTC\t* * * * *', 'unknown time zone'],
  ])('says of %j: %s', (text, message) => expect(wrongIn(text)).toBe(message));

  it.each(['* * * * sUn', '* * * dec *', '0\u00a00\u3000*\u0085* *', '*/9223372036854775807 * * * *', 'TZ=Local @daily', '*-5-x * * * *'])(
    'takes %j',
    (text) => expect(parse(text)).toBeDefined(),
  );

  it('reads a part of commas alone as nothing, which is never due', () => expect(runs(', * * * *', '2026-03-14T15:09:26Z', 1)).toEqual([]));

  it('is never due on a day that no year has', () => expect(runs('0 0 30 2 *', '2026-03-14T15:09:26Z', 1)).toEqual([]));

  it('finds a leap day years ahead', () => expect(runs('0 0 29 2 *', '2026-03-14T15:09:26Z', 1)).toEqual(['2028-02-29T00:00:00Z']));

  it('goes over a day whose midnight the clocks skip', () =>
    expect(runs('30 1 * * *', '2018-11-03T12:00:00Z', 2, 'America/Sao_Paulo')).toEqual(['2018-11-04T03:30:00Z', '2018-11-05T03:30:00Z']));

  it('skips an hour that the clocks skip', () =>
    expect(runs('30 2 * * *', '2026-03-28T12:00:00Z', 1, 'Europe/Rome')).toEqual(['2026-03-30T00:30:00Z']));

  it('reads a megabyte of any form in time that grows with its length alone', () => {
    const started = performance.now();
    parse(`${Array<string>(100_000).fill('0-59/1').join(',')} * * * *`);
    for (const piece of ['9', '*', ',', '-', '/', ' ', '@', '1,', 'TZ=', '\u00a0']) wrongIn(piece.repeat(1_000_000 / piece.length));
    for (const piece of ['9', '1h', ' ', '.']) wrongIn(`@every ${piece.repeat(1_000_000 / piece.length)}`);
    wrongIn(`TZ=UTC ${' '.repeat(1_000_000)}x`);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
