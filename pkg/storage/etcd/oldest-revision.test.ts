import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createOldestRevision } from './oldest-revision.ts';

describe('the oldest readable revision', () => {
  it('is found in few reads, however the store is compacted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1_000_000), fc.nat(1_000_000)), { maxLength: 10 }), async (steps) => {
        let reads = 0;
        let oldest = 1;
        let current = 1;
        const find = createOldestRevision(async (revision) => {
          reads++;
          return revision >= oldest;
        });
        for (const [written, compacted] of steps) {
          current += written;
          oldest = Math.min(current, oldest + compacted);
          reads = 0;
          expect(await find(current)).toBe(oldest);
          expect(reads).toBeLessThan(30);
          reads = 0;
          expect(await find(current)).toBe(oldest);
          expect(reads).toBe(1);
        }
      }),
    );
  });

  it('is found again when the store was replaced by a younger one', async () => {
    let oldest = 500;
    const find = createOldestRevision(async (revision) => revision >= oldest);
    expect(await find(1000)).toBe(500);
    oldest = 1;
    expect(await find(20)).toBeLessThanOrEqual(20);
  });
});
