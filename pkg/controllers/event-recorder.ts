/** Records Events of controllers about objects, in the form of client-go's recorder. */
import type { Namespaces } from '../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { toRfc3339Seconds } from '../apimachinery/time/rfc3339.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import type { Log } from '../observability/logging.ts';
import type { ObjectStore } from '../registry/object-store.ts';
import { createNamespaces } from '../registry/namespaces.ts';
import type { RegistryStores } from '../registry/registry.ts';
import { FIELD_MANAGER } from '../registry/own-manager.ts';

export interface EventRecorderOptions {
  /** Of Events in the group without a name. */
  readonly events: Pick<ObjectStore, 'create' | 'definition'>;
  readonly namespaces: Pick<Namespaces, 'cachedPhase'>;
  /** As Kubernetes names the controller in its Events. */
  readonly component: string;
  readonly clock: Clock;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
}

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for a cluster-scoped object, whose Events are in the namespace `default`. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * Never rejects: an Event that cannot be written is logged, and lost. One in a namespace that does not exist is not
 * written, since a create may make the namespace.
 */
export type RecordEvent = (subject: EventSubject, event: RecordedEvent, signal: AbortSignal) => Promise<void>;

const DEFAULT_NAMESPACE = 'default';
/** Of the random part of a name, which is as long as that of client-go. */
const SUFFIX_BYTES = 8;

export const createEventRecorder =
  ({ events, namespaces, component, clock, random, log }: EventRecorderOptions): RecordEvent =>
  async (subject, { type, reason, message }, signal) => {
    const { kind, apiVersion } = events.definition;
    const namespace = subject.namespace === '' ? DEFAULT_NAMESPACE : subject.namespace;
    if (namespaces.cachedPhase(namespace) === undefined) return;
    const time = toRfc3339Seconds(clock.now());
    const event: KubernetesObject = {
      kind,
      apiVersion,
      metadata: { name: `${subject.name}.${random(SUFFIX_BYTES).toString('hex')}`, namespace },
      involvedObject: { ...subject, namespace: subject.namespace === '' ? undefined : subject.namespace },
      reason,
      message,
      source: { component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: '',
    };
    try {
      await events.create(namespace, event, { dryRun: false, fieldManager: FIELD_MANAGER, signal });
    } catch (error) {
      if (!signal.aborted) log.warn('an Event could not be written', { reason, namespace, name: subject.name, error });
    }
  };

/** For the controller of that name over a registry, which must serve Events. */
export function createRegistryEventRecorder(
  registry: RegistryStores,
  options: Omit<EventRecorderOptions, 'events' | 'namespaces'>,
): RecordEvent {
  const events = registry.find('events', '');
  if (events === undefined) throw new Error('Events of core/v1 are not served');
  return createEventRecorder({ ...options, events: events.store, namespaces: createNamespaces(registry) });
}
