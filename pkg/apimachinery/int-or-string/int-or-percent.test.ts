import { describe, expect, it } from '@jest/globals';
import { checkPercent, parsePercent, scaledValue } from './int-or-percent.ts';

describe('An integer or percentage', () => {
  it.each([
    ['0%', 0],
    ['007%', 7],
    ['101%', 101],
    [`${'9'.repeat(400)}%`, Infinity],
    ['5', undefined],
    ['', undefined],
    ['-1%', undefined],
    ['1%\n', undefined],
    ['١%', undefined],
  ])('%j is a percentage of %p', (text, percent) => {
    expect(parsePercent(text)).toBe(percent);
  });

  it('is undefined beyond exact integers', () => {
    expect(scaledValue(`${'9'.repeat(17)}%`, 10, 'up')).toBeUndefined();
  });

  it('is read in linear time', () => {
    const started = performance.now();
    for (const text of [`${'9'.repeat(1_000_000)}x`, `${'0'.repeat(1_000_000)}%`]) {
      checkPercent(text);
      scaledValue(text, 1, 'up');
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
