/** What the collector does when its cache lags, loses history, or another server leads. */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HOLD, OwnershipWorld, referenceTo } from '../../../test/controllers/ownership-world.ts';
import { FaultyBackend } from '../../../test/registry/faulty-backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { never, openTestRegistry } from '../../../test/registry/test-registry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import type { Revision, WatchBatch } from '../../storage/backend.ts';
import { StorageError } from '../../storage/errors.ts';
import { createGarbageCollector } from './create-garbage-collector.ts';
import { GarbageCollector } from './garbage-collector.ts';

const BLOCKING = { blockOwnerDeletion: true };

/** Its watch can be broken, so that the cache has to be filled again. */
class ForgetfulBackend extends MemoryBackend {
  #break = new AbortController();

  breakWatch(): void {
    this.#break.abort();
  }

  override async *watch(query: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    const { signal: broken } = (this.#break = new AbortController());
    for await (const batch of super.watch({ ...query, signal: AbortSignal.any([query.signal, broken]) })) {
      if (!broken.aborted) yield batch;
    }
    if (!query.signal.aborted) throw new StorageError('Compacted', 'compacted');
  }
}

describe('The garbage collector', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  const open = async (backend: MemoryBackend | FaultyBackend = new MemoryBackend()): Promise<OwnershipWorld> => {
    const world = await OwnershipWorld.open(backend);
    closers.push(() => world.close());
    return world;
  };

  /** A collector, and another server over the same store. */
  const openTwo = async () => {
    const backend = new MemoryBackend();
    const faulty = new FaultyBackend(backend);
    const world = await open(faulty);
    const other = await openTestRegistry(backend);
    closers.push(() => other.close());
    return { faulty, world, elsewhere: new OwnershipWorld(other) };
  };

  it('finds what became garbage while nobody collected', async () => {
    const backend = new MemoryBackend();
    const registry = await openTestRegistry(backend);
    const before = new OwnershipWorld(registry);
    const owner = await before.create('owner');
    const child = await before.create('child', { owners: [referenceTo(owner)] });
    const waiting = await before.create('waiting');
    const blocker = await before.create('blocker', { owners: [referenceTo(waiting, BLOCKING)] });
    const orphaning = await before.create('orphaning');
    const orphan = await before.create('orphan', { owners: [referenceTo(orphaning)] });
    const kept = await before.create('kept', { owners: [referenceTo(orphan)] });
    await before.delete(owner);
    await before.delete(waiting, 'Foreground');
    await before.delete(orphaning, 'Orphan');
    await registry.close();

    const world = await open(backend);
    await world.settle();
    const left = await Promise.all([owner, child, waiting, blocker, orphaning, orphan, kept].map((object) => world.read(object)));
    expect(left.map((object) => object?.metadata.name)).toEqual([...Array<undefined>(5), 'orphan', 'kept']);
    expect(left[5]?.metadata.ownerReferences).toBeUndefined();
  });

  it('follows what changes while the graph is built', async () => {
    const backend = new MemoryBackend();
    const registry = await openTestRegistry(backend);
    closers.push(() => registry.close());
    const world = new OwnershipWorld(registry);
    const owners = await Promise.all(Array.from({ length: 40 }, (_, index) => world.create(`owner-${index}`)));
    const children = await Promise.all(owners.map((owner, index) => world.create(`child-${index}`, { owners: [referenceTo(owner)] })));
    const collector = createGarbageCollector({ registry, clock: systemClock, random: randomBytes, log: silentLog });
    const stop = new AbortController();
    const ended = collector.lead(stop.signal);
    await Promise.all(owners.map((owner, index) => (index % 2 === 0 ? world.delete(owner) : world.setOwners(owner, []))));
    await waitFor(async () => (await Promise.all(children.map((child) => world.read(child)))).filter(Boolean).length === 20, {
      what: 'the children of deleted owners to go',
    });
    stop.abort();
    await ended;
  });

  it('does nothing before it leads, and nothing after', async () => {
    const registry = await openTestRegistry(new MemoryBackend());
    closers.push(() => registry.close());
    const world = new OwnershipWorld(registry);
    const collector = createGarbageCollector({ registry, clock: systemClock, random: randomBytes, log: silentLog });
    const garbage = async (name: string) => {
      const gone = await world.create(`${name}-owner`);
      await world.delete(gone);
      return world.create(name, { owners: [referenceTo(gone)] });
    };
    const before = await garbage('before');
    expect(collector.isIdle).toBe(false);
    const stop = new AbortController();
    const ended = collector.lead(stop.signal);
    await waitFor(async () => (await world.read(before)) === undefined, { what: 'the garbage to be collected' });
    stop.abort();
    await ended;
    expect(collector.isIdle).toBe(false);
    const after = await garbage('after');
    await registry.watchCache.isFresh();
    for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.read(after)).toBeDefined();
  });

  it('builds its graph anew when the cache has missed changes', async () => {
    const backend = new ForgetfulBackend();
    const world = await open(backend);
    const owner = await world.create('owner');
    const child = await world.create('child', { owners: [referenceTo(owner)] });
    await world.settle();
    // Written by another server, while this one sees nothing.
    const other = await openTestRegistry(backend);
    closers.push(() => other.close());
    backend.breakWatch();
    await new OwnershipWorld(other).delete(owner);
    await waitFor(async () => (await world.read(child)) === undefined, { what: 'the child to go' });
    const later = await world.create('later', { owners: [referenceTo(owner)] });
    await world.settle();
    expect(await world.read(later)).toBeUndefined();
  });

  it('leaves nothing behind when it fails', async () => {
    const registry = await openTestRegistry(new MemoryBackend());
    closers.push(() => registry.close());
    const world = new OwnershipWorld(registry);
    const error = new Error('unreadable');
    let isBuilt = false;
    const served = registry.served.map((kind) => {
      const { cache } = kind;
      const snapshot = () => {
        if (isBuilt) throw error;
        return cache.snapshot();
      };
      return { ...kind, cache: { subscribe: cache.subscribe.bind(cache), get: cache.get.bind(cache), snapshot } as never };
    });
    const clock = new ManualClock(0);
    const recordEvent = () => Promise.resolve();
    const collector = new GarbageCollector({ served, watchCache: registry.watchCache, recordEvent, clock, log: silentLog });
    const ended = collector.lead(never);
    await waitFor(() => collector.isIdle, { what: 'the graph', everyMs: 1 });
    isBuilt = true;
    await world.create('child', { owners: [referenceTo(await world.create('owner'), { uid: 'another' })] });
    await expect(ended).rejects.toBe(error);
    expect(clock.sleepers).toBe(0);
  });

  it('judges again what another client changed in the meantime', async () => {
    const { faulty, world, elsewhere } = await openTwo();
    const [gone, owner] = [await world.create('gone'), await world.create('owner')];
    const child = await world.create('child', { owners: [referenceTo(gone)] });
    await world.settle();
    await world.delete(gone);
    // The next commit is that of the collector, which has judged the child.
    faulty.letFirst(() => elsewhere.setOwners(child, [referenceTo(owner)]));
    await world.settle();
    expect((await world.read(child))?.metadata.ownerReferences).toEqual([referenceTo(owner)]);
  });

  it('deletes what is changed all the time, as long as its owners stay the same', async () => {
    const { faulty, world, elsewhere } = await openTwo();
    const gone = await world.create('gone');
    const child = await world.create('child', { owners: [referenceTo(gone)] });
    await world.settle();
    await world.delete(gone);
    let changes = 0;
    const change = () => elsewhere.patch(child, () => ({ labels: { change: String(++changes) } }));
    faulty.letFirst(change);
    await world.settle();
    expect([await world.read(child), changes]).toEqual([undefined, 1]);
  });

  it('judges again what another client changed once more while it was being deleted', async () => {
    const { faulty, world, elsewhere } = await openTwo();
    const [gone, owner] = [await world.create('gone'), await world.create('owner')];
    const child = await world.create('child', { owners: [referenceTo(gone)] });
    await world.settle();
    await world.delete(gone);
    faulty.letFirst(() => elsewhere.patch(child, () => ({ labels: { change: 'first' } })));
    faulty.letFirst(() => elsewhere.setOwners(child, [referenceTo(owner)]));
    await world.settle();
    expect((await world.read(child))?.metadata.ownerReferences).toEqual([referenceTo(owner)]);
  });

  it('does not judge by a cache that lags', async () => {
    const { faulty, world, elsewhere } = await openTwo();
    const [first, second] = [await world.create('first'), await world.create('second')];
    const child = await world.create('child', { owners: [referenceTo(first)] });
    await world.settle();
    const { cache } = world.served('ControllerRevision');
    const checked = Promise.withResolvers<undefined>();
    const currentRevision = faulty.currentRevision.bind(faulty);
    faulty.currentRevision = () => checked.promise.then(currentRevision);
    // It learns of the deletion, and of nothing behind it, and asks what is newest.
    await elsewhere.delete(first);
    await waitFor(() => cache.size === 2, { what: 'the deletion to be seen', everyMs: 1 });
    faulty.holdWatch();
    await elsewhere.setOwners(child, [referenceTo(second)]);
    checked.resolve(undefined);
    for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve));
    expect(await elsewhere.read(child)).toBeDefined();
    faulty.releaseWatch();
    await world.settle();
    expect((await world.read(child))?.metadata.ownerReferences).toEqual([referenceTo(second)]);
  });

  it('works over a store whose watch does not show every revision', async () => {
    const world = await open(Object.assign(new MemoryBackend(), { freshness: 'backend' as const }));
    const owner = await world.create('owner');
    const child = await world.create('child', { owners: [referenceTo(owner, BLOCKING)], finalizers: [HOLD] });
    await world.delete(owner, 'Foreground');
    await waitFor(async () => (await world.read(child))?.metadata.deletionTimestamp !== undefined, { what: 'the child to be deleted' });
    await world.release(child);
    await waitFor(async () => (await world.read(owner)) === undefined, { what: 'the owner to go' });
  });

  it('keeps what depends on an object that cannot be read', async () => {
    const backend = new MemoryBackend();
    const world = await open(backend);
    const owner = await world.create('owner');
    const child = await world.create('child', { owners: [referenceTo(owner)] });
    await world.settle();
    const { cache } = world.served('ControllerRevision');
    const key = [...cache.snapshot().page({ selection: { name: 'owner' } }).objects][0]?.key;
    if (key === undefined) throw new Error('the owner is not in the cache');
    const damaged = await backend.commit({ key, ifRevision: cache.get(key)?.revision ?? 0, value: Buffer.from('damaged') } as never);
    expect(damaged.outcome).toBe('committed');
    await world.setOwners(child, [referenceTo(owner, BLOCKING)]);
    await world.registry.watchCache.isFresh();
    for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.read(child)).toBeDefined();
    const { record } = await backend.get(key);
    await backend.commit({ key, ifRevision: record?.revision ?? 0, value: null } as never);
    await waitFor(async () => (await world.read(child)) === undefined, { what: 'the child to go with its owner' });
  });

  it('counts its work under the names of kube-controller-manager', async () => {
    const { createMetrics } = await import('../../observability/metrics.ts');
    let now = 0;
    const metrics = createMetrics({ version: '', now: () => (now += 1000), processMetrics: false });
    const world = await OwnershipWorld.open(new MemoryBackend(), { metrics });
    closers.push(() => world.close());
    const owner = await world.create('owner');
    await world.create('child', { owners: [referenceTo(owner)] });
    await world.delete(owner, 'Orphan');
    await world.settle();
    const series = [...(await metrics.expose()).matchAll(/^(?:workqueue_adds_total\{name="(\w+)"\}|(garbage\w+)) (\d+)$/gm)];
    expect(series.map(([, queue, name, value]) => [queue ?? name, Number(value)])).toEqual([
      ['garbage_collector_graph_changes', 0],
      ['garbage_collector_attempt_to_delete', 0],
      ['garbage_collector_attempt_to_orphan', 1],
      ['garbagecollector_controller_resources_sync_error_total', 0],
    ]);
  });
});
