import { describe, expect, it } from '@jest/globals';
import { defaultWatchMs } from './watch.ts';

describe('a watch without timeoutSeconds', () => {
  it('lasts for the least time to twice of it, as chance will have it', () => {
    const lasts = (chance: number) => defaultWatchMs({ minWatchMs: 1_800_000, random: () => chance });
    expect([lasts(0), lasts(0.5)]).toEqual([1_800_000, 2_700_000]);
    expect(lasts(1 - Number.EPSILON)).toBeLessThan(3_600_000);
  });
});
