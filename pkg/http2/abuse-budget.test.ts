import { describe, expect, it, jest } from '@jest/globals';
import { AbuseBudget } from './abuse-budget.ts';

describe('the abuse budget', () => {
  it('allows a burst of 1000 frames, and 33 more each second', () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const budget = new AbuseBudget();
      const spendable = () => {
        for (let count = 0; ; count++) {
          try {
            budget.spend(1);
          } catch {
            return count;
          }
        }
      };
      expect(spendable()).toBe(1000);
      jest.advanceTimersByTime(1000);
      expect(spendable()).toBe(33);
      jest.advanceTimersByTime(3_600_000);
      expect(spendable()).toBe(1000);
    } finally {
      jest.useRealTimers();
    }
  });
});
