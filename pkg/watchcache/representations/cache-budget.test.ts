import { describe, expect, it } from '@jest/globals';
import { CacheBudget } from './cache-budget.ts';

describe('the cache budget', () => {
  const addThree = () => {
    const budget = new CacheBudget(300);
    const evicted: string[] = [];
    const entries = ['a', 'b', 'c'].map((name) => ({ name }));
    for (const entry of entries) budget.count(entry, 100, () => evicted.push(entry.name));
    return { budget, evicted, entries };
  };

  it('evicts the least recently used entry first', () => {
    const { budget, evicted, entries } = addThree();
    const [a] = entries;
    if (a !== undefined) budget.touch(a);
    budget.count({}, 150, () => undefined);
    expect(evicted).toEqual(['b', 'c']);
    expect(budget.usedBytes).toBe(250);
  });

  it('frees the space of a dropped entry without calling its owner', () => {
    const { budget, evicted, entries } = addThree();
    for (const entry of entries) budget.drop(entry);
    expect(budget.usedBytes).toBe(0);
    expect(evicted).toEqual([]);
  });

  it('rejects an entry larger than the budget', () => {
    const budget = new CacheBudget(100);
    let isEvicted = false;
    budget.count({}, 101, () => (isEvicted = true));
    expect(isEvicted).toBe(true);
    expect(budget.usedBytes).toBe(0);
  });

  it('evicts nothing for an entry that does not fit', () => {
    const { budget, evicted } = addThree();
    budget.count({}, 301, () => evicted.push('large'));
    expect(evicted).toEqual(['large']);
    expect(budget.usedBytes).toBe(300);
  });

  it('evicts for one response only entries not used since it began', () => {
    const { budget, evicted, entries } = addThree();
    const [, , c] = entries;
    const response = budget.forResponse();
    if (c !== undefined) response.touch(c);
    for (const name of ['d', 'e', 'f', 'g']) response.count({ name }, 100, () => evicted.push(name));
    expect(evicted).toEqual(['a', 'b', 'f', 'g']);
    // The next response may evict them.
    budget.forResponse().count({}, 100, () => evicted.push('h'));
    expect(evicted.slice(4)).toEqual(['c']);
  });
});
