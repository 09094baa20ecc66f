import { describe, expect, it } from '@jest/globals';
import { CacheBudget } from './cache-budget.ts';

describe('the cache budget', () => {
  const keepThree = () => {
    const budget = new CacheBudget(300);
    const forgotten: string[] = [];
    const cacheSpace = ['a', 'b', 'c'].map((name) => ({ name }));
    for (const cached of cacheSpace) budget.keep(cached, 100, () => forgotten.push(cached.name));
    return { budget, forgotten, cacheSpace };
  };

  it('forgets the least recently used first', () => {
    const { budget, forgotten, cacheSpace } = keepThree();
    const [a] = cacheSpace;
    if (a !== undefined) budget.touch(a);
    budget.keep({}, 150, () => undefined);
    expect(forgotten).toEqual(['b', 'c']);
    expect(budget.usedBytes).toBe(250);
  });

  it('gives the room of a dropped cache back and does not call its owner', () => {
    const { budget, forgotten, cacheSpace } = keepThree();
    for (const cached of cacheSpace) budget.drop(cached);
    expect(budget.usedBytes).toBe(0);
    expect(forgotten).toEqual([]);
  });

  it('does not keep what is larger than the whole budget', () => {
    const budget = new CacheBudget(100);
    let isForgotten = false;
    budget.keep({}, 101, () => (isForgotten = true));
    expect(isForgotten).toBe(true);
    expect(budget.usedBytes).toBe(0);
  });

  it('lets go of nothing for what it cannot keep', () => {
    const { budget, forgotten } = keepThree();
    budget.keep({}, 301, () => forgotten.push('large'));
    expect(forgotten).toEqual(['large']);
    expect(budget.usedBytes).toBe(300);
  });

  it('keeps for one answer as much as there is room for beside what was used since it began', () => {
    const { budget, forgotten, cacheSpace } = keepThree();
    const [, , c] = cacheSpace;
    const answer = budget.forResponse();
    if (c !== undefined) answer.touch(c);
    for (const name of ['d', 'e', 'f', 'g']) answer.keep({ name }, 100, () => forgotten.push(name));
    expect(forgotten).toEqual(['a', 'b', 'f', 'g']);
    // The next one begins anew.
    budget.forResponse().keep({}, 100, () => forgotten.push('h'));
    expect(forgotten.slice(4)).toEqual(['c']);
  });
});
