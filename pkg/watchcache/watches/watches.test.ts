import { afterEach, describe, expect, it } from '@jest/globals';
import { createFieldSelector, createLabelSelector } from '../../apimachinery/selectors/selector.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { toRevision } from '../../storage/backend.ts';
import { StorageError } from '../../storage/errors.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { deadline, waitFor } from '../../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../../test/support/widgets.ts';
import { openWatchCache, type WatchCacheOptions } from '../open-watch-cache.ts';
import type { ResourceCache, WatchCache, WatchOutcome, CacheWatchRequest } from '../watch-cache.ts';

const BROKEN = { key: 'app', operator: 'exists', values: [], spelling: '' } as const;

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
}

async function openCache(options: Partial<WatchCacheOptions> = {}, backend = new FakeBackend()): Promise<Opened> {
  const cache = openWatchCache({
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/end',
    ...options,
  });
  open.push(cache);
  await cache.filled();
  return { backend, cache, resource: cache.resource(widgets.name) };
}

interface Streaming {
  readonly writer: MemoryResponseWriter;
  readonly stop: AbortController;
  readonly outcome: Promise<WatchOutcome>;
}

function startWatch({ resource }: Opened, request: Partial<CacheWatchRequest> = {}): Streaming {
  const stop = new AbortController();
  stops.push(stop);
  const writer = new MemoryResponseWriter();
  const defaults = { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal };
  return { writer, stop, outcome: resource.watch({ ...defaults, ...request }, writer) };
}

interface Line {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name?: string; readonly resourceVersion?: string }; readonly code?: number };
}
const linesOf = ({ writer }: Streaming) => writer.lines() as Line[];
const namesOf = (stream: Streaming) => linesOf(stream).map(({ object }) => object.metadata.name);
const ticks = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a watch', () => {
  it('receives only changes in its selection', async () => {
    const opened = await openCache();
    const { backend, cache } = opened;
    const label = (value: string) => createLabelSelector([{ key: 'app', operator: 'in', values: [value], spelling: '=' }]);
    const color = (value: string) => createFieldSelector([{ field: 'spec.color', operator: '=', value }]);
    const name = createFieldSelector([{ field: 'metadata.name', operator: '=', value: 'two' }]);
    const streams = {
      all: startWatch(opened),
      namespaceA: startWatch(opened, { selection: { namespace: 'a' } }),
      nameTwo: startWatch(opened, { selection: { name: 'two' } }),
      fieldNameTwo: startWatch(opened, { selection: { fields: name } }),
      appX: startWatch(opened, { selection: { labels: label('x') } }),
      red: startWatch(opened, { selection: { fields: color('red') } }),
      redInB: startWatch(opened, { selection: { namespace: 'b', fields: color('red') } }),
      nobody: startWatch(opened, { selection: { namespace: 'c' } }),
    };
    backend.put(keyOf('a', 'one'), jsonOf('a', 'one', { app: 'x' }, { color: 'red' }));
    backend.put(keyOf('a', 'two'), jsonOf('a', 'two', { app: 'y' }, { color: 'green' }));
    backend.put(keyOf('b', 'three'), jsonOf('b', 'three', {}, { color: 'red' }));
    backend.put(keyOf('b', 'two'), jsonOf('b', 'two', { app: 'x' }));
    await cache.isFresh();
    await waitFor(() => linesOf(streams.all).length === 4, { what: 'four lines', everyMs: 1 });
    await ticks(2);
    expect(Object.fromEntries(Object.entries(streams).map(([key, stream]) => [key, namesOf(stream)]))).toEqual({
      all: ['one', 'two', 'three', 'two'],
      namespaceA: ['one', 'two'],
      nameTwo: ['two', 'two'],
      fieldNameTwo: ['two', 'two'],
      appX: ['one', 'two'],
      red: ['one', 'three'],
      redInB: ['three'],
      nobody: [],
    });
  });

  it('receives concurrent events in joint writes, shared by equal selections', async () => {
    const opened = await openCache();
    const streams = [startWatch(opened), startWatch(opened), startWatch(opened)];
    await ticks(2);
    for (let i = 0; i < 50; i++) opened.backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`));
    await waitFor(() => streams.every((stream) => linesOf(stream).length === 50), { what: 'the lines', everyMs: 1 });
    const [first = [], ...others] = streams.map(({ writer }) => writer.writes);
    // One, if the work fits one tick.
    expect(first.length).toBeLessThan(25);
    // The same memory, not only equal bytes.
    for (const writes of others) {
      expect(writes.map(({ buffer }, index) => buffer === first[index]?.buffer)).toEqual(first.map(() => true));
      expect(writes.map(({ byteOffset, byteLength }) => [byteOffset, byteLength])).toEqual(
        first.map(({ byteOffset, byteLength }) => [byteOffset, byteLength]),
      );
    }
  });

  it('is ended if its reader lags too far behind, without effect on other watches', async () => {
    const opened = await openCache({ maxBehindBytes: 200_000, maxQueuedBytes: 10_000 });
    const slow = startWatch(opened);
    const quick = startWatch(opened);
    slow.writer.pause();
    const pad = 'x'.repeat(5000);
    for (let i = 0; i < 100; i++) {
      opened.backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`, {}, { pad }));
      await waitFor(() => linesOf(quick).length > i, { what: 'the line', everyMs: 0 });
    }
    expect((await slow.outcome).reason).toBe('slow');
    // It was sent what its connection may queue, and the write that exceeded it.
    expect(slow.writer.queuedBytes).toBeLessThan(25_000);
    expect(linesOf(quick)).toHaveLength(100);
    expect(opened.resource.stats).toMatchObject({ watchers: 1, lagging: 0 });
  });

  it('continues after a slow reader recovers', async () => {
    const opened = await openCache({ maxQueuedBytes: 1000 });
    const stream = startWatch(opened);
    for (let i = 0; i < 60; i++) {
      if (i % 10 === 3) stream.writer.pause();
      if (i % 10 === 8) stream.writer.resume();
      opened.backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`, {}, { pad: 'x'.repeat(400) }));
      await ticks(i % 3);
    }
    stream.writer.resume();
    await waitFor(() => linesOf(stream).length >= 60, { what: 'the lines', everyMs: 1 });
    expect(namesOf(stream)).toEqual(Array.from({ length: 60 }, (_, i) => `w${i}`));
  });

  it('loses nothing if it becomes slow within a burst of several batches', async () => {
    const opened = await openCache({ maxQueuedBytes: 1000 });
    const stream = startWatch(opened);
    await ticks(2);
    stream.writer.pause();
    for (let i = 0; i < 60; i++) opened.backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`, {}, { pad: 'x'.repeat(100_000) }));
    await opened.cache.isFresh();
    await waitFor(() => opened.resource.stats.lagging === 1, { what: 'the lag', everyMs: 1 });
    stream.writer.resume();
    await waitFor(() => linesOf(stream).length >= 60, { what: 'the lines', everyMs: 1 });
    await ticks(2);
    expect(namesOf(stream)).toEqual(Array.from({ length: 60 }, (_, i) => `w${i}`));
  });

  it('is silent until a revision in the future is reached', async () => {
    const opened = await openCache();
    const stream = startWatch(opened, { from: toRevision(opened.resource.revision + 2) });
    for (let i = 0; i < 4; i++) opened.backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`));
    await waitFor(() => linesOf(stream).length === 2, { what: 'the lines', everyMs: 1 });
    expect(namesOf(stream)).toEqual(['w2', 'w3']);
  });

  it('with initial events at a future revision ends with 504 after three seconds', async () => {
    const clock = new ManualClock(0);
    const opened = await openCache({ clock });
    const stream = startWatch(opened, { initialEvents: true, from: toRevision(100) });
    await ticks(1);
    clock.advance(3000);
    expect((await stream.outcome).reason).toBe('future');
    expect(stream.writer.text()).toBe(
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: 100, current: 1","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}}\n',
    );
  });

  it('receives a bookmark every minute on request, also without own events', async () => {
    const clock = new ManualClock(0);
    const opened = await openCache({ clock });
    const asked = startWatch(opened, { bookmarks: true });
    const silent = startWatch(opened);
    await ticks(2);
    const revision = opened.backend.write(keyOf('a', 'x'), undefined);
    await opened.cache.isFresh();
    for (let i = 0; i < 4; i++) {
      clock.advance(15_000);
      await ticks(3);
    }
    expect(asked.writer.text()).toBe(
      `{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"${revision}"},"spec":{}}}\n`,
    );
    expect(silent.writer.text()).toBe('');
  });

  it('ends with a bookmark on timeout, and with nothing after a disconnect', async () => {
    const opened = await openCache();
    const ended = startWatch(opened, { bookmarks: true });
    const gone = startWatch(opened, { bookmarks: true });
    await ticks(2);
    ended.stop.abort();
    gone.writer.close();
    gone.stop.abort();
    expect((await ended.outcome).reason).toBe('aborted');
    expect((await gone.outcome).reason).toBe('aborted');
    expect(linesOf(ended)).toMatchObject([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } }]);
    expect(linesOf(gone)).toEqual([]);
  });

  it('ends with a bookmark before an undelivered change', async () => {
    const opened = await openCache();
    const ended = startWatch(opened, { bookmarks: true });
    await ticks(2);
    const revision = opened.backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    // Applied, and delivered in a later tick.
    for (let hop = 0; opened.resource.revision < revision && hop < 1000; hop++) await Promise.resolve();
    expect([opened.resource.revision, ended.writer.text()]).toEqual([revision, '']);
    ended.stop.abort();
    expect((await ended.outcome).reason).toBe('aborted');
    await ticks(2);
    expect(linesOf(ended)).toMatchObject([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(revision - 1) } } }]);
  });

  it('writes nothing after its ERROR line, even if it is ended at the same time', async () => {
    const opened = await openCache();
    const stop = new AbortController();
    class AbortingWriter extends MemoryResponseWriter {
      override write(bytes: Uint8Array): boolean {
        const more = super.write(bytes);
        stop.abort();
        return more;
      }
    }
    const writer = new AbortingWriter();
    const { resource, backend } = opened;
    const outcome = resource.watch(
      { selection: {}, from: resource.revision, initialEvents: false, bookmarks: true, signal: stop.signal },
      writer,
    );
    await ticks(2);
    backend.breakWatch(new StorageError('Compacted', 'compacted'));
    expect((await outcome).reason).toBe('expired');
    expect(writer.lines()).toMatchObject([{ type: 'ERROR' }]);
  });

  it('writes initial events in large segments and continues after them', async () => {
    const backend = new FakeBackend();
    const pad = 'x'.repeat(3000);
    for (let i = 0; i < 500; i++) backend.put(keyOf('a', `w${String(i).padStart(3, '0')}`), jsonOf('a', 'w', {}, { pad }));
    const opened = await openCache({}, backend);
    const stream = startWatch(opened, { initialEvents: true, bookmarks: true });
    backend.put(keyOf('a', 'later'), jsonOf('a', 'later'));
    await waitFor(() => linesOf(stream).length === 502, { what: 'the lines', everyMs: 1 });
    expect(linesOf(stream).map(({ type }) => type)).toEqual([...Array.from({ length: 500 }, () => 'ADDED'), 'BOOKMARK', 'ADDED']);
    const sizes = stream.writer.writes.slice(0, -3).map(({ length }) => length);
    expect(Math.min(...sizes)).toBeGreaterThan(64 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
  });

  it('delivers exactly once and in order to watchers that start and end meanwhile', async () => {
    const opened = await openCache({ maxQueuedBytes: 2000 });
    const { backend, resource } = opened;
    const streams: (Streaming & { readonly from: number; readonly upTo: () => number })[] = [];
    for (let i = 0; i < 600; i++) {
      backend.put(keyOf('a', `w${i % 7}`), jsonOf('a', `w${i % 7}`, {}, { pad: 'x'.repeat(300) }));
      const from = resource.revision;
      const stream = startWatch(opened, { from });
      streams.push({ ...stream, from, upTo: () => backend.revision });
      if (i % 5 === 0) streams[Math.floor(i / 3)]?.writer.pause();
      if (i % 5 === 3) streams[Math.floor(i / 3) - 1]?.writer.resume();
      if (i % 11 === 0) await ticks(1);
    }
    for (const { writer } of streams) writer.resume();
    await opened.cache.isFresh();
    for (const stream of streams) {
      const expected = Array.from({ length: backend.revision - stream.from }, (_, k) => String(stream.from + 1 + k));
      await waitFor(() => linesOf(stream).length >= expected.length, { what: 'a stream', everyMs: 1 });
      expect(linesOf(stream).map(({ object }) => object.metadata.resourceVersion)).toEqual(expected);
    }
  });
});

describe('the lifecycle of the watch cache', () => {
  it('waits for a store that does not answer, and reports why it is not ready', async () => {
    const backend = new FakeBackend();
    const clock = new ManualClock(0);
    backend.failRanges(new StorageError('Unreachable', 'no answer'));
    const cache = openWatchCache({ backend, resources: [widgets], clock, log: silentLog, initialEventsEnd: 'x' });
    open.push(cache);
    await ticks(2);
    expect(cache.notReady).toMatch(/being filled/);
    backend.failRanges(undefined);
    clock.advance(1000);
    await cache.filled();
    expect(cache.notReady).toBeUndefined();
  });

  it('resumes after its watch failed', async () => {
    const opened = await openCache();
    const stream = startWatch(opened);
    opened.backend.put(keyOf('a', 'one'), jsonOf('a', 'one'));
    await opened.cache.isFresh();
    opened.backend.hold();
    opened.backend.put(keyOf('a', 'two'), jsonOf('a', 'two'));
    opened.backend.breakWatch(new StorageError('Unreachable', 'cut'));
    opened.backend.release();
    await waitFor(() => linesOf(stream).length === 2, { what: 'the lines', everyMs: 1 });
    expect(namesOf(stream)).toEqual(['one', 'two']);
  });

  it('shows the state of a replaced store, and no retained state', async () => {
    const opened = await openCache();
    const { backend, cache, resource } = opened;
    backend.put(keyOf('a', 'one'), jsonOf('a', 'one'));
    await cache.isFresh();
    const snapshot = resource.snapshot();
    resource.retain(snapshot);
    backend.put(keyOf('a', 'two'), jsonOf('a', 'two'));
    await cache.isFresh();
    expect(resource.retained(snapshot.revision)?.size).toBe(1);
    backend.breakWatch(new StorageError('Replaced', 'another cluster'));
    await waitFor(() => cache.notReady !== undefined, { what: 'the loss', everyMs: 1 });
    expect(resource.retained(snapshot.revision)).toBeUndefined();
    await waitFor(() => cache.notReady === undefined, { what: 'the new fill', everyMs: 1 });
    expect(resource.size).toBe(2);
    // The request for a page waited until now.
    resource.retain(snapshot);
    expect(resource.retained(snapshot.revision)).toBeUndefined();
  });

  it('requires consistent reads from the backend if its watch does not see every revision', async () => {
    const opened = await openCache();
    opened.backend.freshness = 'backend';
    expect(await opened.cache.isFresh()).toBe(false);
    expect(opened.backend.revisionQuestions).toBe(0);
  });

  it('retains 16 snapshots for five minutes, and the current state for older revisions without changes', async () => {
    const clock = new ManualClock(0);
    const { backend, cache, resource } = await openCache({ clock });
    const revisions = [];
    for (let i = 0; i < 20; i++) {
      backend.put(keyOf('a', `w${i}`), jsonOf('a', `w${i}`));
      await cache.isFresh();
      resource.retain(resource.snapshot());
      revisions.push(resource.revision);
    }
    expect(resource.stats.retainedSnapshots).toBe(16);
    expect(revisions.map((revision) => resource.retained(revision)?.size)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      ...Array.from({ length: 16 }, (_, i) => i + 5),
    ]);
    clock.advance(5 * 60_000);
    await ticks(1);
    expect(resource.stats.retainedSnapshots).toBe(0);
    const last = resource.revision;
    backend.write(keyOf('b', 'nothing'), undefined);
    backend.write(keyOf('b', 'nothing'), undefined);
    await cache.isFresh();
    expect(resource.revision).toBe(last + 2);
    expect(resource.retained(toRevision(last - 1))).toBeUndefined();
  });

  it('ends all watches if a change cannot be delivered, and delivers to new ones', async () => {
    const opened = await openCache();
    const { backend, resource } = opened;
    const broken = (): never => {
      throw new Error('a bug');
    };
    const streams = [
      startWatch(opened),
      startWatch(opened, { selection: { labels: { ...createLabelSelector([]), requirements: [BROKEN], matches: broken } } }),
    ];
    await ticks(2);
    backend.put(keyOf('a', 'one'), jsonOf('a', 'one'));
    expect((await Promise.all(streams.map(({ outcome }) => outcome))).map(({ reason }) => reason)).toEqual(['expired', 'expired']);
    expect(streams.map((stream) => linesOf(stream).at(-1)?.object.code)).toEqual([410, 410]);

    const next = startWatch(opened, { from: resource.revision });
    await ticks(2);
    backend.put(keyOf('a', 'two'), jsonOf('a', 'two'));
    await waitFor(() => namesOf(next).includes('two'), { what: 'the next watch to see the next change' });
  });

  it('ends a watch that starts while it closes', async () => {
    const opened = await openCache();
    const { outcome } = startWatch(opened);
    await opened.cache.close();
    expect((await deadline(outcome, 2000, 'the end')).reason).toBe('closed');
  });

  it('clears timers and watches on close', async () => {
    const clock = new ManualClock(0);
    const opened = await openCache({ clock });
    const streams = [startWatch(opened, { bookmarks: true }), startWatch(opened, { from: toRevision(50) })];
    const read = opened.cache.reached(toRevision(1000), 10_000);
    await ticks(2);
    await opened.cache.close();
    expect((await Promise.all(streams.map(({ outcome }) => outcome))).map(({ reason }) => reason)).toEqual(['closed', 'closed']);
    expect(await read).toBe(false);
    expect((await startWatch(opened).outcome).reason).toBe('closed');
    expect(opened.backend.watches).toBe(0);
    expect(clock.sleepers).toBe(0);
    expect(opened.resource.stats).toMatchObject({ watchers: 0, lagging: 0 });
  });
});
