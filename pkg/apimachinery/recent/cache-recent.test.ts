import { describe, expect, it } from '@jest/globals';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { cacheRecent } from './cache-recent.ts';

describe('a function with cached results', () => {
  it('is not called again for the last four values', () => {
    const asked: number[] = [];
    const double = cacheRecent(({ n }: { readonly n: number }) => {
      asked.push(n);
      return 2 * n;
    });
    const values = [1, 2, 3, 4, 5].map((n) => ({ n }));
    for (const value of values.slice(0, 4)) double(value);
    expect(values.slice(0, 4).map(double)).toEqual([2, 4, 6, 8]);
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(values.slice(4).map(double)).toEqual([10]);
    expect(values.slice(1).map(double)).toEqual([4, 6, 8, 10]);
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    expect(double({ n: 1 })).toBe(2);
    expect(asked).toEqual([1, 2, 3, 4, 5, 1]);
  });

  it('does not keep values and results alive', async () => {
    const double = cacheRecent(({ n }: { readonly n: number }) => ({ n: 2 * n }));
    const left = ((value) => [new WeakRef(value), new WeakRef(double(value))])({ n: 1 });
    const held = { n: 2 };
    expect(double(held)).toEqual({ n: 4 });
    await collectGarbage();
    expect(left.map((each) => each.deref())).toEqual([undefined, undefined]);
    expect(double(held)).toEqual({ n: 4 });
  });
});
