/** The series of a priority level and a FlowSchema, looked up once. */
import type { Counter, Gauge, Histogram } from '../observability/instruments.ts';
import type { Metrics } from '../observability/metrics.ts';

export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out';

export interface FlowSeries {
  readonly executingRequests: Gauge;
  readonly executingSeats: Gauge;
  readonly waitingRequests: Gauge;
  readonly waitingSeats: Gauge;
  readonly dispatched: Counter;
  readonly estimatedSeats: Histogram;
  readonly regularSeconds: Histogram;
  readonly watchSeconds: Histogram;
  readonly executedWaitSeconds: Histogram;
  readonly rejected: (reason: RejectReason) => Counter;
  readonly rejectedWaitSeconds: () => Histogram;
}

export function createFlowSeries(metrics: Metrics, level: string, schema: string): FlowSeries {
  return {
    executingRequests: metrics.flowExecutingRequests.with(level, schema),
    executingSeats: metrics.flowExecutingSeats.with(level, schema),
    waitingRequests: metrics.flowWaitingRequests.with(level, schema),
    waitingSeats: metrics.flowWaitingSeats.with(level, schema),
    dispatched: metrics.flowDispatchedTotal.with(level, schema),
    estimatedSeats: metrics.flowEstimatedSeats.with(level, schema),
    regularSeconds: metrics.flowExecutionSeconds.with(level, schema, 'regular'),
    watchSeconds: metrics.flowExecutionSeconds.with(level, schema, 'watch'),
    executedWaitSeconds: metrics.flowWaitSeconds.with(level, schema, 'true'),
    rejected: (reason) => metrics.flowRejectedTotal.with(level, schema, reason),
    rejectedWaitSeconds: () => metrics.flowWaitSeconds.with(level, schema, 'false'),
  };
}
