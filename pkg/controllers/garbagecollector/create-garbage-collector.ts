/** The garbage collector of a registry, which writes its Events there too. */
import { createNamespaces } from '../../registry/namespaces.ts';
import type { Registry } from '../../registry/registry.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { GarbageCollector, type GarbageCollectorOptions } from './garbage-collector.ts';

export interface CreateGarbageCollectorOptions extends Pick<GarbageCollectorOptions, 'clock' | 'log' | 'metrics' | 'maxWritesPerSecond'> {
  readonly registry: Registry;
  readonly random: (size: number) => Buffer;
}

export function createGarbageCollector({ registry, ...shared }: CreateGarbageCollectorOptions): GarbageCollector {
  const events = registry.find('events', '');
  if (events === undefined) throw new Error('Events of core/v1 are not served');
  const namespaces = createNamespaces(registry);
  const recordEvent = createEventRecorder({ ...shared, events: events.store, namespaces, component: 'garbage-collector-controller' });
  const { served, watchCache } = registry;
  return new GarbageCollector({ ...shared, served, watchCache, recordEvent });
}
