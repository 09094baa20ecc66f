import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allocateSeats, type SeatClaim } from './concurrency-allocation.ts';

const claim = (lowerBound: number, target: number, upperBound: number): SeatClaim => ({ lowerBound, target, upperBound });

describe('The seats of all levels', () => {
  it.each<[string, number, readonly SeatClaim[], readonly number[], number]>([
    ['in proportion to their targets', 60, [claim(0, 10, 100), claim(0, 20, 100)], [20, 40], 2],
    ['not above a bound', 60, [claim(0, 10, 100), claim(0, 20, 30)], [30, 30], 3],
    ['not below a bound', 60, [claim(30, 30, 100), claim(0, 60, 100)], [30, 30], 0.5],
    ['at all lower bounds', 30, [claim(10, 20, 30), claim(20, 20, 30)], [10, 20], 0.5],
    ['at all upper bounds', 60, [claim(0, 20, 30), claim(0, 10, 30)], [30, 30], 3],
    ['to whom wants nothing, too', 10, [claim(0, 0, 50), claim(0, 0, 50)], [5, 5], 5000],
  ])('are divided %s', (_, sum, claims, seats, fairFraction) => {
    const allocated = allocateSeats(sum, claims);
    expect(allocated?.fairFraction).toBeCloseTo(fairFraction, 6);
    expect(allocated?.seats.map((each) => Math.round(each * 1e6) / 1e6)).toEqual(seats);
  });

  it('cannot be divided when the bounds are too narrow', () => {
    expect(allocateSeats(5, [claim(3, 3, 10), claim(3, 3, 10)])).toBeUndefined();
    expect(allocateSeats(50, [claim(0, 1, 10), claim(0, 1, 10)])).toBeUndefined();
  });

  it('have the wanted sum, and each is a bound or the fair fraction of its target', () => {
    const claims = fc.array(
      fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)).map(([lower, more, above]) => claim(lower, lower + more, lower + above)),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(claims, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const low = all.reduce((sum, { lowerBound }) => sum + lowerBound, 0);
        const high = all.reduce((sum, { upperBound }) => sum + upperBound, 0);
        const wanted = Math.round(low + (high - low) * share);
        const { seats = [], fairFraction = 0 } = allocateSeats(wanted, all) ?? {};
        expect(seats.reduce((sum, each) => sum + each, 0)).toBeCloseTo(wanted, 4);
        for (const [i, { lowerBound, upperBound, target }] of all.entries()) {
          const fair = Math.max(target, 0.001) * fairFraction;
          expect(seats[i]).toBeCloseTo(Math.max(lowerBound, Math.min(upperBound, fair)), 4);
        }
      }),
    );
  });
});
