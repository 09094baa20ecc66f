import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeQuantity, parseQuantity, roundUpToThousandth } from './quantity.ts';

const SUFFIXES = ['n', 'u', 'm', '', 'k', 'E', 'Ki', 'Ei', 'e3', 'e-3', 'e-6', 'e-9', 'E-6'];

describe('A quantity rounded up to a thousandth', () => {
  // Results of Kubernetes' own library.
  it.each([
    ['0', '0'],
    ['1n', '1m'],
    ['999999n', '1m'],
    ['1500u', '2m'],
    ['2000u', '2m'],
    ['-1n', '-1m'],
    ['-1500u', '-2m'],
    ['1500m', '1500m'],
    ['1.500', '1.500'],
    ['1.500000', '1500m'],
    ['0.0001Ki', '103m'],
    ['1500e-6', '2e-3'],
    ['1e-9', '1e-3'],
    ['5e3', '5e3'],
    ['1Gi', '1Gi'],
    ['1E', '1E'],
  ])('%s is %s', (text, rounded) => {
    const canonical = normalizeQuantity(text);
    expect(canonical && roundUpToThousandth(canonical)).toBe(rounded);
  });

  it('is never closer to zero, differs by less than a thousandth, and is idempotent', () => {
    const text = fc
      .tuple(fc.constantFrom('', '-'), fc.nat(1_000_000_000), fc.nat(1_000_000), fc.constantFrom(...SUFFIXES))
      .map(([sign, whole, fraction, suffix]) => `${sign}${whole}.${fraction}${suffix}`);
    fc.assert(
      fc.property(text, (sent) => {
        const canonical = normalizeQuantity(sent) ?? '';
        const rounded = roundUpToThousandth(canonical);
        const [before = 0n, after = 0n] = [parseQuantity(canonical)?.nanos, parseQuantity(rounded)?.nanos];
        const added = before < 0n ? before - after : after - before;
        expect(added >= 0n && added < 1_000_000n && after % 1_000_000n === 0n).toBe(true);
        expect(roundUpToThousandth(rounded)).toBe(rounded);
      }),
      { numRuns: 1000 },
    );
  });

  it('is unchanged if it is not a quantity', () => {
    expect(roundUpToThousandth('one')).toBe('one');
  });
});
