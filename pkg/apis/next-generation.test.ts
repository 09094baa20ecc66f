import { describe, expect, it } from '@jest/globals';
import { nextGeneration } from './next-generation.ts';

describe('nextGeneration', () => {
  it.each<[number | bigint | undefined, number | bigint]>([
    [undefined, 1],
    [1, 2],
    [Number.MAX_SAFE_INTEGER, 9007199254740992n],
    [9007199254740993n, 9007199254740994n],
    [9223372036854775807n, -9223372036854775808n],
  ])('after %s is %s', (generation, next) => {
    expect(nextGeneration(generation)).toBe(next);
  });
});
