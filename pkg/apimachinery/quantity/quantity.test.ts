import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compareQuantities, isQuantity, isWholeQuantity, normalizeQuantity, parseQuantity, wholeUnits } from './quantity.ts';

interface QuantityVector {
  readonly name: string;
  readonly input?: string;
  readonly a?: string;
  readonly b?: string;
  readonly expectedCanonical?: string;
  readonly expectedFormat?: string;
  readonly expectedSign?: number;
  readonly expectedCompare?: number;
  readonly expectError?: boolean;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/quantity.json', import.meta.url), 'utf8'),
) as readonly QuantityVector[];

describe('parseQuantity', () => {
  for (const { name, input, expectedCanonical, expectedFormat, expectedSign, expectError } of vectors) {
    if (input === undefined) continue;
    it(name, () => {
      const quantity = parseQuantity(input);
      expect(isQuantity(input)).toBe(expectError !== true);
      expect(normalizeQuantity(input)).toBe(expectedCanonical);
      expect(quantity?.canonical).toBe(expectedCanonical);
      if (quantity === undefined) return;
      expect(quantity.format).toBe(expectedFormat);
      expect(quantity.nanos === 0n ? 0 : quantity.nanos < 0n ? -1 : 1).toBe(expectedSign);
    });
  }
  for (const { name, a, b, expectedCompare } of vectors) {
    if (a === undefined || b === undefined) continue;
    it(name, () => {
      const [left, right] = [parseQuantity(a), parseQuantity(b)];
      expect(left && right && compareQuantities(left, right)).toBe(expectedCompare);
    });
  }
  it('reads hostile texts in linear time', () => {
    const started = performance.now();
    for (let round = 0; round < 2_000; round++) {
      for (const text of [`${'0'.repeat(250)}x`, `${'1'.repeat(250)}e`, `${'k'.repeat(250)}!`, '1e100', '9e-100']) parseQuantity(text);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
  it('writes large exponents as they are', () => {
    expect(normalizeQuantity('1e100')).toBe('10e99');
    expect(normalizeQuantity('1e-100')).toBe('1e-9');
    expect(normalizeQuantity('1000E')).toBe('1e21');
    expect(normalizeQuantity('+')).toBe('0');
  });
  it('refuses an exponent that nothing could write out', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined();
  });
});

describe('A quantity in units', () => {
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
