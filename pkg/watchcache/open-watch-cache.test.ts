import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../apimachinery/time/clock.ts';
import { createFieldSelector, createLabelSelector } from '../apimachinery/selectors/selector.ts';
import { silentLog } from '../observability/logging.ts';
import { toRevision } from '../storage/backend.ts';
import { StorageError } from '../storage/errors.ts';
import { toKey } from '../storage/keys.ts';
import { collectGarbage } from '../../test/support/collect-garbage.ts';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../test/support/memory-response-writer.ts';
import { openWatchCache, type WatchCacheOptions } from './open-watch-cache.ts';
import { jsonOf, keyOf, itemEncodingOf, widgets } from '../../test/support/widgets.ts';
import { waitFor } from '../../test/support/wait.ts';
import type { CachedObject, WatchCache, WatchOutcome, CacheWatchRequest } from './watch-cache.ts';

const open: WatchCache[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

async function openFilled(backend: FakeBackend, options: Partial<WatchCacheOptions> = {}) {
  const cache = openWatchCache({
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/initial-events-end',
    ...options,
  });
  open.push(cache);
  await cache.filled();
  return { cache, resource: cache.resource('widgets.example.com') };
}

interface Streaming {
  readonly writer: MemoryResponseWriter;
  readonly stop: AbortController;
  readonly outcome: Promise<WatchOutcome>;
}

function startWatch(cache: WatchCache, request: Partial<CacheWatchRequest> = {}, writer = new MemoryResponseWriter()): Streaming {
  const stop = new AbortController();
  stops.push(stop);
  const resource = cache.resource('widgets.example.com');
  const outcome = resource.watch(
    { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal, ...request },
    writer,
  );
  return { writer, stop, outcome };
}

const frame = { head: Buffer.from('{"items":['), tail: Buffer.from(']}'), encoding: 'identity' } as const;

describe('the watch cache', () => {
  it('shows objects stored before it was opened', async () => {
    const backend = new FakeBackend();
    for (let i = 0; i < 300; i++) backend.put(keyOf('a', `w${String(i).padStart(3, '0')}`), jsonOf('a', `w${String(i).padStart(3, '0')}`));
    const { resource } = await openFilled(backend);
    expect(resource.size).toBe(300);
    expect(resource.get(keyOf('a', 'w007'))?.itemBytes.toString()).toBe(itemEncodingOf(jsonOf('a', 'w007'), 9));
    const writer = new MemoryResponseWriter();
    await resource.snapshot().page({ selection: {} }).writeTo(writer, frame);
    const list = JSON.parse(writer.text()) as { items: { metadata: { name: string } }[] };
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: 300 }, (_, i) => `w${String(i).padStart(3, '0')}`),
    );
    const packed = new MemoryResponseWriter();
    await resource
      .snapshot()
      .page({ selection: {} })
      .writeTo(packed, { ...frame, encoding: 'gzip' });
    expect(gunzipSync(packed.bytes()).equals(writer.bytes())).toBe(true);
  });

  it('retains only current objects and recent changes', async () => {
    const backend = new FakeBackend();
    const { cache, resource } = await openFilled(backend, { ringBytes: 1 });
    const states: WeakRef<CachedObject>[] = [];
    const watched = startWatch(cache);
    for (let i = 0; i < 100; i++) {
      backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { i: String(i) }));
      await cache.isFresh();
      const state = resource.get(keyOf('a', 'x'));
      if (state !== undefined) states.push(new WeakRef(state));
    }
    await waitFor(() => watched.writer.lines().length === 100, { what: 'the changes', everyMs: 1 });
    expect(states).toHaveLength(100);
    await collectGarbage();
    // The current state, the previous one at the start of the ring, and the reference of this test.
    expect(states.filter((state) => state.deref() !== undefined).length).toBeLessThan(10);
  });

  it('follows writes and deletes, and consistent reads wait for them', async () => {
    const backend = new FakeBackend();
    const { cache, resource } = await openFilled(backend);
    backend.hold();
    const revision = backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const isFresh = cache.isFresh();
    expect(resource.get(keyOf('a', 'x'))).toBeUndefined();
    backend.release();
    expect(await isFresh).toBe(true);
    expect(resource.get(keyOf('a', 'x'))?.revision).toBe(revision);
    backend.delete(keyOf('a', 'x'));
    expect(await cache.isFresh()).toBe(true);
    expect(resource.get(keyOf('a', 'x'))).toBeUndefined();
  });

  it('delivers the JSON lines of a watch as Kubernetes writes them', async () => {
    const backend = new FakeBackend();
    const { cache } = await openFilled(backend);
    const { writer } = startWatch(cache);
    const added = backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const modified = backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { size: '2' }));
    const deleted = backend.delete(keyOf('a', 'x'));
    await waitFor(() => writer.lines().length === 3, { what: 'the lines', everyMs: 1 });
    const full = (json: string, revision: number) => json.replace('"metadata":{', `"metadata":{"resourceVersion":"${revision}",`);
    expect(writer.text()).toBe(
      `{"type":"ADDED","object":${full(jsonOf('a', 'x'), added)}}\n` +
        `{"type":"MODIFIED","object":${full(jsonOf('a', 'x', { size: '2' }), modified)}}\n` +
        `{"type":"DELETED","object":${full(jsonOf('a', 'x', { size: '2' }), deleted)}}\n`,
    );
  });

  it('converts changes across the selection to DELETED and ADDED', async () => {
    const backend = new FakeBackend();
    const { cache } = await openFilled(backend);
    const labels = createLabelSelector([{ key: 'size', operator: 'in', values: ['1'], spelling: '=' }]);
    const { writer } = startWatch(cache, { selection: { labels } });
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { size: '2' }));
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { size: '1' }));
    const left = backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { size: '2' }));
    await waitFor(() => writer.lines().length === 2, { what: 'the lines', everyMs: 1 });
    expect(writer.lines()).toMatchObject([
      { type: 'ADDED', object: { metadata: { labels: { size: '1' } } } },
      { type: 'DELETED', object: { metadata: { labels: { size: '1' }, resourceVersion: String(left) } } },
    ]);
  });

  it('starts with the state, followed by the annotated bookmark', async () => {
    const backend = new FakeBackend();
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const { cache } = await openFilled(backend);
    const { writer } = startWatch(cache, { initialEvents: true, bookmarks: true });
    await waitFor(() => writer.lines().length === 2, { what: 'the lines', everyMs: 1 });
    expect(writer.text().split('\n')[1]).toBe(
      '{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"2","annotations":{"example.com/initial-events-end":"true"}},"spec":{}}}',
    );
  });

  it('rejects a start that is too old with one ERROR line', async () => {
    const backend = new FakeBackend();
    for (let i = 0; i < 5; i++) backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const { cache } = await openFilled(backend);
    const { writer, outcome } = startWatch(cache, { from: toRevision(2) });
    expect(await outcome).toMatchObject({ reason: 'expired', events: 0 });
    expect(writer.text()).toBe(
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 2 (6)","reason":"Expired","code":410}}\n',
    );
  });

  it('ends every watch and fills again when history is lost', async () => {
    const backend = new FakeBackend();
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const { cache, resource } = await openFilled(backend);
    const { writer, outcome } = startWatch(cache);
    backend.hold();
    backend.put(keyOf('a', 'y'), jsonOf('a', 'y'));
    backend.breakWatch(new StorageError('Compacted', 'compacted'));
    expect(await outcome).toMatchObject({ reason: 'expired' });
    expect(writer.lines()).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    backend.release();
    expect(await cache.isFresh()).toBe(true);
    expect(resource.size).toBe(2);
    expect(cache.notReady).toBeUndefined();
  });

  it('ends all watches and fills again after a failure within a batch, and delivers no change twice', async () => {
    const backend = new FakeBackend();
    let received = 0;
    const metrics = {
      filled: () => undefined,
      received: () => {
        if (++received === 2) throw new Error('a bug');
      },
    };
    const { cache, resource } = await openFilled(backend, { metrics });
    const { writer, outcome } = startWatch(cache);
    backend.hold();
    for (const name of ['x', 'y', 'z']) backend.put(keyOf('a', name), jsonOf('a', name));
    backend.release();
    expect(await outcome).toMatchObject({ reason: 'expired' });
    expect(writer.lines()).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    expect(await cache.isFresh()).toBe(true);
    expect(resource.size).toBe(3);
  });

  it('ends a watch from a future revision if the store is replaced', async () => {
    const backend = new FakeBackend();
    for (let i = 0; i < 10; i++) backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    const { cache } = await openFilled(backend);
    const { writer, outcome } = startWatch(cache, { from: toRevision(100) });
    backend.breakWatch(new StorageError('Compacted', 'gone'));
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    await waitFor(() => !backend.isBreaking, { what: 'the loss of history' });
    expect(await cache.isFresh()).toBe(true);
    expect(writer.lines()).toEqual([]);
    backend.breakWatch(new StorageError('Replaced', 'another'));
    backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    expect(await outcome).toEqual({ reason: 'expired', events: 0 });
    expect(writer.lines()).toEqual([expect.objectContaining({ type: 'ERROR' })]);
  });

  describe('with a value that it cannot read', () => {
    const BAD = Buffer.from('k8s\0 something else');

    it('shows no list that might contain it, and all others', async () => {
      const backend = new FakeBackend();
      backend.put(keyOf('a', 'w'), jsonOf('a', 'w'));
      backend.write(keyOf('a', 'x'), BAD);
      backend.put(keyOf('ab', 'y'), jsonOf('ab', 'y'));
      const { cache, resource } = await openFilled(backend);
      expect(resource.size).toBe(2);
      expect(resource.isUnreadable(keyOf('a', 'x'))).toBe(true);
      const snapshot = resource.snapshot();
      const named = (name: string) => createFieldSelector([{ field: 'metadata.name', operator: '=', value: name }]);
      for (const selection of [{}, { namespace: 'a' }, { namespace: 'a', labels: createLabelSelector([]) }, { fields: named('x') }])
        await expect(snapshot.find({ selection })).rejects.toMatchObject({
          reason: 'StorageReadError',
          details: { causes: [{ field: expect.stringContaining('/a/x') }] },
        });
      for (const [selection, count] of [
        [{ namespace: 'ab' }, 1],
        [{ namespace: 'a', fields: named('w') }, 1],
        [{ namespace: 'b' }, 0],
      ] as const)
        expect((await snapshot.find({ selection })).count).toBe(count);
      // Watches after it have seen the change.
      expect((await snapshot.find({ selection: {}, start: keyOf('ab', '') })).count).toBe(1);
      backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
      await cache.isFresh();
      expect(resource.isUnreadable(keyOf('a', 'x'))).toBe(false);
      expect((await resource.snapshot().find({ selection: {} })).count).toBe(3);
      await expect(snapshot.find({ selection: {} })).rejects.toMatchObject({ reason: 'StorageReadError' });
    });

    it('ends watches instead of reporting a deletion, and reports a restored object', async () => {
      const backend = new FakeBackend();
      backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
      const { cache, resource } = await openFilled(backend);
      const before = resource.revision;
      const { writer, outcome } = startWatch(cache);
      backend.write(keyOf('a', 'x'), BAD);
      expect((await outcome).reason).toBe('expired');
      expect(writer.lines()).toEqual([expect.objectContaining({ type: 'ERROR', object: expect.objectContaining({ code: 410 }) })]);
      // New watches do not receive it either.
      expect((await startWatch(cache, { from: before }).outcome).reason).toBe('expired');
      const initial = startWatch(cache, { initialEvents: true, bookmarks: true });
      expect((await initial.outcome).reason).toBe('unreadable');
      expect(initial.writer.lines()).toEqual([expect.objectContaining({ type: 'ERROR', object: expect.objectContaining({ code: 500 }) })]);

      const next = startWatch(cache);
      const other = startWatch(cache, { selection: { namespace: 'b' }, initialEvents: true });
      backend.write(keyOf('a', 'x'), Buffer.from('still nothing'));
      backend.put(keyOf('b', 'y'), jsonOf('b', 'y'));
      backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
      await waitFor(() => next.writer.lines().length === 2, { what: 'the restored object' });
      expect(next.writer.lines()).toMatchObject([
        { type: 'ADDED', object: { metadata: { name: 'y' } } },
        { type: 'ADDED', object: { metadata: { name: 'x' } } },
      ]);
      await waitFor(() => other.writer.lines().length === 1, { what: 'the object in the other namespace' });
    });
  });

  it('drops unreadable values deleted while history was lost', async () => {
    const backend = new FakeBackend();
    const bad = keyOf('a', 'bad');
    backend.write(bad, Buffer.from('left by another program'));
    const { cache, resource } = await openFilled(backend);
    expect(resource.isUnreadable(bad)).toBe(true);
    backend.hold();
    backend.delete(bad);
    backend.breakWatch(new StorageError('Compacted', 'compacted'));
    await waitFor(() => !backend.isBreaking, { what: 'the loss of history' });
    expect(await cache.isFresh()).toBe(true);
    expect(resource.isUnreadable(bad)).toBe(false);
    expect(resource.stats.unreadable).toBe(0);
  });

  it('ignores other keys and still advances', async () => {
    const backend = new FakeBackend();
    const { cache, resource } = await openFilled(backend);
    const revision = backend.put(toKey('/elsewhere/x'), '{}');
    expect(await cache.isFresh()).toBe(true);
    expect(resource.revision).toBe(revision);
    expect(resource.size).toBe(0);
  });

  it('does not block the event loop if the store ends its watch', async () => {
    const backend = new FakeBackend();
    let begun = 0;
    const cache = openWatchCache({
      backend: {
        currentRevision: () => backend.currentRevision(),
        range: (query) => backend.range(query),
        async *watch() {
          // Without a pause not even the timeout of the test would run.
          if (++begun > 1000) throw new Error('asked again and again');
        },
      },
      resources: [widgets],
      clock: systemClock,
      log: silentLog,
      initialEventsEnd: 'example.com/initial-events-end',
    });
    open.push(cache);
    await cache.filled();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(begun).toBeLessThan(5);
  });
});
