import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { createLabelSelector } from '../../apimachinery/selectors/selector.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { createContextFreeRepresentation } from '../../../test/support/context-free-representation.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../../test/support/widgets.ts';
import { CacheBudget } from '../representations/cache-budget.ts';
import { openWatchCache } from '../open-watch-cache.ts';
import type { Representation } from '../representations/representation.ts';
import type { PageQuery, ResourceCache, Snapshot, WatchCache, CacheWatchRequest } from '../watch-cache.ts';

const open: WatchCache[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

const nameOf = (index: number): string => `w${String(index).padStart(5, '0')}`;

interface Opened {
  readonly backend: FakeBackend;
  readonly cache: WatchCache;
  readonly resource: ResourceCache;
  readonly cacheSpace: CacheBudget;
}

async function openCache(count: number, { representationCacheBytes = 10_000_000, ringBytes = 1_000_000 } = {}): Promise<Opened> {
  const backend = new FakeBackend();
  for (let i = 0; i < count; i++) backend.put(keyOf('a', nameOf(i)), jsonOf('a', nameOf(i), i % 10 === 0 ? { tenth: 'yes' } : {}));
  const cacheSpace = new CacheBudget(representationCacheBytes);
  const options = {
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/end',
    cacheSpace,
    ringBytes,
  };
  const cache = openWatchCache(options);
  open.push(cache);
  await cache.filled();
  return { backend, cache, resource: cache.resource(widgets.name), cacheSpace };
}

const ENCODINGS = ['identity', 'gzip'] as const;

/** The decompressed list, preceded by the length that its head received. */
async function list(
  snapshot: Snapshot,
  representation: Representation,
  encoding: (typeof ENCODINGS)[number] = 'identity',
  query: PageQuery = { selection: {} },
): Promise<string> {
  const page = await snapshot.find(query);
  const writer = new MemoryResponseWriter();
  await page.writeTo(writer, { head: (byteLength) => Buffer.from(`${byteLength}:`), tail: Buffer.from('.'), encoding, representation });
  return (encoding === 'gzip' ? gunzipSync(writer.bytes()) : writer.bytes()).toString();
}

function shown(snapshot: Snapshot, query: PageQuery = { selection: {} }): string {
  const text = [...snapshot.page(query).objects].map(({ itemBytes }) => `<${itemBytes.toString()}>`).join('');
  return `${Buffer.byteLength(text)}:${text}.`;
}

const tenth = { labels: createLabelSelector([{ key: 'tenth', operator: 'in', values: ['yes'], spelling: '=' }]) };

describe('A list in a context-free representation', () => {
  it.each(ENCODINGS)('starts with the total length of its concatenated objects (%s)', async (encoding) => {
    for (const count of [0, 1, 30, 2000]) {
      const snapshot = (await openCache(count)).resource.snapshot();
      const representation = createContextFreeRepresentation();
      for (const query of [{ selection: {} }, { selection: {}, limit: 500 }, { selection: tenth }]) {
        expect(await list(snapshot, representation, encoding, query)).toBe(shown(snapshot, query));
        expect(await list(snapshot, representation, encoding, query)).toBe(shown(snapshot, query));
      }
    }
  });

  it('encodes each object once, and after a write only the written one', async () => {
    const { backend, cache, resource } = await openCache(2000);
    const representation = createContextFreeRepresentation();
    await list(resource.snapshot(), representation);
    await list(resource.snapshot(), representation, 'gzip');
    await list(resource.snapshot(), representation, 'identity', { selection: {}, limit: 500 });
    expect(representation.prepared()).toBe(2000);
    backend.put(keyOf('a', nameOf(700)), jsonOf('a', nameOf(700), { changed: 'yes' }));
    await cache.isFresh();
    expect(await list(resource.snapshot(), representation)).toBe(shown(resource.snapshot()));
    expect(representation.prepared()).toBe(2001);
  });

  it.each(ENCODINGS)('is correct and measured once with a tiny budget (%s)', async (encoding) => {
    const { resource, cacheSpace } = await openCache(2000, { representationCacheBytes: 50_000 });
    const representation = createContextFreeRepresentation();
    for (let times = 0; times < 3; times++) {
      expect(await list(resource.snapshot(), representation, encoding)).toBe(shown(resource.snapshot()));
      expect(cacheSpace.usedBytes).toBeLessThanOrEqual(50_000);
    }
    expect(representation.prepared()).toBeLessThanOrEqual(6000);
  });

  it.each(ENCODINGS)('of an old snapshot shows the old state (%s)', async (encoding) => {
    const { backend, cache, resource } = await openCache(2000);
    const representation = createContextFreeRepresentation();
    const snapshot = resource.snapshot();
    const before = shown(snapshot);
    for (let i = 0; i < 2000; i += 3) backend.delete(keyOf('a', nameOf(i)));
    await cache.isFresh();
    expect(await list(snapshot, representation, encoding)).toBe(before);
  });

  it('is not encoded for a disconnected reader', async () => {
    const { resource } = await openCache(2000);
    const writer = new MemoryResponseWriter();
    writer.close();
    const page = await resource.snapshot().find({ selection: {} });
    const representation = createContextFreeRepresentation();
    await page.writeTo(writer, { head: () => Buffer.alloc(1), tail: Buffer.alloc(1), encoding: 'identity', representation });
    expect([writer.writes, representation.prepared() < 2000]).toEqual([[], true]);
  });
});

function startWatch({ resource }: Opened, request: Partial<CacheWatchRequest>): MemoryResponseWriter {
  const stop = new AbortController();
  stops.push(stop);
  const writer = new MemoryResponseWriter();
  const defaults = { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal };
  void resource.watch({ ...defaults, ...request }, writer);
  return writer;
}

const linesOf = (writer: MemoryResponseWriter): string[] => writer.text().split('\n').slice(0, -1);

describe('A context-free representation', () => {
  it('encodes each revision once for lists, single reads and watches', async () => {
    const opened = await openCache(300);
    const { backend, cache, resource } = opened;
    const representation = createContextFreeRepresentation();
    const watch = startWatch(opened, { representation, initialEvents: true });
    await waitFor(() => linesOf(watch).length === 300, { what: 'the initial events', everyMs: 1 });
    await list(resource.snapshot(), representation);
    backend.put(keyOf('a', nameOf(5)), jsonOf('a', nameOf(5), { changed: 'yes' }));
    await cache.isFresh();
    const cached = resource.get(keyOf('a', nameOf(5)));
    if (cached === undefined) throw new Error('it is gone');
    expect(resource.singleObject(cached, representation)?.toString()).toBe(`(${cached.itemBytes.toString()})`);
    await waitFor(() => linesOf(watch).length === 301, { what: 'the change', everyMs: 1 });
    for (const query of [
      { selection: {} },
      { selection: {}, limit: 100 },
      { selection: tenth },
      { selection: { namespace: 'a', name: nameOf(5) } },
    ]) {
      for (const encoding of ENCODINGS)
        expect(await list(resource.snapshot(), representation, encoding, query)).toBe(shown(resource.snapshot(), query));
    }
    const late = startWatch(opened, { representation, initialEvents: true });
    await waitFor(() => linesOf(late).length === 300, { what: 'the initial events', everyMs: 1 });
    expect(linesOf(watch).at(-1)).toBe(`MODIFIED (${cached.itemBytes.toString()})`);
    expect([representation.prepared(), representation.composed()]).toEqual([301, 0]);
  });

  it('encodes an object once, whether a selector or a single read comes first', async () => {
    const { resource } = await openCache(300);
    const representation = createContextFreeRepresentation();
    await list(resource.snapshot(), representation, 'identity', { selection: tenth });
    const cached = resource.get(keyOf('a', nameOf(5)));
    if (cached === undefined) throw new Error('it is gone');
    resource.singleObject(cached, representation);
    expect(representation.prepared()).toBe(31);
    await list(resource.snapshot(), representation);
    expect(representation.prepared()).toBe(300);
  });

  it('shows a change whose object was replaced since', async () => {
    const opened = await openCache(10);
    const { backend, cache, resource } = opened;
    const from = resource.revision;
    for (const step of ['1', '2']) backend.put(keyOf('a', nameOf(5)), jsonOf('a', nameOf(5), { step }));
    const revision = backend.delete(keyOf('a', nameOf(5)));
    await cache.isFresh();
    const watch = startWatch(opened, { representation: createContextFreeRepresentation(), from });
    await waitFor(() => linesOf(watch).length === 3, { what: 'the changes', everyMs: 1 });
    expect(linesOf(watch)).toEqual([
      expect.stringMatching(/^MODIFIED \(.*"step":"1"/),
      expect.stringMatching(/^MODIFIED \(.*"step":"2"/),
      expect.stringContaining(`DELETED ({"metadata":{"resourceVersion":"${revision}",`),
    ]);
  });

  it('encodes bookmarks and errors of watches', async () => {
    const opened = await openCache(2, { ringBytes: 1 });
    const { backend, cache, resource } = opened;
    const from = resource.revision;
    const watch = startWatch(opened, { representation: createContextFreeRepresentation(), initialEvents: true, bookmarks: true });
    await waitFor(() => linesOf(watch).length === 3, { what: 'the bookmark', everyMs: 1 });
    expect(linesOf(watch).at(-1)).toMatch(/^BOOKMARK \(.*"example.com\/end":"true"/);
    for (let i = 0; i < 4; i++) backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { i: String(i) }));
    await cache.isFresh();
    const expired = startWatch(opened, { representation: createContextFreeRepresentation(), from });
    await waitFor(() => linesOf(expired).length === 1, { what: 'the error', everyMs: 1 });
    expect(linesOf(expired)).toEqual(['ERROR (Expired)']);
  });
});
