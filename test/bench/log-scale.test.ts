import { describe, expect, it } from '@jest/globals';
import { logScale } from './log-scale.ts';

describe('a logarithmic axis', () => {
  it.each([
    { values: [1000, 10_000, 100_000], ticks: [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000] },
    { values: [1, 100, 1000, 10_000], ticks: [1, 10, 100, 1000, 10_000] },
    { values: [0.31, 42, 7, 900], ticks: [0.1, 1, 10, 100, 1000] },
    { values: [3, 4], ticks: [2, 5] },
    { values: [7], ticks: [5, 10] },
    { values: [10], ticks: [10, 20] },
    { values: [0.001, 0.0015], ticks: [0.001, 0.002] },
  ])('from $values is marked at $ticks', ({ values, ticks }) => {
    expect(logScale(values).ticks).toEqual(ticks);
  });

  it('gives each tenfold step the same width', () => {
    const { place } = logScale([1, 10, 100, 1000]);
    expect([1, 10, 100, 1000].map((value) => Number(place(value).toFixed(6)))).toEqual([0, 0.333333, 0.666667, 1]);
  });

  it.each([[[]], [[0]], [[5, -1]], [[Number.NaN]], [[Infinity]]])('refuses %j', (values) => {
    expect(() => logScale(values)).toThrow(RangeError);
  });
});
