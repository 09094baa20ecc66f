import { describe, expect, it } from '@jest/globals';
import { DroppedRequests } from './dropped-requests.ts';

/** Drops `each` requests in every second from `from` on; what clients are told after each second. */
function retryAfters(dropped: DroppedRequests, from: number, seconds: number, each: number): readonly number[] {
  return Array.from({ length: seconds }, (_, second) => {
    for (let i = 0; i < each; i++) dropped.add((from + second) * 1000 + i);
    return dropped.retryAfter;
  });
}

describe('Retry-After', () => {
  it('is a second at first, and while few requests are dropped', () => {
    expect(retryAfters(new DroppedRequests(), 100, 5, 2)).toEqual([1, 1, 1, 1, 1]);
  });

  it('doubles up to half a minute while many are dropped, and goes down one by one', () => {
    const dropped = new DroppedRequests();
    const rising = retryAfters(dropped, 100, 100, 100);
    expect([...new Set(rising)]).toEqual([1, 2, 4, 8, 16, 32]);
    expect(retryAfters(dropped, 1000, 4, 1)).toEqual([31, 30, 29, 28]);
  });
});
