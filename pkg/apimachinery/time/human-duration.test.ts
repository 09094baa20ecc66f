import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { humanDuration, nextHumanDuration } from './human-duration.ts';

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;
const Y = 365 * D;

describe('A human duration', () => {
  it.each([
    [-1 * Y, '<invalid>'],
    [-2 * S, '<invalid>'],
    [-2 * S + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [S, '1s'],
    [90 * S, '90s'],
    [119 * S, '119s'],
    [2 * M - 1, '119s'],
    [2 * M, '2m'],
    [2 * M + 1 * S, '2m1s'],
    [5 * M, '5m'],
    [5 * M + 10 * S, '5m10s'],
    [10 * M - 1, '9m59s'],
    [10 * M, '10m'],
    [90 * M, '90m'],
    [3 * H - 1, '179m'],
    [3 * H, '3h'],
    [3 * H + 5 * M, '3h5m'],
    [8 * H - 1, '7h59m'],
    [8 * H, '8h'],
    [30 * H, '30h'],
    [48 * H - 1, '47h'],
    [48 * H, '2d'],
    [2 * D + 3 * H, '2d3h'],
    [8 * D - 1, '7d23h'],
    [8 * D, '8d'],
    [400 * D, '400d'],
    [2 * Y - 1, '729d'],
    [2 * Y, '2y'],
    [3 * Y, '3y'],
    [3 * Y + 40 * D, '3y40d'],
    [8 * Y - 1, '7y364d'],
    [8 * Y, '8y'],
    [9 * Y + 40 * D, '9y'],
  ])('of %d ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('is constant until the next one, and changes there', () => {
    const around = fc.oneof(
      fc.integer({ min: -5 * S, max: 15 * M }),
      fc.integer({ min: 0, max: 50 * H }),
      fc.integer({ min: 0, max: 12 * Y }),
      fc
        .constantFrom(2 * M, 10 * M, 3 * H, 8 * H, 48 * H, 8 * D, 2 * Y, 8 * Y)
        .chain((edge) => fc.integer({ min: edge - 2 * S, max: edge + 2 * S })),
    );
    fc.assert(
      fc.property(around, (ms) => {
        const next = nextHumanDuration(ms);
        expect(next).toBeGreaterThan(ms);
        expect(humanDuration(next - 1)).toBe(humanDuration(ms));
        expect(humanDuration(next)).not.toBe(humanDuration(ms));
      }),
      { numRuns: 500 },
    );
  });
});
