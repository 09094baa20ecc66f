/** A FlowSchema at work: which requests are its, and which queues its flows use. */
import type { Metrics } from '../observability/metrics.ts';
import type { FlowSchema } from './configuration.ts';
import type { DroppedRequests } from './dropped-requests.ts';
import { createFlowSeries, type FlowSeries } from './flow-series.ts';
import { createMatcher, type FlowMatcher, type FlowUser } from './matches.ts';
import type { PriorityLevelState } from './priority-level-state.ts';
import { dealHand, hashFlow } from './shuffle-sharding.ts';

/** The hands of more flows are dealt again. */
const MAX_HANDS = 10_000;
const NO_HAND: readonly number[] = [];
const FIRST_QUEUE: readonly number[] = [0];

/** Valid until the next configuration. */
export class Flows {
  readonly schema: FlowSchema;
  readonly level: PriorityLevelState;
  readonly dropped: DroppedRequests;
  readonly matches: FlowMatcher;
  readonly #metrics: Metrics;
  readonly #hands = new Map<string, readonly number[]>();
  #series: FlowSeries | undefined;

  constructor(schema: FlowSchema, level: PriorityLevelState, dropped: DroppedRequests, metrics: Metrics) {
    this.schema = schema;
    this.level = level;
    this.dropped = dropped;
    this.matches = createMatcher(schema.spec);
    this.#metrics = metrics;
  }

  /** Created with the first request. */
  get series(): FlowSeries {
    return (this.#series ??= createFlowSeries(this.#metrics, this.level.level.name, this.schema.name));
  }

  /** The queues of a flow; none, if the level has no queues. */
  handOf(user: FlowUser, namespace: string): readonly number[] {
    const { queuing } = this.level;
    if (queuing === undefined) return NO_HAND;
    if (queuing.queues === 1) return FIRST_QUEUE;
    const method = this.schema.spec.distinguisherMethod?.type;
    const distinguisher = method === 'ByUser' ? user.name : method === 'ByNamespace' ? namespace : '';
    let hand = this.#hands.get(distinguisher);
    if (hand === undefined) {
      if (this.#hands.size >= MAX_HANDS) this.#hands.clear();
      hand = dealHand(hashFlow(this.schema.name, distinguisher), queuing.queues, queuing.handSize);
      this.#hands.set(distinguisher, hand);
    }
    return hand;
  }
}
