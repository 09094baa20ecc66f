import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isMicroTime, isTime, normalizeMicroTime, normalizeTime, toRfc3339Micros, toRfc3339Seconds } from './rfc3339.ts';

interface TimeVector {
  readonly name: string;
  readonly kind?: 'Time' | 'MicroTime';
  readonly inputJSON?: unknown;
  readonly expectedJSON?: string | null;
  readonly expectError?: boolean;
  readonly seconds?: number;
  readonly nanos?: number;
  readonly expectedTime?: string;
  readonly expectedMicroTime?: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/time.json', import.meta.url), 'utf8')) as readonly TimeVector[];

describe('RFC 3339 times', () => {
  for (const { name, kind, inputJSON, expectedJSON, expectError } of vectors) {
    if (kind === undefined || typeof inputJSON !== 'string') continue;
    const [isValid, normalize] = kind === 'Time' ? [isTime, normalizeTime] : [isMicroTime, normalizeMicroTime];
    it(name, () => {
      expect(isValid(inputJSON)).toBe(expectError !== true);
      if (expectError !== true) expect(normalize(inputJSON)).toBe(expectedJSON);
    });
  }
  for (const { name, seconds, nanos, expectedTime, expectedMicroTime } of vectors) {
    // Milliseconds are what the clock gives.
    if (seconds === undefined || nanos === undefined || nanos % 1e6 !== 0) continue;
    it(name, () => {
      expect(toRfc3339Seconds(seconds * 1e3 + nanos / 1e6)).toBe(expectedTime);
      expect(toRfc3339Micros(seconds * 1e3 + nanos / 1e6)).toBe(expectedMicroTime);
    });
  }
  it('formats the clock', () => {
    expect(toRfc3339Seconds(1773500966999)).toBe('2026-03-14T15:09:26Z');
    expect(toRfc3339Micros(1773500966999)).toBe('2026-03-14T15:09:26.999000Z');
    expect(toRfc3339Seconds(-1500)).toBe('1969-12-31T23:59:58Z');
  });
});
