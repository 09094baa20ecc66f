import { describe, expect, it } from '@jest/globals';
import { WatchCounts } from './watch-counts.ts';

describe('The watches of a user', () => {
  it('are limited, each user for herself', () => {
    const counts = new WatchCounts(2);
    const endFirst = counts.open('jane');
    counts.open('jane');
    expect(() => counts.open('jane')).toThrow('user "jane" has 2 watches open, and may not have more');
    counts.open('joe');
    endFirst();
    counts.open('jane');
    expect(() => counts.open('jane')).toThrow(expect.objectContaining({ code: 429, details: { retryAfterSeconds: 10 } }));
  });

  it('are not limited by 0', () => {
    const counts = new WatchCounts(0);
    for (let i = 0; i < 1000; i++) counts.open('jane');
    expect(() => counts.open('jane')).not.toThrow();
  });
});
