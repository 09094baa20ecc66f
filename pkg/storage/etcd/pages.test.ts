import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StoredRecord } from '../backend.ts';
import { toRevision } from '../backend.ts';
import type { Key } from '../keys.ts';
import { PageReader } from './pages.ts';

/** A store of records with these sizes, at revision 9, that counts its requests. */
function createStore(sizes: readonly number[]) {
  const all: StoredRecord[] = sizes.map((size, index) => ({
    key: `/k${String(index).padStart(6, '0')}` as Key,
    revision: toRevision(index + 1),
    value: Buffer.alloc(size),
  }));
  const asked: { limit: number; revision: number; bytes: number }[] = [];
  const reader = new PageReader(async (start, end, limit, revision) => {
    const range = all.filter(({ key }) => key >= start && key < end);
    const records = range.slice(0, limit);
    asked.push({ limit, revision, bytes: records.reduce((sum, { value }) => sum + value.length, 0) });
    // The revision grows, so that the test notices when later responses are not pinned to the first.
    return { header: { clusterId: '1', revision: 9 + asked.length }, records, more: range.length > limit, count: range.length };
  });
  return { all, asked, reader };
}
const START = '/k' as Key;
const END = '/l' as Key;

describe('pages by bytes', () => {
  it('reads as many ranges as the sizes need, at one revision, and ends with the record that reaches the limit', async () => {
    const { asked, reader } = createStore(Array.from({ length: 1000 }, () => 1000));
    const page = await reader.read({ start: START, end: END, limit: 1000, maxBytes: 500_000, count: true });
    expect(page.revision).toBe(10);
    expect(page.more).toBe(true);
    expect(page.records.length).toBeGreaterThan(400);
    expect(page.records.length).toBeLessThanOrEqual(500);
    expect(page.remaining).toBe(1000 - page.records.length);
    expect(asked.map(({ revision }) => revision)).toEqual([0, ...asked.slice(1).map(() => 10)]);
  });

  it('reads one range per page once it knows the sizes', async () => {
    const { asked, reader } = createStore(Array.from({ length: 1000 }, () => 1000));
    const first = await reader.read({ start: START, end: END, limit: 1000, maxBytes: 100_000 });
    asked.length = 0;
    await reader.read({ start: `${first.records.at(-1)?.key ?? ''}\0` as Key, end: END, limit: 1000, maxBytes: 100_000 });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.bytes).toBeLessThan(110_000);
  });

  it('returns one record, however large', async () => {
    const { reader } = createStore([5_000_000, 10]);
    const page = await reader.read({ start: START, end: END, limit: 10, maxBytes: 1000, count: true });
    expect(page).toMatchObject({ more: true, remaining: 1 });
    expect(page.records).toHaveLength(1);
  });

  it('reads every record exactly once, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.nat(100), fc.nat(100_000)), { maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 200_000 }),
        async (sizes, limit, maxBytes) => {
          const { all, reader } = createStore(sizes);
          const walked: Key[] = [];
          for (let start = START, more = true; more;) {
            const page = await reader.read({ start, end: END, limit, maxBytes, count: true });
            expect(page.records.length).toBeLessThanOrEqual(limit);
            walked.push(...page.records.map(({ key }) => key));
            expect(page.remaining).toBe(all.length - walked.length);
            expect(page.more).toBe(walked.length < all.length);
            more = page.more;
            start = `${walked.at(-1) ?? ''}\0` as Key;
          }
          expect(walked).toEqual(all.map(({ key }) => key));
        },
      ),
    );
  });
});
