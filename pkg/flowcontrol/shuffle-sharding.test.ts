import { describe, expect, it } from '@jest/globals';
import { dealHand, hashFlow } from './shuffle-sharding.ts';

describe('Shuffle sharding', () => {
  // What k8s.io/apiserver 0.36.4 deals.
  it.each<[string, string, number, number, bigint, readonly number[]]>([
    ['global-default', 'jane', 128, 6, 6822407026147695384n, [24, 0, 86, 104, 74, 31]],
    ['global-default', 'joe', 128, 6, 1139835309010968526n, [78, 24, 127, 21, 59, 31]],
    ['system-leader-election', 'x', 16, 4, 2262962346649937231n, [15, 11, 5, 0]],
    ['service-accounts', 'ä', 64, 8, 7592914213613543206n, [38, 54, 7, 55, 12, 39, 59, 9]],
    ['a', '', 4, 4, 348363366796552703n, [3, 2, 1, 0]],
  ])('deals %s of %s the hand of Kubernetes', (schema, distinguisher, queues, handSize, hash, hand) => {
    expect(hashFlow(schema, distinguisher)).toBe(hash);
    expect(dealHand(hash, queues, handSize)).toEqual(hand);
  });
});
