/** The garbage collector of a registry, which writes its Events there too. */
import type { Registry } from '../../registry/registry.ts';
import { createRegistryEventRecorder } from '../event-recorder.ts';
import { GarbageCollector, type GarbageCollectorOptions } from './garbage-collector.ts';

export interface CreateGarbageCollectorOptions extends Pick<GarbageCollectorOptions, 'clock' | 'log' | 'metrics' | 'maxWritesPerSecond'> {
  readonly registry: Registry;
  readonly random: (size: number) => Buffer;
}

export function createGarbageCollector({ registry, ...shared }: CreateGarbageCollectorOptions): GarbageCollector {
  const recordEvent = createRegistryEventRecorder(registry, { ...shared, component: 'garbage-collector-controller' });
  const { served, watchCache } = registry;
  return new GarbageCollector({ ...shared, served, watchCache, recordEvent });
}
