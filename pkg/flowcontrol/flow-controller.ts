/**
 * API priority and fairness: each request belongs to the first FlowSchema that matches it, and takes seats of its
 * priority level, waits for them, or is refused. The mandatory objects are always there, stored or not.
 *
 * It does no I/O and knows no HTTP: `registry` brings it the stored configuration, the filter its requests.
 */
import type { Metrics } from '../observability/metrics.ts';
import { allocateSeats } from './concurrency-allocation.ts';
import { CATCH_ALL, EXEMPT, type FlowConfiguration, type FlowSchema } from './configuration.ts';
import { DroppedRequests } from './dropped-requests.ts';
import type { RejectReason } from './flow-series.ts';
import { Flows } from './flows.ts';
import type { FlowRequest, FlowUser } from './matches.ts';
import { isUsable, PriorityLevelState } from './priority-level-state.ts';
import type { Ticket } from './queue-set.ts';

/** How often seats are lent and given back. */
export const ADJUSTMENT_MS = 10_000;

export interface FlowControllerOptions {
  /** Of the whole server: what all requests may take that are not exempt. */
  readonly serverSeats: number;
  readonly mandatory: FlowConfiguration;
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export class FlowController {
  readonly #options: FlowControllerOptions;
  readonly #levels = new Map<string, PriorityLevelState>();
  readonly #dropped = new Map<string, DroppedRequests>();
  #schemas: readonly Flows[] = [];
  #nominalSum = 0;

  constructor(options: FlowControllerOptions) {
    this.#options = options;
    this.configure({ flowSchemas: [], priorityLevels: [] });
  }

  /** Takes a whole new configuration. Requests that wait or execute stay in their levels. */
  configure({ flowSchemas, priorityLevels }: FlowConfiguration): void {
    const { mandatory, now } = this.#options;
    const wanted = new Map(priorityLevels.filter(isUsable).map((level) => [level.name, level]));
    for (const level of mandatory.priorityLevels) if (!wanted.has(level.name)) wanted.set(level.name, level);
    const usable = flowSchemas.filter(({ spec }) => wanted.has(spec.priorityLevelConfiguration.name));
    for (const [name, level] of wanted) {
      const state = this.#levels.get(name);
      if (state === undefined) this.#levels.set(name, new PriorityLevelState(level, now));
      else Object.assign(state, { level, isLeaving: false });
    }
    for (const [name, state] of this.#levels) if (!wanted.has(name)) this.#leave(name, state);
    this.#divideSeats();
    this.#schemas = [...usable.toSorted(byPrecedence), ...missing(usable, mandatory.flowSchemas)]
      // The mandatory ones have the first and the last place.
      .toSorted((a, b) => Number(b.name === EXEMPT) - Number(a.name === EXEMPT))
      .flatMap((schema) => this.#flowsOf(schema) ?? []);
    this.#adjust();
  }

  /** Lends seats to levels that need them. To be called every `ADJUSTMENT_MS`. */
  readonly adjust = (): void => {
    for (const [name, state] of this.#levels) if (state.isLeaving) this.#leave(name, state);
    this.#adjust();
  };

  classify(user: FlowUser, request: FlowRequest, namespace: string): Flows {
    const schemas = this.#schemas;
    for (const flows of schemas) if (flows.matches(user, request, namespace)) return flows;
    // Reached by a user who is in neither of the two groups that everybody is in.
    const last = schemas.find(({ schema }) => schema.name === CATCH_ALL) ?? schemas.at(-1);
    if (last === undefined) throw new Error('there is no FlowSchema');
    return last;
  }

  /** The ticket has a seat, or waits; a reason: the request is to be refused. */
  start(flows: Flows, user: FlowUser, namespace: string, seats: number): Ticket | RejectReason {
    const { level, series } = flows;
    series.estimatedSeats.observe(seats);
    const started = level.set.start(seats, flows.handOf(user, namespace), series);
    if (typeof started === 'string') series.rejected(started).inc();
    return started;
  }

  #leave(name: string, state: PriorityLevelState): void {
    state.isLeaving = true;
    if (state.set.isIdle) this.#levels.delete(name);
  }

  #flowsOf(schema: FlowSchema): Flows | undefined {
    const level = this.#levels.get(schema.spec.priorityLevelConfiguration.name);
    if (level === undefined) return undefined;
    const { name } = level.level;
    let dropped = this.#dropped.get(name);
    if (dropped === undefined) this.#dropped.set(name, (dropped = new DroppedRequests()));
    return new Flows(schema, level, dropped, this.#options.metrics);
  }

  /** By shares. Rounded up, so their sum may be a little more. */
  #divideSeats(): void {
    const { serverSeats, metrics } = this.#options;
    const states = [...this.#levels.values()];
    const allShares = states.reduce((sum, { shares }) => sum + shares, 0);
    this.#nominalSum = 0;
    for (const state of states) {
      state.setNominalSeats(allShares === 0 ? 0 : Math.ceil((serverSeats * state.shares) / allShares), serverSeats);
      this.#nominalSum += state.nominalSeats;
      const { name } = state.level;
      metrics.flowNominalSeats.with(name).set(state.nominalSeats);
      metrics.flowLowerSeats.with(name).set(state.minSeats);
      metrics.flowUpperSeats.with(name).set(state.maxSeats);
    }
  }

  #adjust(): void {
    const { metrics } = this.#options;
    const states = [...this.#levels.values()];
    for (const state of states) state.updateDemand();
    const limited = states.filter(({ isExempt }) => !isExempt);
    const sum = (of: (state: PriorityLevelState) => number, all = limited) => all.reduce((total, state) => total + of(state), 0);
    const left =
      this.#nominalSum -
      sum(
        ({ neededSeats }) => neededSeats,
        states.filter(({ isExempt }) => isExempt),
      );
    const minSum = sum(({ minSeats }) => minSeats);
    const neededSum = sum(({ neededSeats }) => neededSeats);
    const targetOf = ({ neededSeats, smoothed }: PriorityLevelState) => Math.max(neededSeats, smoothed);
    const allocation =
      left > minSum && left > neededSum
        ? allocateSeats(
            this.#nominalSum,
            limited.map((state) => ({ lowerBound: state.neededSeats, upperBound: state.maxSeats, target: targetOf(state) })),
          )
        : undefined;
    metrics.flowFairFraction.with().set(allocation?.fairFraction ?? 0);
    const share = left <= minSum ? 0 : (left - minSum) / Math.max(1, neededSum - minSum);
    const seatsOf = (state: PriorityLevelState) => {
      if (state.isExempt) return state.neededSeats;
      if (allocation !== undefined) return Math.round(allocation.seats[limited.indexOf(state)] ?? 0);
      if (left > neededSum) return state.currentSeats ?? state.nominalSeats;
      return state.minSeats + Math.round((state.neededSeats - state.minSeats) * share);
    };
    for (const state of states) {
      state.setCurrentSeats(seatsOf(state));
      const { name } = state.level;
      metrics.flowCurrentSeats.with(name).set(state.currentSeats ?? 0);
      metrics.flowDemandHighWatermark.with(name).set(state.highWatermark);
      metrics.flowDemandAverage.with(name).set(state.average);
      metrics.flowDemandDeviation.with(name).set(state.deviation);
      metrics.flowDemandSmoothed.with(name).set(state.smoothed);
      metrics.flowTargetSeats.with(name).set(targetOf(state));
    }
  }
}

const byPrecedence = (a: FlowSchema, b: FlowSchema): number =>
  a.spec.matchingPrecedence - b.spec.matchingPrecedence || (a.name < b.name ? -1 : 1);

const missing = (present: readonly FlowSchema[], mandatory: readonly FlowSchema[]): readonly FlowSchema[] =>
  mandatory.filter(({ name }) => !present.some((each) => each.name === name));
