import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { formatDuration, isDuration, parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['+0', 0n],
    ['-0', 0n],
    ['0.000000001s', 1n],
    ['0.0000000019s', 1n],
    ['-2562047h47m16.854775808s', -(2n ** 63n)],
    ['000000000000000000000000000001s', 1_000_000_000n],
    [`1.${'0'.repeat(40)}9h`, 3_600_000_000_000n],
  ])('parses %s', (text, nanoseconds) => expect(parseDuration(text)).toBe(nanoseconds));

  it.each([
    '2562047h47m16.854775808s',
    '9223372036854775808ns',
    '99999999999999999999999h',
    '.s',
    '1',
    '00',
    '1x',
    '1.5.5s',
    's',
    '-',
    '1h-1m',
  ])('rejects %s', (text) => expect(isDuration(text)).toBe(false));

  it.each([
    [0n, '0s'],
    [1_100n, '1.1µs'],
    [2_200_000n, '2.2ms'],
    [3_300_000_000n, '3.3s'],
    [245_000_000_000n, '4m5s'],
    [18_306_000_000_000n, '5h5m6s'],
    [-(2n ** 63n), '-2562047h47m16.854775808s'],
  ])('formats %s ns as %s', (nanoseconds, text) => expect(formatDuration(nanoseconds)).toBe(text));

  it('parses a megabyte of either form in linear time', () => {
    // CPU time, because other tests run in parallel.
    const started = process.cpuUsage();
    expect(parseDuration('1ns'.repeat(350_000))).toBe(350_000n);
    expect(parseDuration('9'.repeat(1_000_000))).toBeUndefined();
    expect(parseDuration(`0.${'9'.repeat(1_000_000)}s`)).toBe(1_000_000_000n);
    expect(parseDuration('h'.repeat(1_000_000))).toBeUndefined();
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});
