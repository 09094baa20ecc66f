import { describe, expect, it } from '@jest/globals';
import { isWholeQuantity, normalizeQuantity, parseQuantity, wholeUnits } from './quantity.ts';

describe('parseQuantity', () => {
  it('parses hostile input in linear time', () => {
    const started = performance.now();
    for (let round = 0; round < 2_000; round++) {
      for (const text of [`${'0'.repeat(250)}x`, `${'1'.repeat(250)}e`, `${'k'.repeat(250)}!`, '1e100', '9e-100']) parseQuantity(text);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
  it('writes large exponents unchanged', () => {
    expect(normalizeQuantity('1e100')).toBe('10e99');
    expect(normalizeQuantity('1e-100')).toBe('1e-9');
    expect(normalizeQuantity('1000E')).toBe('1e21');
    expect(normalizeQuantity('+')).toBe('0');
  });
  it('rejects exponents too large to write out', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined();
  });
});

describe('A quantity in whole units', () => {
  it.each<[string, bigint, boolean]>([
    ['0', 0n, true],
    ['3', 3n, true],
    ['2Mi', 2_097_152n, true],
    ['1000m', 1n, true],
    ['1e3', 1000n, true],
    ['1500m', 2n, false],
    ['1n', 1n, false],
  ])('of %s is %p, exactly: %p', (text, units, isWhole) => {
    const quantity = parseQuantity(text);
    expect(quantity && [wholeUnits(quantity), isWholeQuantity(quantity)]).toEqual([units, isWhole]);
  });
});
