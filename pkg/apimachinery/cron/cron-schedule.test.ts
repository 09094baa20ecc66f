import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { parseTestSchedule as parse, runsAfter as runs } from '../../../test/support/cron-runs.ts';
import { CronError } from './cron-field.ts';

const wrongIn = (text: string): string => {
  try {
    return JSON.stringify(parse(text));
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
};

describe('cron schedules', () => {
  it.each([
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['60/5 * * * *', 'beginning of range (60) beyond end of range (59): 60/5'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * xyz *', 'failed to parse int from xyz: strconv.Atoi: parsing "xyz": invalid syntax'],
    ['* * * * 5-2', 'beginning of range (5) beyond end of range (2): 5-2'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
    [
      '*/9223372036854775808 * * * *',
      'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    [
      `${'7'.repeat(1100)} * * * *`,
      `failed to parse int from ${'7'.repeat(1024)}…: strconv.Atoi: parsing "${'7'.repeat(1024)}…": value out of range`,
    ],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every 1h2x3', 'failed to parse duration @every 1h2x3: time: unknown unit "x" in duration "1h2x3"'],
    ['@every -.s', 'failed to parse duration @every -.s: time: invalid duration "-.s"'],
    ['TZ=UTC @every  1h', 'failed to parse duration @every  1h: time: invalid duration " 1h"'],
    ['TZ=UTC', 'nothing follows the time zone'],
    ['TZ=Nowhere * * * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
    ['TZ=UTC\t* * * * *', 'provided bad location UTC\t*: unknown time zone UTC\t*'],
  ])('rejects %j: %s', (text, message) => expect(wrongIn(text)).toBe(message));

  it.each(['* * * * sUn', '* * * dec *', '0\u00a00\u3000*\u0085* *', '*/9223372036854775807 * * * *', 'TZ=Local @daily', '*-5-x * * * *'])(
    'accept %j',
    (text) => expect(parse(text)).toBeDefined(),
  );

  it('with commas only never match', () => expect(runs(', * * * *', '2026-03-14T15:09:26Z', 1)).toEqual([]));

  it('on a day that no year has never match', () => expect(runs('0 0 30 2 *', '2026-03-14T15:09:26Z', 1)).toEqual([]));

  it('find a leap day years ahead', () => expect(runs('0 0 29 2 *', '2026-03-14T15:09:26Z', 1)).toEqual(['2028-02-29T00:00:00Z']));

  it('handle a day without midnight because of daylight saving time', () =>
    expect(runs('30 1 * * *', '2018-11-03T12:00:00Z', 2, 'America/Sao_Paulo')).toEqual(['2018-11-04T03:30:00Z', '2018-11-05T03:30:00Z']));

  it('skip an hour that daylight saving time skips', () =>
    expect(runs('30 2 * * *', '2026-03-28T12:00:00Z', 1, 'Europe/Rome')).toEqual(['2026-03-30T00:30:00Z']));

  it('parse a megabyte of any form in linear time', () => {
    // CPU time, because other tests run in parallel.
    const started = process.cpuUsage();
    parse(`${Array<string>(100_000).fill('0-59/1').join(',')} * * * *`);
    parse(`${Array.from({ length: 100_000 }, (_, index) => `0-59/${index + 1}`).join(',')} * * * *`);
    for (const piece of ['9', '*', ',', '-', '/', ' ', '@', '1,', 'TZ=', '\u00a0']) wrongIn(piece.repeat(1_000_000 / piece.length));
    for (const piece of ['9', '1h', ' ', '.']) wrongIn(`@every ${piece.repeat(1_000_000 / piece.length)}`);
    wrongIn(`TZ=UTC ${' '.repeat(1_000_000)}x`);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
  });
});
