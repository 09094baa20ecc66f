/**
 * What is known of a request on its way through the chain. Each step fills its own part and reads those of the steps before it;
 * `chain.ts` is the order.
 */
import type { UserInfo } from '../../authentication/authenticator.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { StreamBrokenOff } from '../transports/request.ts';
import type { Output } from '../negotiation/output.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { parseQuery } from './query.ts';
import type { Query } from './query.ts';
import type { RequestInfo } from './request-info.ts';

export class RequestContext {
  readonly request: ApiRequest;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** What requests share that come, or end, in one moment. */
  readonly scheduler: Scheduler;
  /** Filled by the request id step. */
  auditId = '';
  /** Filled by the requestInfo step. Absent: the request was refused before. */
  info: RequestInfo | undefined;
  /** Filled by the authentication step. */
  user: UserInfo | undefined;
  /** Filled by the handler that has negotiated. Absent: nobody has, as for most refusals. */
  output: Output | undefined;
  /** Filled by the dispatch step, once it is known that there is such a resource. */
  resourceExists = false;
  /** Filled by the size step. */
  maxBodyBytes = 0;
  #longRunning = false;
  /** Texts for the Warning header, in order. */
  #warnings: string[] | undefined;
  #query: Query | undefined;
  #abort: AbortController | undefined;
  #abortReason: unknown;
  #deadline: NodeJS.Timeout | undefined;
  #deadlineAt = Infinity;
  #timedOut = false;
  #timeout: ((context: RequestContext) => void) | undefined;

  /** `scheduler`: of all requests of the server. */
  constructor(request: ApiRequest, startedAt: number, scheduler = new Scheduler()) {
    this.request = request;
    this.startedAt = startedAt;
    this.scheduler = scheduler;
  }

  /** The query, parsed on first use. */
  get query(): Query {
    this.#query ??= parseQuery(this.request.query);
    return this.#query;
  }

  /** A watch: its answer is open for as long as `deadlineMs` says, and ends in good order then, or when the server stops. */
  get longRunning(): boolean {
    return this.#longRunning;
  }
  becomeLongRunning(deadlineMs: number): void {
    this.#longRunning = true;
    this.setDeadline(deadlineMs);
  }

  /** Aborts when the client is gone, the deadline has passed or the server ends the request, in that turn of the loop or a later one. Made on first use. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason);
      this.request.onGone(() => this.scheduler.runOrDefer(() => this.abort(GONE)));
    }
    return this.#abort.signal;
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(reason);
  }

  /** Replaces the deadline before. `onTimeout` of the first call is kept. */
  setDeadline(afterMs: number, onTimeout?: (context: RequestContext) => void): void {
    this.#timeout ??= onTimeout;
    clearTimeout(this.#deadline);
    this.#deadlineAt = performance.now() + afterMs;
    this.#deadline = setTimeout(onDeadline, Math.min(afterMs, MAX_TIMER_MS), this);
  }

  /** Seen from now. A deadline that is nearer stays. */
  shortenDeadline(afterMs: number): void {
    if (performance.now() + afterMs < this.#deadlineAt) this.setDeadline(afterMs);
  }

  clearDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  /** Rejects when the deadline passes; for answers that are half sent by then. */
  deadlineReached(): Promise<never> {
    return new Promise((_, reject) => {
      this.#timeout = () => reject(new StreamBrokenOff('the deadline passed before the answer was sent'));
    });
  }

  /** The server gave this request up. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** For `setDeadline` only. Its timer has fired, and thousands of others may have with it. */
  deadlinePassed(): void {
    const timer = this.#deadline;
    this.scheduler.runOrDefer(() => {
      if (this.#deadline === timer) this.#timeOut();
    });
  }

  #timeOut(): void {
    this.#timedOut = true;
    this.abort(new Error('the deadline has passed'));
    this.#timeout?.(this);
  }

  warn(text: string): void {
    (this.#warnings ??= []).push(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings ?? NONE;
  }
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NONE: readonly string[] = [];
// One for all: an error of its own would cost each of ten thousand that go at once a stack.
const GONE = new Error('the client is gone');
// One function for all requests, so that a deadline costs no closure.
const onDeadline = (context: RequestContext) => context.deadlinePassed();

/** One step of the chain, given the rest of it. It answers by itself, or passes on; what it throws becomes a Status. */
export type Step = (context: RequestContext) => Promise<ApiResponse>;
export type Filter = (next: Step) => Step;

/** The same answer; `onEnd` is called when its stream is over, whichever way, or at once when it has none. */
export function afterResponse(answer: ApiResponse, onEnd: () => void): ApiResponse {
  if ('body' in answer) {
    onEnd();
    return answer;
  }
  return { ...answer, stream: (writer) => answer.stream(writer).finally(onEnd) };
}
