import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compareQuantities, isQuantity, normalizeQuantity, parseQuantity } from './quantity.ts';

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
  it('refuses an exponent that nothing could write out', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined();
  });
});
