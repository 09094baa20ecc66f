import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { createLabelSelector } from '../../apimachinery/selectors/selector.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { createStampedRepresentation, stamped, type StampedRepresentation } from '../../../test/support/stamped-representation.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../../test/support/widgets.ts';
import { CacheBudget } from '../representations/cache-budget.ts';
import { openWatchCache } from '../open-watch-cache.ts';
import type { Representation } from '../representations/representation.ts';
import type { ResourceCache, Selection, WatchCache, CacheWatchRequest } from '../watch-cache.ts';

const open: WatchCache[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

interface Opened {
  readonly backend: FakeBackend;
  readonly cache: WatchCache;
  readonly resource: ResourceCache;
  readonly cacheSpace: CacheBudget;
}

const nameOf = (index: number): string => `w${String(index).padStart(5, '0')}`;

/** With `count` objects in namespace `a`, each tenth labelled. */
async function openCache(count: number, { representationCacheBytes = 1_000_000, ringBytes = 1_000_000 } = {}): Promise<Opened> {
  const backend = new FakeBackend();
  for (let i = 0; i < count; i++) backend.put(keyOf('a', nameOf(i)), jsonOf('a', nameOf(i), i % 10 === 0 ? { tenth: 'yes' } : {}));
  const cacheSpace = new CacheBudget(representationCacheBytes);
  const cache = openWatchCache({
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/end',
    cacheSpace,
    ringBytes,
  });
  open.push(cache);
  await cache.filled();
  return { backend, cache, resource: cache.resource(widgets.name), cacheSpace };
}

interface ListOptions {
  readonly encoding?: 'identity' | 'gzip';
  readonly selection?: Selection;
  readonly limit?: number;
}

/** The bytes of a list in the representation. */
async function list(
  { resource }: Opened,
  representation: Representation,
  { encoding = 'identity', selection = {}, limit = 0 }: ListOptions = {},
): Promise<Buffer> {
  const page = await resource.snapshot().find({ selection, limit });
  const writer = new MemoryResponseWriter();
  await page.writeTo(writer, { head: Buffer.from('['), tail: Buffer.from(']'), encoding, representation });
  return writer.bytes();
}

const shown = ({ resource }: Opened, at: number): string =>
  `[${[...resource.snapshot().page({ selection: {} }).objects].map(({ itemBytes }) => stamped(itemBytes.toString(), at)).join(',')}]`;

const preparing = async (representation: StampedRepresentation, work: () => Promise<unknown>): Promise<number> => {
  const before = representation.prepared();
  await work();
  return representation.prepared() - before;
};

describe('A list in a derived representation', () => {
  it('encodes each object once', async () => {
    const opened = await openCache(1000);
    const representation = createStampedRepresentation(() => 0);
    expect(await preparing(representation, () => list(opened, representation))).toBe(1000);
    expect(await preparing(representation, () => list(opened, representation))).toBe(0);
    expect(await preparing(representation, () => list(opened, representation, { encoding: 'gzip' }))).toBe(0);
    expect(await preparing(representation, () => list(opened, representation, { limit: 500 }))).toBe(0);
  });

  it('encodes only written objects after a write, even if chunks are split and merged', async () => {
    const opened = await openCache(1000);
    const { backend, cache } = opened;
    const representation = createStampedRepresentation(() => 0);
    await list(opened, representation);
    const write = async (work: () => void): Promise<number> => {
      work();
      await cache.isFresh();
      const prepared = await preparing(representation, () => list(opened, representation));
      expect((await list(opened, representation)).toString()).toBe(shown(opened, 0));
      return prepared;
    };
    expect(await write(() => backend.put(keyOf('a', nameOf(500)), jsonOf('a', nameOf(500), { changed: 'yes' })))).toBe(1);
    expect(await write(() => backend.put(keyOf('a', `${nameOf(500)}-x`), jsonOf('a', `${nameOf(500)}-x`)))).toBe(1);
    expect(await write(() => backend.delete(keyOf('a', nameOf(501))))).toBe(0);
    expect(
      await write(() => {
        for (let i = 0; i < 300; i++) backend.put(keyOf('a', `${nameOf(600)}-${i}`), jsonOf('a', `${nameOf(600)}-${i}`));
      }),
    ).toBe(300);
    expect(
      await write(() => {
        for (let i = 100; i < 900; i++) backend.delete(keyOf('a', nameOf(i)));
      }),
    ).toBe(0);
  });

  it('shows the time of the response, and deflates a chunk again only if it changed', async () => {
    let time = 0;
    const opened = await openCache(300);
    const representation = createStampedRepresentation(() => time);
    const first = await list(opened, representation, { encoding: 'gzip' });
    time = 9;
    const used = opened.cacheSpace.usedBytes;
    expect(await list(opened, representation, { encoding: 'gzip' })).toEqual(first);
    time = 10;
    const later = await list(opened, representation, { encoding: 'gzip' });
    expect(gunzipSync(first).toString()).toBe(shown(opened, 0));
    expect(gunzipSync(later).toString()).toBe(shown(opened, 10));
    expect((await list(opened, representation)).toString()).toBe(shown(opened, 10));
    // The earlier blocks use no space in the budget.
    expect(opened.cacheSpace.usedBytes).toBeLessThan(used * 1.1);
  });

  it('keeps its caches within the budget, and is correct without them', async () => {
    const opened = await openCache(1000, { representationCacheBytes: 20_000 });
    const representation = createStampedRepresentation(() => 0);
    for (const encoding of ['identity', 'gzip', 'identity', 'gzip'] as const) {
      const bytes = await list(opened, representation, { encoding });
      expect((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()).toBe(shown(opened, 0));
      expect(opened.cacheSpace.usedBytes).toBeLessThanOrEqual(20_000);
    }
    expect(representation.prepared()).toBeGreaterThan(1000);
  });

  it('frees the budget of superseded chunks', async () => {
    const opened = await openCache(300);
    const representation = createStampedRepresentation(() => 0);
    await list(opened, representation, { encoding: 'gzip' });
    for (let i = 0; i < 300; i++) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.isFresh();
    expect(opened.cacheSpace.usedBytes).toBe(0);
  });

  it('of an old snapshot shows the old state', async () => {
    const opened = await openCache(300);
    const representation = createStampedRepresentation(() => 0);
    await list(opened, representation);
    const snapshot = opened.resource.snapshot();
    const before = shown(opened, 0);
    for (let i = 0; i < 300; i += 3) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.isFresh();
    const frame = { head: Buffer.from('['), tail: Buffer.from(']'), representation };
    const [identity, gzip] = [new MemoryResponseWriter(), new MemoryResponseWriter()];
    // Current objects are cached; replaced ones are not, since no budget would bound them.
    expect(
      await preparing(representation, () => snapshot.page({ selection: {} }).writeTo(identity, { ...frame, encoding: 'identity' })),
    ).toBe(100);
    await snapshot.page({ selection: {} }).writeTo(gzip, { ...frame, encoding: 'gzip' });
    expect(identity.text()).toBe(before);
    expect(gunzipSync(gzip.bytes()).toString()).toBe(before);
    expect(opened.cacheSpace.usedBytes).toBeLessThan(300 * 110);
  });

  it('shows selected objects', async () => {
    const opened = await openCache(1000);
    const labels = createLabelSelector([{ key: 'tenth', operator: 'in', values: ['yes'], spelling: '=' }]);
    const rows = JSON.parse(
      (
        await list(
          opened,
          createStampedRepresentation(() => 0),
          { selection: { labels } },
        )
      ).toString(),
    ) as unknown[];
    expect(rows).toHaveLength(100);
  });

  it('does not mix two representations', async () => {
    const opened = await openCache(10);
    const [early, late] = [createStampedRepresentation(() => 0, 'Early'), createStampedRepresentation(() => 50, 'Late')];
    expect((await list(opened, early)).toString()).toBe(shown(opened, 0));
    expect((await list(opened, late)).toString()).toBe(shown(opened, 50));
    expect((await list(opened, early)).toString()).toBe(shown(opened, 0));
  });
});

function startWatch({ resource }: Opened, request: Partial<CacheWatchRequest>): MemoryResponseWriter {
  const stop = new AbortController();
  stops.push(stop);
  const writer = new MemoryResponseWriter();
  void resource.watch(
    { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal, ...request },
    writer,
  );
  return writer;
}

describe('A watch in a derived representation', () => {
  it('receives the same events as a plain one, with 10,000 rows and a start at an old revision', async () => {
    const opened = await openCache(10_000, { ringBytes: 32_000_000 });
    const representation = createStampedRepresentation(() => 0);
    const initial = { initialEvents: true, bookmarks: true };
    const streams = { plain: startWatch(opened, initial), formed: startWatch(opened, { ...initial, representation }) };
    const from = opened.resource.revision;
    for (let i = 0; i < 2000; i++) opened.backend.put(keyOf('a', nameOf(i * 3)), jsonOf('a', nameOf(i * 3), { changed: 'yes' }));
    for (let i = 0; i < 100; i++) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.isFresh();
    const resumed = { plain: startWatch(opened, { from }), formed: startWatch(opened, { from, representation }) };
    const count = (writer: MemoryResponseWriter) => writer.text().split('\n').length - 1;
    await waitFor(() => [streams.plain, streams.formed].every((writer) => count(writer) >= 12_101), { what: 'the first two', everyMs: 1 });
    await waitFor(() => [resumed.plain, resumed.formed].every((writer) => count(writer) >= 2100), { what: 'the resumed', everyMs: 1 });
    // The same lines in the same order, each object in its representation.
    const asFormed = (writer: MemoryResponseWriter): string =>
      writer.text().replaceAll(/"object":\{"kind":"Widget","apiVersion":"example.com\/v1",(.*)\}$/gm, '"object":{"t":0,"of":{$1}}');
    expect(asFormed(streams.plain) === streams.formed.text()).toBe(true);
    expect(asFormed(resumed.plain) === resumed.formed.text()).toBe(true);
    expect(count(streams.formed)).toBe(12_101);
    expect(count(resumed.formed)).toBe(2100);
  });

  it('shares encoded lines with equal watches, while they are valid', async () => {
    let time = 0;
    let made = 0;
    const opened = await openCache(1);
    const stampedRepresentation = createStampedRepresentation(() => time);
    const representation: Representation = {
      ...stampedRepresentation,
      eventObject: (itemBytes, at) => {
        made++;
        return stampedRepresentation.eventObject(itemBytes, at);
      },
    };
    const from = opened.resource.revision;
    const writers = [
      startWatch(opened, { representation }),
      startWatch(opened, { representation }),
      startWatch(opened, { representation, selection: { namespace: 'a' } }),
    ];
    opened.backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    await waitFor(() => writers.every((writer) => writer.text() !== ''), { what: 'the lines', everyMs: 1 });
    expect(made).toBe(1);
    const late = startWatch(opened, { representation, from });
    await waitFor(() => late.text() !== '', { what: 'the line', everyMs: 1 });
    expect(made).toBe(1);
    time = 30;
    const later = startWatch(opened, { representation, from });
    await waitFor(() => later.text() !== '', { what: 'the line', everyMs: 1 });
    expect(made).toBe(2);
    expect(late.text()).toContain('{"t":0,');
    expect(later.text()).toContain('{"t":3,');
  });

  it('shows the last state of a deleted object with the revision of the deletion', async () => {
    const opened = await openCache(1);
    const writer = startWatch(opened, { representation: createStampedRepresentation(() => 0) });
    const revision = opened.backend.delete(keyOf('a', nameOf(0)));
    await waitFor(() => writer.text() !== '', { what: 'the line', everyMs: 1 });
    expect(writer.lines()).toEqual([
      {
        type: 'DELETED',
        object: {
          t: 0,
          of: {
            metadata: {
              resourceVersion: String(revision),
              name: nameOf(0),
              namespace: 'a',
              uid: `uid-${nameOf(0)}`,
              labels: { tenth: 'yes' },
            },
            spec: {},
          },
        },
      },
    ]);
  });

  it('receives bookmarks in its representation, and errors unchanged', async () => {
    const opened = await openCache(2, { ringBytes: 1 });
    const representation = createStampedRepresentation(() => 0);
    const writer = startWatch(opened, { representation, initialEvents: true, bookmarks: true });
    await waitFor(() => writer.lines().length === 3, { what: 'the lines', everyMs: 1 });
    expect(writer.lines().at(-1)).toEqual({
      type: 'BOOKMARK',
      object: {
        t: 0,
        of: { metadata: { resourceVersion: String(opened.resource.revision), annotations: { 'example.com/end': 'true' } }, spec: {} },
      },
    });
    const from = opened.resource.revision;
    for (let i = 0; i < 4; i++) opened.backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { i: String(i) }));
    await opened.cache.isFresh();
    const expired = startWatch(opened, { representation, from });
    await waitFor(() => expired.text() !== '', { what: 'the error', everyMs: 1 });
    expect(expired.lines()).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410 } }]);
  });

  it('counts its lines while they are in the ring', async () => {
    const opened = await openCache(1, { ringBytes: 100_000 });
    const representation = createStampedRepresentation(() => 0);
    const writer = startWatch(opened, { representation });
    const put = async (name: string): Promise<void> => {
      const before = writer.writes.length;
      opened.backend.put(keyOf('a', name), jsonOf('a', name, {}, { pad: 'x'.repeat(1000) }));
      await waitFor(() => writer.writes.length > before, { what: 'the line', everyMs: 1 });
    };
    for (let i = 0; i < 400; i++) await put(nameOf(i));
    const { ringBytes, ringEvents } = opened.resource.stats;
    expect(ringBytes).toBeLessThanOrEqual(100_000 + 3000);
    // Without lines in another representation 30 more would fit.
    expect(ringEvents * 2300).toBeLessThan(100_000);
    expect(ringEvents * 2700).toBeGreaterThan(70_000);
  });
});
