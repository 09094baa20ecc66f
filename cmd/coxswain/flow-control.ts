/** Flow control: what the flags ask for, and what it follows. */
import { createSuggested, type FlowControlSpecs, MANDATORY } from '../../pkg/apis/flowcontrol/v1/bootstrap.ts';
import type { FlowConfiguration } from '../../pkg/flowcontrol/configuration.ts';
import { ADJUSTMENT_MS, FlowController } from '../../pkg/flowcontrol/flow-controller.ts';
import { MaxInFlight } from '../../pkg/flowcontrol/max-in-flight.ts';
import { Turns } from '../../pkg/flowcontrol/turns.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { followFlowControl } from '../../pkg/registry/follow-flow-control.ts';
import type { RegistryStores } from '../../pkg/registry/registry.ts';
import type { FlowControl } from '../../pkg/server/filters/flow-control.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';

export interface FlowControlParts {
  readonly options: Pick<ServeOptions, 'enablePriorityAndFairness' | 'maxRequestsInflight' | 'maxMutatingRequestsInflight' | 'groupSuffix'>;
  readonly stores: RegistryStores;
  readonly metrics: Metrics;
}

export interface OpenedFlowControl {
  readonly flowControl: FlowControl;
  close(): void;
}

/** Must be called before the caches are filled. */
export function openFlowControl({ options, stores, metrics }: FlowControlParts): OpenedFlowControl {
  const { enablePriorityAndFairness, maxRequestsInflight, maxMutatingRequestsInflight, groupSuffix } = options;
  if (!enablePriorityAndFairness) {
    const limits = new MaxInFlight({ reading: maxRequestsInflight, writing: maxMutatingRequestsInflight });
    return { flowControl: { by: 'limits', limits }, close: () => undefined };
  }
  const serverSeats = maxRequestsInflight + maxMutatingRequestsInflight;
  if (serverSeats === 0) throw new UsageError('--max-requests-inflight and --max-mutating-requests-inflight must not both be 0');
  const now = () => performance.now();
  const controller = new FlowController({ serverSeats, mandatory: toConfiguration(MANDATORY), metrics, now });
  followFlowControl({
    stores,
    groupSuffix,
    suggested: toConfiguration(createSuggested(groupSuffix)),
    configure: (configuration) => controller.configure(configuration),
  });
  const timer = setInterval(controller.adjust, ADJUSTMENT_MS);
  return {
    flowControl: {
      by: 'fairness',
      controller,
      turns: new Turns(setImmediate),
      collectionSize: (group, resource) => stores.find(resource, group)?.cache.stats,
    },
    close: () => clearInterval(timer),
  };
}

const toConfiguration = ({ flowSchemas, priorityLevels }: FlowControlSpecs): FlowConfiguration => ({
  flowSchemas: Object.entries(flowSchemas).map(([name, spec]) => ({ name, uid: '', spec })),
  priorityLevels: Object.entries(priorityLevels).map(([name, spec]) => ({ name, uid: '', spec })),
});
