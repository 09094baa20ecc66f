import { describe, expect, it } from '@jest/globals';
import { toRfc3339Micros, toRfc3339Seconds } from './rfc3339.ts';

describe('RFC 3339 times', () => {
  it('formats the clock', () => {
    expect(toRfc3339Seconds(1773500966999)).toBe('2026-03-14T15:09:26Z');
    expect(toRfc3339Micros(1773500966999)).toBe('2026-03-14T15:09:26.999000Z');
    expect(toRfc3339Seconds(-1500)).toBe('1969-12-31T23:59:58Z');
  });
});
