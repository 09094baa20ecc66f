/**
 * Decides when a request is worked on: by API priority and fairness, or by the plain limits. What finds no place is
 * answered 429. A watch keeps its place only until it has begun.
 */
import type { FlowController } from '../../flowcontrol/flow-controller.ts';
import type { Flows } from '../../flowcontrol/flows.ts';
import { listSeats } from '../../flowcontrol/list-seats.ts';
import type { MaxInFlight } from '../../flowcontrol/max-in-flight.ts';
import type { Ticket } from '../../flowcontrol/queue-set.ts';
import type { Turns } from '../../flowcontrol/turns.ts';
import type { Gauge, Histogram } from '../../observability/instruments.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { ADMIN_GROUP } from '../../authentication/authenticator.ts';
import { textResponse } from '../responses/status-response.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { AuthenticatedContext, Filter, RequestHandler } from './context.ts';
import { authorizedNamespace, type RequestInfo } from './parse-request-info.ts';
import { afterResponse } from './response-streams.ts';

export interface CollectionSize {
  readonly objects: number;
  readonly bytes: number;
}

export interface Fairness {
  readonly by: 'fairness';
  readonly controller: FlowController;
  readonly turns: Turns;
  /** What a list of everything reads; undefined: there is no such resource. */
  readonly collectionSize: (group: string, resource: string) => CollectionSize | undefined;
}

export type FlowControl = Fairness | { readonly by: 'limits'; readonly limits: MaxInFlight };

export interface FlowControlOptions {
  /** Absent: requests are not limited. */
  readonly flowControl?: FlowControl | undefined;
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

/** Of the time that a request has, the part that it may wait in a queue. */
const WAIT_SHARE = 0.25;
const MAX_WAIT_MS = 60_000;
const LIMITS_RETRY_AFTER = 1;

export const flowControl = (options: FlowControlOptions): Filter<AuthenticatedContext> => {
  const control = options.flowControl;
  if (control === undefined) return (next) => next;
  return control.by === 'limits' ? byLimits(control.limits) : byFairness(control, options);
};

const isReading = ({ verb }: RequestInfo): boolean => verb === 'get' || verb === 'list' || verb === 'watch';

const byLimits =
  (limits: MaxInFlight): Filter<AuthenticatedContext> =>
  (next) =>
  (context) => {
    const { info, user } = context;
    if (info.isResource && info.verb === 'watch') return next(context);
    const kind = isReading(info) ? 'reading' : 'writing';
    // An administrator always gets an answer.
    if (!limits.enter(kind)) return user.groups.includes(ADMIN_GROUP) ? next(context) : Promise.resolve(drop(context, LIMITS_RETRY_AFTER));
    return untilDone(next, context, () => limits.leave(kind));
  };

function byFairness(
  { controller, turns, collectionSize }: Fairness,
  { metrics, clock, monotonicNow }: FlowControlOptions,
): Filter<AuthenticatedContext> {
  const waitingReads = metrics.currentInqueueRequests.with('readOnly');
  const waitingWrites = metrics.currentInqueueRequests.with('mutating');
  const refuse = (context: AuthenticatedContext, { dropped }: Flows) => {
    dropped.add(clock.now());
    return drop(context, dropped.retryAfter);
  };
  return <Context extends AuthenticatedContext>(next: RequestHandler<Context>) => {
    const work = (context: Context, { level, series }: Flows, ticket: Ticket): Promise<ApiResponse> => {
      const { name } = context.user;
      const begin = () => {
        const isWatch = context.info.isResource && context.info.verb === 'watch';
        const place = new HeldSeats(
          ticket,
          isWatch ? series.watchSeconds : series.regularSeconds,
          level.isExempt ? undefined : () => turns.leave(name),
          monotonicNow,
        );
        if (isWatch) context.onBegun = place.free;
        return untilDone(next, context, place.free);
      };
      series.dispatched.inc();
      const turn = level.isExempt ? undefined : turns.enter(name, ticket.startedAt);
      return turn === undefined ? begin() : turn.then(begin);
    };
    const wait = async (context: Context, flows: Flows, ticket: Ticket): Promise<ApiResponse> => {
      const hasSeat = await decided(ticket, context, isReading(context.info) ? waitingReads : waitingWrites);
      const { series } = flows;
      const seconds = (monotonicNow() - ticket.cameAt) / 1000;
      if (hasSeat) {
        series.executedWaitSeconds.observe(seconds);
        return work(context, flows, ticket);
      }
      series.rejectedWaitSeconds().observe(seconds);
      series.rejected('time-out').inc();
      return refuse(context, flows);
    };
    return (context: Context) => {
      const { info, user } = context;
      const namespace = info.isResource ? authorizedNamespace(info) : '';
      const flows = controller.classify(user, info, namespace);
      const { schema, level, series } = flows;
      context.flow = { flowSchemaUid: schema.uid, priorityLevelUid: level.level.uid };
      const ticket = controller.start(flows, user, namespace, seatsOf(context, level.maxSeatsOfRequest, collectionSize));
      if (typeof ticket === 'string') return Promise.resolve(refuse(context, flows));
      if (ticket.isWaiting) return wait(context, flows, ticket);
      if (!level.isExempt) series.executedWaitSeconds.observe(0);
      return work(context, flows, ticket);
    };
  };
}

/** Ends the wait when the time is over, or when the client has gone. */
async function decided(ticket: Ticket, context: AuthenticatedContext, waiting: Gauge): Promise<boolean> {
  const cancel = () => ticket.cancel();
  const { signal } = context;
  const timer = setTimeout(cancel, Math.min(context.deadlineAfterMs * WAIT_SHARE, MAX_WAIT_MS));
  signal.addEventListener('abort', cancel, { once: true });
  waiting.add(1);
  const hasSeat = await ticket.decided();
  waiting.add(-1);
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  return hasSeat;
}

/** The seat and the turn of a request in work. */
class HeldSeats {
  readonly #ticket: Ticket;
  readonly #seconds: Histogram;
  readonly #leaveTurn: (() => void) | undefined;
  readonly #now: () => number;
  #isFree = false;

  constructor(ticket: Ticket, seconds: Histogram, leaveTurn: (() => void) | undefined, now: () => number) {
    this.#ticket = ticket;
    this.#seconds = seconds;
    this.#leaveTurn = leaveTurn;
    this.#now = now;
  }

  /** Can be called twice. */
  readonly free = (): void => {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#seconds.observe((this.#now() - this.#ticket.startedAt) / 1000);
    this.#leaveTurn?.();
    this.#ticket.finish();
  };
}

async function untilDone<Context extends AuthenticatedContext>(
  next: RequestHandler<Context>,
  context: Context,
  free: () => void,
): Promise<ApiResponse> {
  try {
    return afterResponse(await next(context), free);
  } catch (error) {
    free();
    throw error;
  }
}

function drop(context: AuthenticatedContext, retryAfter: number): ApiResponse {
  context.wasDropped = true;
  return textResponse(429, 'Too many requests, please try again later.\n', { 'Retry-After': String(retryAfter) });
}

function seatsOf(
  { info, query, request }: AuthenticatedContext,
  maxSeats: number | undefined,
  collectionSize: Fairness['collectionSize'],
): number {
  if (!info.isResource || (info.verb !== 'list' && info.verb !== 'watch')) return 1;
  const hasQuery = request.query !== '';
  if (info.verb === 'watch' && hasQuery && !hasInitialEvents(query)) return 1;
  const size = collectionSize(info.group, info.resource);
  if (size === undefined || info.name !== '') return 1;
  if (hasQuery && query.first('fieldSelector')?.includes('metadata.name=') === true) return 1;
  return listSeats({ ...size, limit: hasQuery ? Number(query.first('limit') ?? 0) || 0 : 0 }, maxSeats);
}

/** Asked for, or without a revision to begin after. */
function hasInitialEvents(query: AuthenticatedContext['query']): boolean {
  const from = query.first('resourceVersion') ?? '';
  return query.first('sendInitialEvents') === 'true' || from === '' || from === '0';
}
