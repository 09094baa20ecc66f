/** The built-in controllers. One of the servers over a store runs them. */
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { createRegistryEventRecorder } from '../../pkg/controllers/event-recorder.ts';
import { createGarbageCollector } from '../../pkg/controllers/garbagecollector/create-garbage-collector.ts';
import { createNamespaceController } from '../../pkg/controllers/namespaces/namespace-controller.ts';
import { createPriorityAndFairness } from '../../pkg/controllers/flowcontrol/priority-and-fairness.ts';
import { createTtlAfterFinished } from '../../pkg/controllers/ttlafterfinished/ttl-after-finished.ts';
import { createClusterRoleAggregation } from '../../pkg/controllers/rbac/clusterrole-aggregation.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { createNamespaces } from '../../pkg/registry/namespaces.ts';
import type { Lead } from '../../pkg/registry/leases/lease.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import type { ControllerName } from './controller-names.ts';
import type { ServeOptions } from './flags.ts';

export interface ControllerOptions {
  readonly options: Pick<
    ServeOptions,
    'controllers' | 'enableGarbageCollector' | 'enablePriorityAndFairness' | 'groupSuffix' | 'namespaceLifecycle'
  >;
  readonly registry: Registry;
  /** The controllers start after it. Until then the processor is for what makes the server ready. */
  readonly after: Promise<unknown>;
  readonly clock: Clock;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The controllers are clients: they write when clients may. They end with the registry. */
export function openControllers({ options, registry, after, ...shared }: ControllerOptions): void {
  const namespaces = createNamespaces(registry);
  const start = () => {
    const jobs = registry.find('jobs', 'batch');
    const clusterRoles = registry.find('clusterroles', `rbac.authorization.${options.groupSuffix}`);
    const controllers: Readonly<Record<ControllerName, (() => Lead) | undefined>> = {
      'clusterrole-aggregation-controller': clusterRoles && (() => createClusterRoleAggregation({ ...shared, clusterRoles })),
      'garbage-collector-controller': options.enableGarbageCollector
        ? () => createGarbageCollector({ ...shared, registry }).lead
        : undefined,
      'namespace-controller': () => {
        const recordEvent = createRegistryEventRecorder(registry, { ...shared, component: 'namespace-controller' });
        return createNamespaceController({ ...shared, registry, namespaces, recordEvent, mode: options.namespaceLifecycle });
      },
      'ttl-after-finished-controller': jobs && (() => createTtlAfterFinished({ ...shared, jobs })),
    };
    for (const name of options.controllers) {
      const create = controllers[name];
      if (create !== undefined) registry.lead(name, create());
    }
    const flowControl = (resource: string) => registry.find(resource, `flowcontrol.apiserver.${options.groupSuffix}`);
    const flowSchemas = flowControl('flowschemas');
    const priorityLevels = flowControl('prioritylevelconfigurations');
    if (flowSchemas === undefined || priorityLevels === undefined) return;
    // In kube-apiserver itself, and so no controller that can be turned off.
    const { groupSuffix, enablePriorityAndFairness: writesStatus } = options;
    registry.lead(
      'priority-and-fairness',
      createPriorityAndFairness({ ...shared, flowSchemas, priorityLevels, groupSuffix, writesStatus }),
    );
  };
  after.then(start, () => undefined);
}
