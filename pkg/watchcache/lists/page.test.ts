import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { createLabelSelector } from '../../apimachinery/selectors/selector.ts';
import { toRevision } from '../../storage/backend.ts';
import { keyAfter } from '../../storage/keys.ts';
import { ENTRY_MEMORIES } from '../../../test/support/entry-memories.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { testEntry } from '../../../test/support/test-entry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { keyOf, widgets } from '../../../test/support/widgets.ts';
import { ResponseMemory } from './response-memory.ts';
import { Collection } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import { Arena } from '../store/arena.ts';
import type { EntryMemory } from '../store/entry-memory.ts';
import { CacheBudget } from '../representations/cache-budget.ts';
import { CollectionSnapshot } from './snapshot.ts';
import type { ListPage } from '../watch-cache.ts';

const entryOf = (n: number, mark: string, size = 3000): Entry => {
  const name = `w${String(n).padStart(5, '0')}`;
  const attributes = { labels: { app: `app-${n % 50}` } };
  return testEntry(name, JSON.stringify({ name, mark, pad: 'x'.repeat(size) }), { namespace: n < 1000 ? 'a' : 'b', attributes });
};

function createCollection(memory: EntryMemory, count: number, cacheSpace = new CacheBudget(1e9)) {
  const collection = new Collection(cacheSpace, memory);
  for (let i = 0; i < count; i++) collection.put(entryOf(i, 'first'));
  let revision = 1;
  const snapshot = () =>
    new CollectionSnapshot(widgets, collection, toRevision(++revision), { cacheSpace, responseMemory: new ResponseMemory() });
  return { collection, cacheSpace, snapshot };
}

/** A reader that accepts nothing yet. */
function pausedWriter(): MemoryResponseWriter {
  const writer = new MemoryResponseWriter(true);
  writer.pause();
  return writer;
}

const head = Buffer.from('[');
const tail = Buffer.from(']');

async function textOf(page: ListPage): Promise<string> {
  const writer = new MemoryResponseWriter();
  await page.writeTo(writer, { head, tail, encoding: 'identity' });
  return writer.text();
}

describe('a page of packed entries', () => {
  it('is written chunk by chunk, without copying', async () => {
    const { snapshot } = createCollection(new Arena(), 1000);
    const writers = [new MemoryResponseWriter(), new MemoryResponseWriter()];
    for (const writer of writers) await snapshot().page({ selection: {} }).writeTo(writer, { head, tail, encoding: 'identity' });
    const [one, two] = writers.map(({ writes }) => writes.map(({ buffer }) => buffer));
    expect(one?.length).toBeLessThan(30);
    expect(one?.slice(1, -1)).toEqual(two?.slice(1, -1));
    expect(one?.slice(1, -1).every((buffer, i) => buffer === two?.[i + 1])).toBe(true);
  });

  it('is sent in few large writes to a connection that keeps references, while the budget allows', async () => {
    const { snapshot } = createCollection(new Arena(), 3000);
    const page = snapshot().page({ selection: {} });
    const write = async (writer: MemoryResponseWriter) => {
      await page.writeTo(writer, { head, tail, encoding: 'identity' });
      return writer.calls;
    };
    const [small, large] = [await write(new MemoryResponseWriter()), await write(new MemoryResponseWriter(true))];
    expect(small).toBeGreaterThan(30);
    expect(large).toBeLessThan(8);
    const unread = Array.from({ length: 50 }, pausedWriter);
    // The first forty use the whole budget.
    const [first, last] = [unread.slice(0, 40), unread.slice(40)];
    const written = first.map(write);
    await waitFor(() => first.every(({ calls }) => calls > 0), { what: 'a write to each', everyMs: 1 });
    written.push(...last.map(write));
    await waitFor(() => last.every(({ calls }) => calls > 0), { what: 'a write to each of the last', everyMs: 1 });
    expect(Math.max(...first.map(({ queuedBytes }) => queuedBytes))).toBeGreaterThan(2_000_000);
    expect(Math.max(...last.map(({ queuedBytes }) => queuedBytes))).toBeLessThan(300_000);
    for (const writer of unread) writer.resume();
    await Promise.all(written);
    expect(await write(new MemoryResponseWriter(true))).toBe(large);
  });

  it('ends when its reader has received it, and counts as unsent until then', async () => {
    const { snapshot } = createCollection(new Arena(), 600);
    const page = snapshot().page({ selection: {} });
    const unread = Array.from({ length: 60 }, pausedWriter);
    const [first, last] = [unread.slice(0, 40), unread.slice(40)];
    let over = 0;
    const write = (writer: MemoryResponseWriter) => page.writeTo(writer, { head, tail, encoding: 'identity' }).then(() => over++);
    const written = first.map(write);
    await waitFor(() => first.every(({ calls }) => calls > 0), { what: 'a write to each', everyMs: 1 });
    written.push(...last.map(write));
    await waitFor(() => last.every(({ calls }) => calls > 0), { what: 'a write to each of the last', everyMs: 1 });
    expect(over).toBe(0);
    expect(Math.max(...first.map(({ queuedBytes }) => queuedBytes))).toBeGreaterThan(1_700_000);
    expect(Math.max(...last.map(({ queuedBytes }) => queuedBytes))).toBeLessThan(300_000);
    for (const writer of unread) writer.resume();
    await Promise.all(written);
    expect(over).toBe(60);
  });
});

describe.each(ENTRY_MEMORIES)('a page, with $name', ({ createMemory }) => {
  const setUp = (count: number, cacheSpace?: CacheBudget) => createCollection(createMemory(), count, cacheSpace);

  it.each([false, true])(
    'stays as it was when writes come while it is written, to a connection that keeps references: %p',
    async (keeps) => {
      const { collection, snapshot } = setUp(2000);
      const page = snapshot().page({ selection: {} });
      const expected = await textOf(page);
      for (const encoding of ['identity', 'gzip'] as const) {
        const writer = new MemoryResponseWriter(keeps);
        writer.pause();
        const state = { isOver: false };
        const written = page.writeTo(writer, { head, tail, encoding }).finally(() => (state.isOver = true));
        for (let round = 0; !state.isOver; round++) {
          collection.put(entryOf((round * 37) % 2000, `round ${round}`));
          if (round % 3 === 0) collection.remove(entryOf((round * 11) % 2000, '').key);
          writer.resume();
          await new Promise((resolve) => setImmediate(resolve));
          writer.pause();
        }
        await written;
        expect((encoding === 'gzip' ? gunzipSync(writer.bytes()) : writer.bytes()).toString() === expected).toBe(true);
      }
    },
  );

  it('of an old snapshot shows the old state in any range', async () => {
    const { collection, snapshot } = setUp(300);
    const state = snapshot();
    const pages = () => Promise.all([1, 7, 100, 101].map((limit) => textOf(state.page({ selection: {}, limit }))));
    await textOf(state.page({ selection: {} }));
    const before = await pages();
    for (const n of [0, 6, 99, 100, 101]) collection.put(entryOf(n, 'second', 2000));
    expect(await pages()).toEqual(before);
  });

  it('stops when its reader disconnects', async () => {
    const { snapshot } = setUp(2000);
    for (const encoding of ['identity', 'gzip'] as const) {
      const writer = new MemoryResponseWriter();
      writer.pause();
      const written = snapshot().page({ selection: {} }).writeTo(writer, { head, tail, encoding });
      await waitFor(() => writer.writes.length > 0, { what: 'a write', everyMs: 1 });
      writer.close();
      await written;
      expect(writer.calls).toBeLessThan(8);
    }
  });

  it('caches gzip blocks of whole chunks until a write or an eviction', async () => {
    const { collection, cacheSpace, snapshot } = setUp(1000);
    const gzip = async (limit = 0) => {
      const writer = new MemoryResponseWriter();
      await snapshot().page({ selection: {}, limit }).writeTo(writer, { head, tail, encoding: 'gzip' });
      return writer.bytes();
    };
    const [one, two] = await Promise.all([gzip(), gzip()]);
    expect(one.equals(two)).toBe(true);
    const used = cacheSpace.usedBytes;
    expect(used).toBeGreaterThan(1000);
    expect((await gzip()).equals(one)).toBe(true);
    expect(cacheSpace.usedBytes).toBe(used);
    collection.put(entryOf(500, 'second'));
    expect(cacheSpace.usedBytes).toBeLessThan(used);
    expect(gunzipSync(await gzip(321)).toString()).toBe(await textOf(snapshot().page({ selection: {}, limit: 321 })));
    const small = setUp(1000, new CacheBudget(2000));
    await small.snapshot().page({ selection: {} }).writeTo(new MemoryResponseWriter(), { head, tail, encoding: 'gzip' });
    expect(small.cacheSpace.usedBytes).toBeLessThanOrEqual(2000);
  });

  it('does not evict blocks of chunks for the block of the collection', async () => {
    const { cacheSpace: free, snapshot: all } = setUp(1000);
    const list = (page: ListPage) => page.writeTo(new MemoryResponseWriter(true), { head, tail, encoding: 'gzip' });
    await list(all().page({ selection: {} }));
    const blocks = free.usedBytes;
    const { cacheSpace, snapshot } = setUp(1000, new CacheBudget(1.5 * blocks));
    for (let n = 0; n < 5; n++) {
      await list(snapshot().page({ selection: {} }));
      expect(cacheSpace.usedBytes).toBe(blocks);
    }
  });

  it('of the collection is one gzip block after repeated lists, until a write', async () => {
    const { collection, cacheSpace, snapshot } = setUp(1000);
    const gzip = async (page: ListPage = snapshot().page({ selection: {} })) => {
      const writer = new MemoryResponseWriter(true);
      await page.writeTo(writer, { head, tail, encoding: 'gzip' });
      return { text: gunzipSync(writer.bytes()).toString(), segments: writer.writes.length };
    };
    const first = await gzip();
    expect(first.text === (await textOf(snapshot().page({ selection: {} })))).toBe(true);
    const blocks = cacheSpace.usedBytes;
    expect((await gzip()).segments).toBe(first.segments);
    const packed = await gzip();
    expect(packed.text === first.text).toBe(true);
    for (const query of [{ limit: 321 }, { start: keyOf('a', 'w00500') }, { start: keyOf('a', 'w00500'), limit: 10 }]) {
      const part = { selection: {}, ...query };
      expect((await gzip(snapshot().page(part))).text === (await textOf(snapshot().page(part)))).toBe(true);
    }
    expect(packed.segments).toBeLessThan(first.segments / 2);
    expect(cacheSpace.usedBytes).toBeGreaterThan(1.9 * blocks);
    const before = snapshot().page({ selection: {} });
    collection.put(entryOf(500, 'second'));
    expect(cacheSpace.usedBytes).toBeLessThan(blocks);
    expect((await gzip(before)).text === first.text).toBe(true);
    for (let list = 0; list < 5; list++) expect((await gzip()).text === (await textOf(snapshot().page({ selection: {} })))).toBe(true);
    expect((await gzip(before)).text === first.text).toBe(true);
  });

  it('by a label uses the index after the first request', async () => {
    const { collection, snapshot } = setUp(2000);
    const selection = { labels: createLabelSelector([{ key: 'app', operator: 'in', values: ['app-7'], spelling: '=' }]) };
    expect(collection.labels.indexedKeys).toBe(0);
    const page = await snapshot().find({ selection });
    expect(collection.labels.indexedKeys).toBe(1);
    expect(page.count).toBe(40);
    const before = snapshot();
    collection.remove(entryOf(7, '').key);
    collection.put(entryOf(57, 'second'));
    expect((await snapshot().find({ selection })).count).toBe(39);
    expect((await before.find({ selection })).count).toBe(40);
    const inB = await snapshot().find({ selection: { ...selection, namespace: 'b' }, limit: 5 });
    expect([...inB.objects].map(({ name }) => name)).toEqual(['w01007', 'w01057', 'w01107', 'w01157', 'w01207']);
    expect(inB.next).toBe(keyAfter(keyOf('b', 'w01207')));
  });

  it('finds an entry written while its label is being indexed', async () => {
    const { collection, snapshot } = setUp(3000);
    const selection = { labels: createLabelSelector([{ key: 'app', operator: 'in', values: ['app-7'], spelling: '=' }]) };
    const first = snapshot().find({ selection });
    collection.put(entryOf(50_007, 'new'));
    collection.remove(entryOf(7, '').key);
    expect((await first).count).toBe(60);
    expect((await snapshot().find({ selection })).count).toBe(60);
    expect([...(await snapshot().find({ selection })).objects].map(({ name }) => name)).toContain('w50007');
  });
});
