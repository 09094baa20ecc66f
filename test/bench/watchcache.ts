/**
 * The watch cache by itself, on a backend in memory: fill, lists, lists after writes, what snapshots keep alive,
 * fan-out. Figures are of one process without any HTTP: what a server adds is measured by the other rows.
 */
import { createLabelSelector } from '../../pkg/apimachinery/selectors/selector.ts';
import type { ResponseWriter } from '../../pkg/apimachinery/streams/response-writer.ts';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import { openWatchCache } from '../../pkg/watchcache/open-watch-cache.ts';
import type { ObjectAttributes, ResourceCache, Snapshot, WatchCache } from '../../pkg/watchcache/watch-cache.ts';
import { FakeBackend } from '../support/fake-backend.ts';
import { jsonOf, keyOf, widgets } from '../support/widgets.ts';

export interface WatchCacheFigures {
  readonly objects: number;
  readonly bytesPerObject: number;
  readonly fillMs: number;
  readonly listMs: number;
  readonly gzipFirstMs: number;
  readonly gzipAgainMs: number;
  readonly listAfterWritesMs: number;
  readonly gzipAfterWritesMs: number;
  readonly pageOf500Us: number;
  readonly selectFirstMs: number;
  readonly selectAgainUs: number;
  readonly getNs: number;
  readonly writeUs: number;
  readonly initialEventsMs: number;
  readonly liveMb: number;
  readonly liveAfterSnapshotsMb: number;
  readonly deliveriesPerSecond: number;
  readonly longestTickMs: number;
}

export interface WatchCacheBenchOptions {
  readonly objects: number;
  readonly padding: number;
  readonly watchers: number;
  readonly log: (line: string) => void;
}

class CountingWriter implements ResponseWriter {
  bytes = 0;
  writes = 0;
  readonly queuedBytes = 0;
  readonly closed = false;

  write(bytes: Uint8Array): boolean {
    this.bytes += bytes.byteLength;
    this.writes++;
    return true;
  }

  async drained(): Promise<void> {
    return undefined;
  }
}

/** As a server does it: the attributes stand near the front, so the whole is not parsed. */
function readAttributesFast(json: Buffer): ObjectAttributes {
  const end = json.indexOf('},"spec":');
  const { uid = '', labels } = JSON.parse(`${json.toString('utf8', json.indexOf('"metadata":') + 11, end)}}`) as Partial<ObjectAttributes>;
  return { uid, labels, fields: undefined };
}

const mb = (bytes: number) => Math.round(bytes / 1e5) / 10;
const frame = { head: Buffer.from('{"items":['), tail: Buffer.from(']}') };

async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round((performance.now() - from) * 100) / 100;
}

/** The longest time between two looks at the clock from the loop's own phases. */
function watchLoopTicks(): { longest: () => number } {
  let last = performance.now();
  let longest = 0;
  let isOn = true;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isOn) setImmediate(look);
  };
  setImmediate(look);
  return {
    longest: () => {
      isOn = false;
      return Math.round(longest * 10) / 10;
    },
  };
}

function liveBuffers(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().arrayBuffers;
}

const listAll = (resource: ResourceCache, encoding: 'identity' | 'gzip', writer = new CountingWriter()) =>
  resource
    .snapshot()
    .page({ selection: {} })
    .writeTo(writer, { ...frame, encoding });

export async function benchWatchCache({ objects, padding, watchers, log }: WatchCacheBenchOptions): Promise<WatchCacheFigures> {
  const backend = new FakeBackend();
  const nameOf = (i: number) => `widget-${String(i).padStart(7, '0')}`;
  const pad = 'abcdefghij'.repeat(Math.ceil(padding / 10)).slice(0, padding);
  const json = (i: number, round: number) =>
    jsonOf(
      `ns-${i % 20}`,
      nameOf(i),
      { app: `app-${i % 100}`, tier: i % 2 === 0 ? 'web' : 'db' },
      { color: 'red', round, pad: `${i}${pad}` },
    );
  for (let i = 0; i < objects; i++) backend.put(keyOf(`ns-${i % 20}`, nameOf(i)), json(i, 0));
  const before = liveBuffers();
  const resourceDefinition = { ...widgets, readAttributes: readAttributesFast };
  const ticks = watchLoopTicks();
  let cache: WatchCache | undefined;
  const fillMs = await timed(async () => {
    cache = openWatchCache({
      backend,
      resources: [resourceDefinition],
      clock: systemClock,
      log: silentLog,
      initialEventsEnd: 'example.com/end',
    });
    await cache.filled();
  });
  if (cache === undefined) throw new Error('not opened');
  const resource = cache.resource(widgets.name);
  log(`fill ${fillMs} ms, longest tick so far ${ticks.longest()} ms`);
  const later = watchLoopTicks();

  const listMs = await timed(() => listAll(resource, 'identity'));
  const gzipFirstMs = await timed(() => listAll(resource, 'gzip'));
  const gzipAgainMs = await timed(() => listAll(resource, 'gzip'));
  const liveMb = mb(liveBuffers() - before);

  const write = (count: number, round: number) => {
    for (let k = 0; k < count; k++) {
      const i = Math.floor(Math.random() * objects);
      backend.put(keyOf(`ns-${i % 20}`, nameOf(i)), json(i, round));
    }
  };
  const openCache = cache;
  const isFresh = async () => {
    if (!(await openCache.isFresh())) throw new Error('not caught up');
  };
  write(1000, 1);
  const writeUs = Math.round((await timed(isFresh)) * 100) / 100;
  const listAfterWritesMs = await timed(() => listAll(resource, 'identity'));
  const gzipAfterWritesMs = await timed(() => listAll(resource, 'gzip'));

  const pageOf500Us =
    (await timed(async () => {
      for (let k = 0; k < 100; k++) {
        const start = keyOf(`ns-${k % 20}`, nameOf(Math.floor(Math.random() * objects)));
        await resource
          .snapshot()
          .page({ selection: {}, limit: 500, start })
          .writeTo(new CountingWriter(), { ...frame, encoding: 'identity' });
      }
    })) * 10;
  const labels = createLabelSelector([{ key: 'app', operator: 'in', values: ['app-7'], spelling: '=' }]);
  const select = () =>
    resource
      .snapshot()
      .page({ selection: { labels } })
      .writeTo(new CountingWriter(), { ...frame, encoding: 'identity' });
  const selectFirstMs = await timed(select);
  const selectAgainUs =
    (await timed(async () => {
      for (let k = 0; k < 10; k++) await select();
    })) * 100;
  const keys = Array.from({ length: 10_000 }, () => {
    const i = Math.floor(Math.random() * objects);
    return keyOf(`ns-${i % 20}`, nameOf(i));
  });
  const getNs =
    (await timed(() => {
      for (const key of keys) if (resource.get(key)?.itemBytes.length === 0) throw new Error('empty');
    })) * 100;

  const stop = new AbortController();
  const initialWriter = new CountingWriter();
  const initialEventsMs = await timed(async () => {
    void resource.watch(
      { selection: {}, from: resource.revision, initialEvents: true, bookmarks: true, signal: stop.signal },
      initialWriter,
    );
    while (initialWriter.bytes < objects * padding) await new Promise((resolve) => setImmediate(resolve));
  });
  stop.abort();

  const snapshots: Snapshot[] = [];
  for (let round = 0; round < 20; round++) {
    write(300, 2 + round);
    await isFresh();
    snapshots.push(resource.snapshot());
    await listAll(resource, 'identity');
  }
  const liveAfterSnapshotsMb = mb(liveBuffers() - before);

  const stopAll = new AbortController();
  const writers = Array.from({ length: watchers }, () => new CountingWriter());
  const streams = writers.map((writer) =>
    resource.watch({ selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stopAll.signal }, writer),
  );
  const fanOutMs = await timed(async () => {
    // One writer that waits for its own write, as over HTTP: one event per tick.
    for (let k = 0; k < 1000; k++) {
      write(1, 100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await isFresh();
  });
  stopAll.abort();
  const outcomes = await Promise.all(streams);
  const delivered = outcomes.reduce((sum, { events }) => sum + events, 0);
  if (delivered !== watchers * 1000) log(`lost or doubled: ${delivered} of ${watchers * 1000}`);
  if (snapshots.some(({ size }) => size !== objects)) throw new Error('a snapshot changed');

  const figures: WatchCacheFigures = {
    objects,
    bytesPerObject: json(0, 0).length,
    fillMs,
    listMs,
    gzipFirstMs,
    gzipAgainMs,
    listAfterWritesMs,
    gzipAfterWritesMs,
    pageOf500Us,
    selectFirstMs,
    selectAgainUs,
    getNs,
    writeUs,
    initialEventsMs,
    liveMb,
    liveAfterSnapshotsMb,
    deliveriesPerSecond: Math.round(delivered / (fanOutMs / 1000)),
    longestTickMs: later.longest(),
  };
  await cache.close();
  return figures;
}
