/** Deep chains, long cycles and many dependents: nothing recurses, and the event loop is never held. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnershipWorld, referenceTo } from '../../../test/controllers/ownership-world.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { openTestRegistry } from '../../../test/registry/test-registry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import { silentLog } from '../../observability/logging.ts';
import type { Registry } from '../../registry/registry.ts';
import { createGarbageCollector } from './create-garbage-collector.ts';

const BLOCKING = { blockOwnerDeletion: true };
const MINUTES = 5 * 60_000;
/** More would keep requests waiting. Counted in changes, since milliseconds depend on the machine. */
const MAX_CHANGES_PER_TICK = 20;

/** Returns a function that stops it. */
function onEachTick(callback: () => void): () => void {
  let next: NodeJS.Immediate;
  const tick = (): void => {
    callback();
    next = setImmediate(tick);
  };
  next = setImmediate(tick);
  return () => {
    clearImmediate(next);
  };
}

describe('The collector', () => {
  let registry: Registry;
  let world: OwnershipWorld;
  beforeAll(async () => {
    registry = await openTestRegistry(new MemoryBackend());
    world = new OwnershipWorld(registry);
    const collector = createGarbageCollector({
      registry,
      clock: systemClock,
      random: randomBytes,
      log: silentLog,
      maxWritesPerSecond: Infinity,
    });
    registry.lead('garbage collector', collector.lead);
  });
  afterAll(async () => {
    await registry.close();
  });

  const create = (count: number, prefix: string, owners: readonly JsonObject[] = []): Promise<readonly KubernetesObject[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => world.create(`${prefix}-${index}`, { owners })));

  /** Deletes it and waits until nothing is left. Returns the most changes of one tick. */
  const collect = async (root: KubernetesObject, policy: 'Background' | 'Foreground'): Promise<number> => {
    const { cache } = world.served('ControllerRevision');
    await waitFor(() => registry.watchCache.isFresh(), { what: 'the cache to see the creations', timeoutMs: MINUTES });
    let changes = 0;
    let most = 0;
    const unsubscribe = cache.subscribe({ changed: () => changes++, replaced: () => undefined });
    const stop = onEachTick(() => {
      most = Math.max(most, changes);
      changes = 0;
    });
    await world.delete(root, policy);
    await waitFor(async () => (await registry.watchCache.isFresh()) && cache.size === 0, {
      what: () => `${cache.size} objects to go`,
      timeoutMs: MINUTES,
      everyMs: 20,
    });
    stop();
    unsubscribe();
    return most;
  };

  it(
    'gets through a cycle of 10,000 in the foreground',
    async () => {
      const objects = await create(10_000, 'cycle');
      await Promise.all(
        objects.map((object, index) => world.setOwners(object, [referenceTo(objects[(index + 1) % objects.length] ?? object, BLOCKING)])),
      );
      const [root] = objects;
      if (root === undefined) throw new Error('no objects');
      expect(await collect(root, 'Foreground')).toBeLessThanOrEqual(MAX_CHANGES_PER_TICK);
    },
    MINUTES,
  );

  it.each(['Foreground', 'Background'] as const)(
    'gets through a chain of 1,000: %s',
    async (policy) => {
      const objects = [await world.create('chain-0')];
      for (let depth = 1; depth < 1000; depth++) {
        const owner = objects.at(-1);
        if (owner !== undefined) objects.push(await world.create(`chain-${depth}`, { owners: [referenceTo(owner, BLOCKING)] }));
      }
      const [root] = objects;
      if (root === undefined) throw new Error('no objects');
      expect(await collect(root, policy)).toBeLessThanOrEqual(MAX_CHANGES_PER_TICK);
    },
    MINUTES,
  );

  it.each(['Foreground', 'Background'] as const)(
    'gets through 10,000 dependents of one owner: %s',
    async (policy) => {
      const owner = await world.create('star');
      await create(10_000, 'star', [referenceTo(owner, BLOCKING)]);
      expect(await collect(owner, policy)).toBeLessThanOrEqual(MAX_CHANGES_PER_TICK);
    },
    MINUTES,
  );
});
