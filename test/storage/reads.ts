import { describe, expect, it } from '@jest/globals';
import { NO_REVISION, toRevision, type RangePage, type Revision } from '../../pkg/storage/backend.ts';
import { isStorageError } from '../../pkg/storage/errors.ts';
import { keyAfter, keyText, toKey, type Key } from '../../pkg/storage/keys.ts';
import { rejection, useBackend, type Fixture, type OpenBackend } from './contract-options.ts';

const EVERYTHING = { limit: 1_000_000, maxBytes: 1 << 30 };
const names = (page: RangePage) => page.records.map(({ key }) => keyText(key).replace('/suite/things/', ''));
const texts = (page: RangePage) => page.records.map(({ value }) => value.toString());

/** All pages of one walk, each after the first at the first's revision, as a client pages. */
async function walk(
  { backend, all }: Fixture,
  limits: { limit: number; maxBytes: number },
  between: () => Promise<unknown>,
): Promise<RangePage[]> {
  const pages: RangePage[] = [];
  let start: Key = all.start;
  let revision: Revision | undefined;
  for (;;) {
    const page = await backend.range({ start, end: all.end, ...limits, count: true, ...(revision === undefined ? {} : { revision }) });
    pages.push(page);
    const last = page.records.at(-1);
    if (!page.more || last === undefined) return pages;
    start = keyAfter(last.key);
    revision = page.revision;
    await between();
  }
}

export function describeReads(open: OpenBackend): void {
  describe('get', () => {
    const store = useBackend(open);

    it('finds one key exactly, not its neighbours', async () => {
      const { backend, key, put } = store();
      await put('ab', 'x');
      const last = await put('a/b', 'x');
      const { record, revision } = await backend.get(key('a'));
      expect(record).toBeUndefined();
      expect(revision).toBeGreaterThanOrEqual(last);
    });

    it('finds nothing under a key longer than any that can be stored', async () => {
      const { backend, key, put } = store();
      const revision = await put('a', 'x');
      for (const length of [2_000, 5_000, 100_000]) {
        const { record, revision: at } = await backend.get(key('a'.repeat(length)));
        expect(record).toBeUndefined();
        expect(at).toBeGreaterThanOrEqual(revision);
      }
    });

    it('answers as of a past revision, before and after creation, update and deletion', async () => {
      const { backend, key, put, remove } = store();
      const before = await put('other', 'x');
      const created = await put('a', 'one');
      const between = await put('other', 'y', before);
      const updated = await put('a', 'two', created);
      const deleted = await remove('a', updated);
      const again = await put('a', 'three');
      const at = async (revision: Revision) => (await backend.get(key('a'), revision)).record;
      expect(await at(before)).toBeUndefined();
      expect(await at(created)).toMatchObject({ revision: created, value: Buffer.from('one') });
      expect(await at(between)).toMatchObject({ revision: created, value: Buffer.from('one') });
      expect(await at(updated)).toMatchObject({ revision: updated, value: Buffer.from('two') });
      expect(await at(deleted)).toBeUndefined();
      expect(await at(again)).toMatchObject({ revision: again, value: Buffer.from('three') });
    });

    it('throws Future for a revision that has not happened', async () => {
      const { backend, key, put } = store();
      const revision = await put('a', 'one');
      const error = await rejection(backend.get(key('a'), toRevision(revision + 1_000_000)));
      expect(isStorageError(error, 'Future')).toBe(true);
    });
  });

  describe('range', () => {
    const store = useBackend(open);

    it('includes its start and excludes its end', async () => {
      const { backend, key, put } = store();
      for (const name of ['a', 'b', 'c', 'd']) await put(name, name);
      const page = await backend.range({ start: key('b'), end: key('d'), ...EVERYTHING });
      expect(names(page)).toEqual(['b', 'c']);
      expect(page.more).toBe(false);
      expect(page).not.toHaveProperty('remaining');
    });

    it('has bounds longer than any key that can be stored', async () => {
      const { backend, key, all, put } = store();
      const long = 'm'.repeat(1_900);
      for (const name of ['a', long, 'z']) await put(name, name);
      for (const length of [1_901, 2_000, 5_000, 100_000]) {
        const bound = key('m'.repeat(length));
        expect(names(await backend.range({ start: all.start, end: bound, ...EVERYTHING, count: true }))).toEqual(['a', long]);
        expect(names(await backend.range({ start: bound, end: all.end, ...EVERYTHING, count: true }))).toEqual(['z']);
      }
    });

    it('tells its revision also when its bounds hold nothing', async () => {
      const { backend, key, put } = store();
      const revision = await put('a', 'x');
      const page = await backend.range({ start: key('b'), end: key('a'), ...EVERYTHING, revision: NO_REVISION });
      expect(page).toMatchObject({ records: [], more: false });
      expect(page.revision).toBeGreaterThanOrEqual(revision);
    });

    it('is empty where there is nothing', async () => {
      const { backend, all } = store();
      expect(await backend.range({ ...all, ...EVERYTHING, count: true })).toMatchObject({ records: [], more: false, remaining: 0 });
    });

    it('returns keys in the order of their bytes, whatever the script', async () => {
      const { backend, all, put } = store();
      const written = ['z', 'ä', '日本', 'a', '😀', '\u{ffee}', 'Z', 'a/b', 'a-b', 'a.b', 'ab', 'é'];
      for (const name of written) await put(name, name);
      const page = await backend.range({ ...all, ...EVERYTHING });
      expect(names(page)).toEqual(written.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))));
      expect(texts(page)).toEqual(names(page));
      expect(page.records.every(({ key }, i) => i === 0 || toKey(keyText(key)) === key)).toBe(true);
    });

    it('ends a page at its limit, and says what is left', async () => {
      const { backend, all, put } = store();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name, name);
      const page = await backend.range({ ...all, limit: 2, maxBytes: 1 << 20, count: true });
      expect(names(page)).toEqual(['a', 'b']);
      expect(page).toMatchObject({ more: true, remaining: 3 });
      const exact = await backend.range({ ...all, limit: 5, maxBytes: 1 << 20, count: true });
      expect(exact).toMatchObject({ more: false, remaining: 0 });
    });

    it('ends a page with about its bytes, and returns at least one record', async () => {
      const { backend, all, put } = store();
      for (let i = 0; i < 20; i++) await put(`a${String(i).padStart(2, '0')}`, Buffer.alloc(10_000, i));
      const page = await backend.range({ ...all, limit: 1_000, maxBytes: 50_000, count: true });
      expect(page.records.length).toBeGreaterThanOrEqual(1);
      expect(page.records.length).toBeLessThanOrEqual(8);
      expect(page).toMatchObject({ more: true, remaining: 20 - page.records.length });
      const tiny = await backend.range({ ...all, limit: 1_000, maxBytes: 1 });
      expect(names(tiny)).toEqual(['a00']);
      expect(tiny.more).toBe(true);
    });

    it('pages through one state while it changes underneath', async () => {
      const fixture = store();
      const { backend, key, put, remove } = fixture;
      const first = new Map<string, Revision>();
      for (let i = 0; i < 30; i++) first.set(`k${String(i).padStart(2, '0')}`, await put(`k${String(i).padStart(2, '0')}`, 'old'));
      let round = 0;
      const pages = await walk(fixture, { limit: 7, maxBytes: 1 << 20 }, async () => {
        round += 1;
        const name = `k${String(29 - round).padStart(2, '0')}`;
        await put(name, 'new', first.get(name));
        await put(`k${String(29 - round).padStart(2, '0')}b`, 'inserted');
        await remove(`k${String(25 - round)}`, first.get(`k${String(25 - round)}`) ?? toRevision(0));
      });
      expect(pages.flatMap(names)).toEqual([...first.keys()]);
      expect(new Set(pages.flatMap(texts))).toEqual(new Set(['old']));
      expect(pages.map(({ remaining }) => remaining)).toEqual([23, 16, 9, 2, 0]);
      expect(new Set(pages.map(({ revision }) => revision)).size).toBe(1);
      expect((await backend.get(key('k28'))).record?.value.toString()).toBe('new');
    });

    it('answers as of a past revision, with keys that were deleted since and without those that came later', async () => {
      const { backend, all, put, remove } = store();
      const a = await put('a', 'a1');
      const b = await put('b', 'b1');
      const past = await put('c', 'c1');
      await put('a', 'a2', a);
      await remove('b', b);
      await put('d', 'd1');
      const page = await backend.range({ ...all, ...EVERYTHING, revision: past, count: true });
      expect(texts(page)).toEqual(['a1', 'b1', 'c1']);
      expect(page).toMatchObject({ revision: past, more: false, remaining: 0 });
      const short = await backend.range({ ...all, limit: 1, maxBytes: 1 << 20, revision: past, count: true });
      expect(short).toMatchObject({ more: true, remaining: 2 });
      expect(texts(await backend.range({ ...all, ...EVERYTHING }))).toEqual(['a2', 'c1', 'd1']);
    });

    it('says that no more follows when only deleted keys do', async () => {
      const { backend, all, put, remove } = store();
      await put('a', 'x');
      await remove('b', await put('b', 'x'));
      expect(await backend.range({ ...all, limit: 1, maxBytes: 1 << 20, count: true })).toMatchObject({ more: false, remaining: 0 });
    });

    it('carries many megabytes in one page', async () => {
      const { backend, all, put } = store();
      const value = (i: number) => Buffer.alloc(1_000_000, 65 + i);
      for (let i = 0; i < 12; i++) await put(`a${String.fromCharCode(97 + i)}`, value(i));
      const page = await backend.range({ ...all, ...EVERYTHING });
      expect(page.records).toHaveLength(12);
      expect(page.more).toBe(false);
      expect(page.records.every((record, i) => record.value.equals(value(i)))).toBe(true);
    });

    it('carries some thousand records in one page', async () => {
      const { backend, all, put } = store();
      await Promise.all(Array.from({ length: 2_500 }, (_, i) => put(`n${String(i).padStart(5, '0')}`, `v${i}`)));
      const page = await backend.range({ ...all, ...EVERYTHING });
      expect(texts(page)).toEqual(Array.from({ length: 2_500 }, (_, i) => `v${i}`));
    });

    it('shows one state, also when writers run beside it', async () => {
      const { backend, all, put } = store();
      // Two keys are always written one after the other: a state with the second ahead of the first never existed.
      let first = await put('a', '0');
      let last = await put('z', '0');
      for (let i = 0; i < 1_200; i++) await put(`m${i}`, 'x');
      const stop = new AbortController();
      const writer = (async () => {
        for (let i = 1; !stop.signal.aborted; i++) {
          first = await put('a', String(i), first);
          last = await put('z', String(i), last);
        }
      })();
      for (let i = 0; i < 10; i++) {
        const page = await backend.range({ ...all, ...EVERYTHING });
        const ahead = Number(page.records[0]?.value.toString()) - Number(page.records.at(-1)?.value.toString());
        expect([0, 1]).toContain(ahead);
        expect(page.records.every(({ revision }) => revision <= page.revision)).toBe(true);
      }
      stop.abort();
      await writer;
    });

    it('throws Future for a revision that has not happened', async () => {
      const { backend, all, put } = store();
      const revision = await put('a', 'one');
      const error = await rejection(backend.range({ ...all, ...EVERYTHING, revision: toRevision(revision + 1_000_000) }));
      expect(isStorageError(error, 'Future')).toBe(true);
    });
  });
}
