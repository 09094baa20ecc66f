/** The garbage collector of a registry, which writes its Events there too. */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Registry } from '../../registry/registry.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { GarbageCollector } from './garbage-collector.ts';

export interface CreateGarbageCollectorOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

export function createGarbageCollector({ registry, ...shared }: CreateGarbageCollectorOptions): GarbageCollector {
  const events = registry.find('events', '');
  if (events === undefined) throw new Error('Events of core/v1 are not served');
  const recordEvent = createEventRecorder({ ...shared, events: events.store, component: 'garbage-collector-controller' });
  const { served, watchCache } = registry;
  return new GarbageCollector({ ...shared, served, watchCache, recordEvent });
}
