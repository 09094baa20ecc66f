import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareQuantityTexts, isWholeQuantityText } from './quantity-texts.ts';
import { compareQuantities, isWholeQuantity, parseQuantity } from './quantity.ts';

const SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'e3', '.5', '.5Gi'];
const text = fc
  .tuple(fc.constantFrom('', '-'), fc.oneof(fc.nat(2000), fc.maxSafeNat()), fc.constantFrom(...SUFFIXES))
  .map(([sign, digits, suffix]) => `${sign}${digits}${suffix}`);

describe('Quantities as text', () => {
  it('compare like parsed quantities', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [parseQuantity(a), parseQuantity(b)];
        expect(Math.sign(compareQuantityTexts(a, b) ?? NaN)).toBe(left && right && compareQuantities(left, right));
      }),
      { numRuns: 1000 },
    );
  });

  it('are whole if the parsed quantities are', () => {
    fc.assert(
      fc.property(text, (a) => {
        const quantity = parseQuantity(a);
        expect(isWholeQuantityText(a)).toBe(quantity && isWholeQuantity(quantity));
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, string, number | undefined]>([
    ['1', '1000m', 0],
    ['1024Mi', '1Gi', 0],
    ['1G', '1Gi', -1],
    ['999999999999Ti', '9223372036854775807', 0],
    ['a', 'a', 0],
    ['a', '1', undefined],
  ])('%s and %s compare as %p', (a, b, order) => {
    const compared = compareQuantityTexts(a, b);
    expect(compared === undefined ? undefined : Math.sign(compared)).toBe(order);
  });
});
