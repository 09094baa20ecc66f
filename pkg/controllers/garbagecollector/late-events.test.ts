/** Events that the collector writes when their namespace may be gone: it looks for owners only once a second. */
import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { OwnershipWorld, referenceTo } from '../../../test/controllers/ownership-world.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { openTestRegistry } from '../../../test/registry/test-registry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { createAdmissionChain } from '../../admission/admission.ts';
import { createNamespaceLifecycle } from '../../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { createNamespaces, findNamespaces } from '../../registry/namespaces.ts';
import type { Registry } from '../../registry/registry.ts';
import { createNamespaceController } from '../namespaces/namespace-controller.ts';
import { createGarbageCollector } from './create-garbage-collector.ts';

let registry: Registry;
afterEach(() => registry.close());

it('does not bring back a namespace that went before the Event about an object in it', async () => {
  const mode = 'implicit';
  registry = await openTestRegistry(new MemoryBackend(), {
    admission: (stores) => createAdmissionChain([createNamespaceLifecycle({ mode, namespaces: createNamespaces(stores) })]),
  });
  const world = new OwnershipWorld(registry);
  const clock = new ManualClock(0);
  const collector = createGarbageCollector({ registry, clock, random: randomBytes, log: silentLog, maxWritesPerSecond: Infinity });
  registry.lead('garbage collector', collector.lead);
  const shared = { registry, clock: systemClock, log: silentLog };
  registry.lead(
    'namespaces',
    createNamespaceController({ ...shared, mode, namespaces: createNamespaces(registry), recordEvent: async () => undefined }),
  );

  const owner = await world.create('owner');
  const createForeign = (namespace: string) => world.create('child', { namespace, owners: [referenceTo(owner)] });
  const hasEvent = async (namespace: string) => (await world.list('Event')).some(({ metadata }) => metadata.namespace === namespace);
  const namespaces = findNamespaces(registry).cache;
  const namesOfNamespaces = () => Array.from(namespaces.snapshot().page({ selection: {} }).objects, ({ name }) => name);

  await createForeign('first');
  await waitFor(() => hasEvent('first'), { what: 'the Event of the first search' });
  const namespace = await world.create('gone', { kind: 'Namespace' });
  await createForeign('gone');
  await world.delete(namespace);
  await waitFor(() => !namesOfNamespaces().includes('gone'), { what: 'the namespace to go' });
  await createForeign('last');
  await registry.watchCache.isFresh();
  clock.advance(1000);
  await waitFor(() => hasEvent('last'), { what: 'the Events of the second search' });
  expect([await hasEvent('gone'), namesOfNamespaces()]).toEqual([false, ['a', 'first', 'last']]);
});
