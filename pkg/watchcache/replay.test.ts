/** A cache replays recent changes of its store when it starts. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../test/support/memory-response-writer.ts';
import { deadline, waitFor } from '../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../test/support/widgets.ts';
import { type Clock, systemClock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import type { BackendStatus, RangeQuery, Revision } from '../storage/backend.ts';
import { toRevision } from '../storage/backend.ts';
import { StorageError } from '../storage/errors.ts';
import { openWatchCache } from './open-watch-cache.ts';
import type { WatchCache } from './watch-cache.ts';

const open: WatchCache[] = [];
const stop = new AbortController();
afterEach(async () => {
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

/** The status of a store whose history begins at `oldest`. */
const status = (oldest: number): BackendStatus => ({
  kind: 'embedded',
  version: '',
  bytes: 0,
  alarms: [],
  oldestRevision: toRevision(oldest),
  clusterId: '',
});

/** Revisions 2 to 5: a is created, changed and deleted, b is created. */
function createPast(oldest: () => Promise<number>) {
  const backend = Object.assign(new FakeBackend(), { status: async () => status(await oldest()) });
  const a = keyOf('x', 'a');
  backend.put(a, jsonOf('x', 'a'));
  backend.put(a, jsonOf('x', 'a'));
  backend.delete(a);
  backend.put(keyOf('x', 'b'), jsonOf('x', 'b'));
  return backend;
}

function openCache(backend: FakeBackend, clock: Clock = systemClock): WatchCache {
  const cache = openWatchCache({ backend, resources: [widgets], clock, log: silentLog, initialEventsEnd: 'example.com/end' });
  open.push(cache);
  return cache;
}

/** Types and revisions of the events that a watch from `from` receives immediately. */
async function eventsAfter(cache: WatchCache, from: Revision | number, count: number): Promise<readonly string[]> {
  const writer = new MemoryResponseWriter();
  const [resource] = cache.resources;
  void resource?.watch({ selection: {}, from: toRevision(from), initialEvents: false, bookmarks: false, signal: stop.signal }, writer);
  const lines = () => writer.text().split('\n').filter(Boolean);
  await waitFor(() => lines().length >= count, { what: () => `${count} events, got ${writer.text()}` });
  return lines().map((line) => {
    const { type, object } = JSON.parse(line) as { type: string; object: { code?: number; metadata: { resourceVersion?: string } } };
    return `${type} ${object.code ?? object.metadata.resourceVersion ?? ''}`;
  });
}

describe('a watch cache on a store with history', () => {
  it('serves watches of earlier revisions, as far as the store has them', async () => {
    const cache = openCache(createPast(async () => 1));
    await cache.filled();
    expect(await eventsAfter(cache, 2, 3)).toEqual(['MODIFIED 3', 'DELETED 4', 'ADDED 5']);
    expect(await eventsAfter(cache, 4, 1)).toEqual(['ADDED 5']);
    expect(await eventsAfter(cache, 1, 1)).toEqual(['ERROR 410']);
  });

  it('is not filled before it shows the newest revision', async () => {
    const backend = createPast(async () => 1);
    backend.hold();
    const cache = openCache(backend);
    const filled = cache.filled();
    await waitFor(() => cache.resources[0]?.size === 1, { what: 'the past state' });
    expect(cache.notReady).toBeDefined();
    backend.release();
    await filled;
    expect(cache.notReady).toBeUndefined();
    expect([cache.resources[0]?.get(keyOf('x', 'a')), cache.resources[0]?.get(keyOf('x', 'b'))?.revision]).toEqual([undefined, 5]);
  });

  it('opens its only watch while it is being filled', async () => {
    const backend = createPast(async () => 1);
    const held = Promise.withResolvers<undefined>();
    let opened = 0;
    const cache = openCache(
      Object.assign(backend, {
        range: async (query: RangeQuery) => {
          await held.promise;
          return FakeBackend.prototype.range.call(backend, query);
        },
        watch: (query: { readonly from: Revision; readonly signal: AbortSignal }) => {
          opened++;
          return FakeBackend.prototype.watch.call(backend, query);
        },
      }),
    );
    await waitFor(() => backend.watches === 1, { what: 'the watch' });
    expect(cache.resources[0]?.size).toBe(0);
    held.resolve(undefined);
    await cache.filled();
    const late = backend.put(keyOf('x', 'c'), jsonOf('x', 'c'));
    expect(await cache.reached(late, 5000)).toBe(true);
    expect(await eventsAfter(cache, 2, 4)).toEqual(['MODIFIED 3', 'DELETED 4', 'ADDED 5', 'ADDED 6']);
    expect(opened).toBe(1);
  });

  it('ends the watch if the fill fails', async () => {
    const backend = createPast(async () => 1);
    let most = 0;
    const cache = openCache(
      Object.assign(backend, {
        watch: (query: { readonly from: Revision; readonly signal: AbortSignal }) => {
          most = Math.max(most, backend.watches);
          return FakeBackend.prototype.watch.call(backend, query);
        },
      }),
    );
    backend.failRanges(new StorageError('Unreachable', 'no'));
    const questions = backend.revisionQuestions;
    await waitFor(() => backend.revisionQuestions >= questions + 2, { what: 'two tries' });
    backend.failRanges(undefined);
    await cache.filled();
    expect(most).toBe(0);
    expect(await eventsAfter(cache, 2, 3)).toEqual(['MODIFIED 3', 'DELETED 4', 'ADDED 5']);
    await cache.close();
    expect(backend.watches).toBe(0);
  });

  it('ends the watch if it is closed during the fill', async () => {
    const backend = createPast(async () => 1);
    backend.hold();
    const held = Promise.withResolvers<never>();
    const cache = openCache(Object.assign(backend, { range: () => held.promise }));
    await waitFor(() => backend.watches === 1, { what: 'the watch' });
    const closing = cache.close();
    held.reject(new StorageError('Closed', 'closed'));
    await closing;
    expect(backend.watches).toBe(0);
  });

  it.each([
    ['does not say how far it reaches back', () => Promise.reject(new StorageError('Denied', 'not for you'))],
    ['has no past', async () => 5],
  ])('starts at the newest revision if the store %s', async (_, oldest) => {
    const cache = openCache(createPast(oldest));
    await cache.filled();
    expect(cache.resources[0]?.revision).toBe(5);
    expect(await eventsAfter(cache, 4, 1)).toEqual(['ERROR 410']);
  });

  it('starts at the newest revision if history is compacted before it was read', async () => {
    const backend = createPast(async () => 1);
    backend.compact(toRevision(5));
    const cache = openCache(backend);
    await cache.filled();
    expect(await eventsAfter(cache, 3, 1)).toEqual(['ERROR 410']);
  });

  it('starts at the newest revision if its watch does not see every revision', async () => {
    const backend = createPast(async () => 1);
    backend.hold();
    const cache = openCache(backend);
    await waitFor(() => backend.watches === 1, { what: 'the watch' });
    backend.freshness = 'backend';
    await deadline(cache.filled(), 5000, 'the cache to be filled');
    expect(cache.resources[0]?.get(keyOf('x', 'b'))?.revision).toBe(5);
  });

  it('starts at the newest revision if the replay takes too long', async () => {
    const clock = new ManualClock(0);
    const backend = createPast(async () => 1);
    backend.hold();
    const cache = openCache(backend, clock);
    await waitFor(() => backend.watches === 1, { what: 'the watch' });
    const isFilled = () => {
      clock.advance(100);
      return cache.notReady === undefined;
    };
    await waitFor(isFilled, { what: 'the cache to be filled', everyMs: 1 });
    expect(clock.now()).toBeGreaterThanOrEqual(5000);
    expect(cache.resources[0]?.revision).toBe(5);
    expect(await eventsAfter(cache, 4, 1)).toEqual(['ERROR 410']);
    backend.release();
    const next = backend.put(keyOf('x', 'c'), jsonOf('x', 'c'));
    expect(await eventsAfter(cache, 5, 1)).toEqual([`ADDED ${next}`]);
  });
});
