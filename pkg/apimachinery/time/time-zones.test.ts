import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeZoneNames } from './time-zone-names.ts';
import { createTimeZones } from './time-zones.ts';

describe('time zones', () => {
  let folder = '';
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'time-zones-'));
    mkdirSync(path.join(folder, 'empty'));
    for (const name of ['UTC', 'Europe/Rome', 'Etc/GMT+5', 'Odd/-dash', 'Odd/a.b']) put(`database/${name}`, 'TZif2…');
    put('database/zone1970.tab', '# table');
    put('database/Europe/Notes', 'words');
    put('database/Short', 'TZ');
    put('secret', 'TZif2…');
    symlinkSync('Rome', path.join(folder, 'database/Europe/Vatican'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const zones = () => createTimeZones({ folders: ['missing', 'empty', 'database'].map((name) => path.join(folder, name)) });

  it.each(['UTC', 'Europe/Rome', 'Europe/Vatican', 'Etc/GMT+5'])('know %s', (name) => {
    const { isKnown } = zones();
    expect([isKnown(name), isKnown(name)]).toEqual([true, true]);
  });

  it.each([
    'europe/rome',
    'EUROPE/ROME',
    'utc',
    'Europe',
    'Europe/',
    '/Europe/Rome',
    'Europe//Rome',
    './UTC',
    '../secret',
    'Europe/../../secret',
    'Odd/-dash',
    'Odd/a.b',
    'zone1970.tab',
    'Europe/Notes',
    'Short',
    'Europe/Rome/x',
    'Europe\\Rome',
    'UTC\0',
    'UTC ',
    '',
  ])('do not include %j', (name) => expect(zones().isKnown(name)).toBe(false));

  it('do not include overlong names', () => {
    const { isKnown } = zones();
    expect(['a/'.repeat(500_000), 'A'.repeat(200), 'A'.repeat(1_000_000)].filter(isKnown)).toEqual([]);
  });

  it('come from the bundled list if there is no database', () => {
    const { isKnown } = createTimeZones({ folders: [path.join(folder, 'empty')] });
    const asked = ['UTC', 'Europe/Rome', 'US/Pacific', 'Etc/GMT+5', 'europe/rome', 'Local', 'Europe'];
    expect(asked.filter(isKnown)).toEqual(['UTC', 'Europe/Rome', 'US/Pacific', 'Etc/GMT+5']);
  });

  it('in the bundled list have safe names, hundreds of them', () => {
    const names = [...timeZoneNames()];
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name))).toEqual([]);
  });

  it('are found in a database that is installed later', () => {
    const later = path.join(folder, 'later');
    const { isKnown } = createTimeZones({ folders: [later] });
    expect(isKnown('Moon/Base')).toBe(false);
    put('later/UTC', 'TZif2…');
    put('later/Moon/Base', 'TZif2…');
    expect([isKnown('Moon/Base'), isKnown('Europe/Rome')]).toEqual([true, false]);
  });
});
