import { describe, expect, it } from '@jest/globals';
import { listSeats } from './list-seats.ts';

describe('A list', () => {
  it.each([
    ['nothing', { objects: 0, bytes: 0, limit: 0 }, undefined, 1],
    ['a little', { objects: 10, bytes: 30_000, limit: 0 }, undefined, 1],
    ['more', { objects: 100, bytes: 310_000, limit: 0 }, undefined, 4],
    ['a page of it', { objects: 100, bytes: 310_000, limit: 10 }, undefined, 1],
    ['a page that is longer than it', { objects: 100, bytes: 310_000, limit: 500 }, undefined, 4],
    ['very much', { objects: 100_000, bytes: 310_000_000, limit: 0 }, undefined, 10],
    ['very much, in a small level', { objects: 100_000, bytes: 310_000_000, limit: 0 }, 3, 3],
  ])('of %s: %#', (_, estimate, maxSeats, seats) => {
    expect(listSeats(estimate, maxSeats)).toBe(seats);
  });
});
