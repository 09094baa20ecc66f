import { describe, expect, it } from '@jest/globals';
import { MemoBudget } from './memo-budget.ts';

describe('the memo budget', () => {
  const keepThree = () => {
    const budget = new MemoBudget(300);
    const forgotten: string[] = [];
    const memos = ['a', 'b', 'c'].map((name) => ({ name }));
    for (const memo of memos) budget.keep(memo, 100, () => forgotten.push(memo.name));
    return { budget, forgotten, memos };
  };

  it('forgets the least recently used first', () => {
    const { budget, forgotten, memos } = keepThree();
    const [a] = memos;
    if (a !== undefined) budget.touch(a);
    budget.keep({}, 150, () => undefined);
    expect(forgotten).toEqual(['b', 'c']);
    expect(budget.usedBytes).toBe(250);
  });

  it('gives the room of a dropped memo back and does not call its owner', () => {
    const { budget, forgotten, memos } = keepThree();
    for (const memo of memos) budget.drop(memo);
    expect(budget.usedBytes).toBe(0);
    expect(forgotten).toEqual([]);
  });

  it('does not keep what is larger than the whole budget', () => {
    const budget = new MemoBudget(100);
    let isForgotten = false;
    budget.keep({}, 101, () => (isForgotten = true));
    expect(isForgotten).toBe(true);
    expect(budget.usedBytes).toBe(0);
  });
});
