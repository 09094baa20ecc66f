/** The instruments of flow control, named as in Kubernetes. */
import type { Counter, Family, Gauge, Histogram } from './instruments.ts';

export interface FlowControlMetrics {
  /** priority_level, flow_schema; so are all up to `flowRejectedTotal` */
  readonly flowExecutingRequests: Family<Gauge>;
  readonly flowExecutingSeats: Family<Gauge>;
  readonly flowWaitingRequests: Family<Gauge>;
  readonly flowWaitingSeats: Family<Gauge>;
  readonly flowDispatchedTotal: Family<Counter>;
  readonly flowEstimatedSeats: Family<Histogram>;
  /** priority_level, flow_schema, reason: concurrency-limit, queue-full, time-out */
  readonly flowRejectedTotal: Family<Counter>;
  /** priority_level, flow_schema, execute: true, false */
  readonly flowWaitSeconds: Family<Histogram>;
  /** priority_level, flow_schema, type: regular, watch */
  readonly flowExecutionSeconds: Family<Histogram>;
  /** priority_level; so are the rest */
  readonly flowNominalSeats: Family<Gauge>;
  readonly flowLowerSeats: Family<Gauge>;
  readonly flowUpperSeats: Family<Gauge>;
  readonly flowCurrentSeats: Family<Gauge>;
  readonly flowTargetSeats: Family<Gauge>;
  readonly flowDemandHighWatermark: Family<Gauge>;
  readonly flowDemandAverage: Family<Gauge>;
  readonly flowDemandDeviation: Family<Gauge>;
  readonly flowDemandSmoothed: Family<Gauge>;
  /** No labels. */
  readonly flowFairFraction: Family<Gauge>;
  /** request_kind: mutating, readOnly */
  readonly currentInqueueRequests: Family<Gauge>;
}

interface Declare {
  readonly counter: (name: string, help: string, labels?: readonly string[]) => Family<Counter>;
  readonly gauge: (name: string, help: string, labels?: readonly string[]) => Family<Gauge>;
  readonly histogram: (name: string, help: string, bounds: readonly number[], labels?: readonly string[]) => Family<Histogram>;
}

const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const SEATS = [1, 2, 4, 8, 16, 32, 64, 100];
const FLOW = ['priority_level', 'flow_schema'];
const LEVEL = ['priority_level'];

export function declareFlowControlMetrics({ counter, gauge, histogram }: Declare): FlowControlMetrics {
  const named = (name: string) => `apiserver_flowcontrol_${name}`;
  return {
    flowExecutingRequests: gauge(named('current_executing_requests'), 'Requests in work; watches only until they have begun.', FLOW),
    flowExecutingSeats: gauge(named('current_executing_seats'), 'Seats of requests in work.', FLOW),
    flowWaitingRequests: gauge(named('current_inqueue_requests'), 'Requests that wait in queues.', FLOW),
    flowWaitingSeats: gauge(named('current_inqueue_seats'), 'Seats that requests in queues wait for.', FLOW),
    flowDispatchedTotal: counter(named('dispatched_requests_total'), 'Requests that got their seats.', FLOW),
    flowEstimatedSeats: histogram(named('work_estimated_seats'), 'Seats that requests are estimated to need.', SEATS, FLOW),
    flowRejectedTotal: counter(named('rejected_requests_total'), 'Requests that were refused.', [...FLOW, 'reason']),
    flowWaitSeconds: histogram(named('request_wait_duration_seconds'), 'Time in a queue.', SECONDS, [...FLOW, 'execute']),
    flowExecutionSeconds: histogram(named('request_execution_seconds'), 'Time in work; of watches until they have begun.', SECONDS, [
      ...FLOW,
      'type',
    ]),
    flowNominalSeats: gauge(named('nominal_limit_seats'), "The level's part of the server's seats.", LEVEL),
    flowLowerSeats: gauge(named('lower_limit_seats'), 'Seats of the level that it does not lend.', LEVEL),
    flowUpperSeats: gauge(named('upper_limit_seats'), 'Seats of the level with all that it may borrow.', LEVEL),
    flowCurrentSeats: gauge(named('current_limit_seats'), 'Seats of the level now.', LEVEL),
    flowTargetSeats: gauge(named('target_seats'), 'Seats that the level should have.', LEVEL),
    flowDemandHighWatermark: gauge(named('demand_seats_high_watermark'), 'The most seats wanted in the last ten seconds.', LEVEL),
    flowDemandAverage: gauge(named('demand_seats_average'), 'Seats wanted in the last ten seconds, on average.', LEVEL),
    flowDemandDeviation: gauge(named('demand_seats_stdev'), 'Standard deviation of the wanted seats.', LEVEL),
    flowDemandSmoothed: gauge(named('demand_seats_smoothed'), 'Wanted seats, smoothed over minutes.', LEVEL),
    flowFairFraction: gauge(named('seat_fair_frac'), 'The fraction of its target that each level gets.'),
    currentInqueueRequests: gauge('apiserver_current_inqueue_requests', 'Requests that wait in queues.', ['request_kind']),
  };
}
