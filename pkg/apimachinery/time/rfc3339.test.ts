import { describe, expect, it } from '@jest/globals';
import {
  isMicroTime,
  isTime,
  microTimeOf,
  normalizeMicroTime,
  normalizeTime,
  parseTimestamp,
  timeOf,
  toRfc3339Micros,
  toRfc3339Seconds,
} from './rfc3339.ts';

describe('RFC 3339 times', () => {
  it('format the clock', () => {
    expect(toRfc3339Seconds(1773500966999)).toBe('2026-03-14T15:09:26Z');
    expect(toRfc3339Micros(1773500966999)).toBe('2026-03-14T15:09:26.999000Z');
    expect(toRfc3339Seconds(-1500)).toBe('1969-12-31T23:59:58Z');
  });

  // As Go parses them, which is more than RFC 3339 allows.
  it.each([
    ['2026-03-14T5:09:26Z', '2026-03-14T05:09:26Z'],
    ['2026-03-14T15:09:26,5Z', '2026-03-14T15:09:26Z'],
    ['2026-03-14T15:09:26+24:60', '2026-03-13T14:09:26Z'],
    ['0000-01-01T01:30:00+01:30', '0000-01-01T00:00:00Z'],
    ['9999-12-31T22:59:59-01:00', '9999-12-31T23:59:59Z'],
  ])('parse %s', (text, canonical) => expect(normalizeTime(text)).toBe(canonical));

  it.each([
    ['2026-03-14T5:09:26.123456Z', '2026-03-14T05:09:26.123456Z'],
    ['2026-03-14T15:09:26,123456Z', '2026-03-14T15:09:26.123456Z'],
  ])('parse %s with microseconds', (text, canonical) => expect([isMicroTime(text), normalizeMicroTime(text)]).toEqual([true, canonical]));

  it.each([
    '2026-03-14T15:9:26Z',
    '2026-03-14T15:09:26+25:00',
    '2026-03-14T15:09:26+01:61',
    '2026-03-14T24:00:00Z',
    '2026-02-29T00:00:00Z',
  ])('reject %s', (text) => expect(isTime(text)).toBe(false));

  it.each(['0000-01-01T00:00:00+01:30', '9999-12-31T23:59:59-01:00'])('reject %s, whose year in UTC does not have four digits', (text) =>
    expect([isTime(text), normalizeTime(text), normalizeMicroTime(text)]).toEqual([false, undefined, undefined]),
  );
});

describe('timestamps', () => {
  it.each([
    ['2026-03-14T15:09:26Z', { seconds: 1773500966, nanos: 0 }],
    ['2026-03-14T16:09:26.5+01:00', { seconds: 1773500966, nanos: 500_000_000 }],
    ['1969-12-31T23:59:58.9999999999Z', { seconds: -2, nanos: 999_999_999 }],
    ['2026-02-29T00:00:00Z', undefined],
  ])('are parsed from %s', (text, timestamp) => expect(parseTimestamp(text)).toEqual(timestamp));

  it.each([
    [{ seconds: 1773500966, nanos: 999_999_999 }, '2026-03-14T15:09:26Z', '2026-03-14T15:09:26.999999Z'],
    [{ seconds: -2, nanos: 1000 }, '1969-12-31T23:59:58Z', '1969-12-31T23:59:58.000001Z'],
    [{ seconds: -62_135_596_800, nanos: 0 }, null, null],
    [{ seconds: -62_135_596_800, nanos: 999 }, null, null],
    [{ seconds: -62_135_596_800, nanos: 1000 }, null, '0001-01-01T00:00:00.000001Z'],
    [{ seconds: 253_402_300_799, nanos: 0 }, '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
    [{ seconds: 253_402_300_800, nanos: 0 }, undefined, undefined],
    [{ seconds: -62_167_219_201, nanos: 0 }, undefined, undefined],
  ])('are formatted: %j', (timestamp, time, microTime) => expect([timeOf(timestamp), microTimeOf(timestamp)]).toEqual([time, microTime]));
});
