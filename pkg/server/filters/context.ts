/**
 * The context of a request on its way through the chain. Each phase of the chain has a type of its own: a step that
 * needs a fact takes the type that has it, so a step in front of the one that finds it out does not compile.
 */
import type { UserInfo } from '../../authentication/authenticator.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { type ApiRequest, type ApiResponse, StreamBrokenOff } from '../transports/request.ts';
import type { Output } from '../negotiation/output.ts';
import { parseQuery, type Query } from './query.ts';
import type { RequestInfo } from './request-info.ts';

/**
 * A request as it was received. One object for all phases: a step that found out a fact assigns it, and passes the
 * wider type on.
 */
export class RequestContext {
  readonly request: ApiRequest;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** Shared by requests that arrive, or end, at the same moment. */
  readonly scheduler: Scheduler;
  /**
   * Facts of later phases. Undefined in a step that sees a response again: the request was refused before that phase.
   */
  readonly auditId: string | undefined;
  readonly maxBodyBytes: number | undefined;
  readonly info: RequestInfo | undefined;
  readonly user: UserInfo | undefined;
  /** Set by handlers that negotiate. Undefined for most refusals. */
  output: Output | undefined;
  /** Set by the resource table once it has found the resource. */
  resourceExists = false;
  #longRunning = false;
  #warnings: string[] | undefined;
  #query: Query | undefined;
  #abort: AbortController | undefined;
  #abortReason: unknown;
  #deadline: NodeJS.Timeout | undefined;
  #deadlineAt = Infinity;
  #timedOut = false;
  #timeout: ((context: RequestContext) => void) | undefined;

  /** `scheduler`: that of all requests of the server. */
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

  /** True for a watch: it stays open until its deadline or the end of the server, and then ends in good order. */
  get longRunning(): boolean {
    return this.#longRunning;
  }
  becomeLongRunning(deadlineMs: number): void {
    this.#longRunning = true;
    this.setDeadline(deadlineMs);
  }

  /**
   * Aborts when the client is gone, the deadline has passed or the server ends the request, in the same tick or a later
   * one. Created on first use.
   */
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

  /** Replaces an earlier deadline, but not its `onTimeout`. */
  setDeadline(afterMs: number, onTimeout?: (context: RequestContext) => void): void {
    this.#timeout ??= onTimeout;
    clearTimeout(this.#deadline);
    this.#deadlineAt = performance.now() + afterMs;
    this.#deadline = setTimeout(onDeadline, Math.min(afterMs, MAX_TIMER_MS), this);
  }

  /** Counts from now. An earlier deadline stays. */
  shortenDeadline(afterMs: number): void {
    if (performance.now() + afterMs < this.#deadlineAt) this.setDeadline(afterMs);
  }

  clearDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  /** Rejects when the deadline passes. For responses that are half sent by then. */
  deadlineReached(): Promise<never> {
    return new Promise((_, reject) => {
      this.#timeout = () => reject(new StreamBrokenOff('the deadline passed before the response was sent'));
    });
  }

  /** True once the deadline has passed. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /**
   * For the timer of `setDeadline` only. Thousands of timers may fire at once, so the rest is deferred when the tick is
   * spent.
   */
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

  /** Adds a text to the Warning header of the response. */
  warn(text: string): void {
    (this.#warnings ??= []).push(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings ?? NONE;
  }
}

/** After the request id step. */
export interface IdentifiedContext extends RequestContext {
  readonly auditId: string;
}

/** After the size limits step. */
export interface BoundedContext extends IdentifiedContext {
  readonly maxBodyBytes: number;
}

/** After the requestInfo step. */
export interface RoutedContext extends BoundedContext {
  readonly info: RequestInfo;
}

/** After the authenticate step: what handlers get. */
export interface AuthenticatedContext extends RoutedContext {
  readonly user: UserInfo;
}

/** setTimeout fires at once for a longer time. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NONE: readonly string[] = [];
// Shared: ten thousand clients may go at once, and each new error would capture a stack.
const GONE = new Error('the client is gone');
// Shared, so that a deadline costs no closure.
const onDeadline = (context: RequestContext) => context.deadlinePassed();

/** The rest of the chain: resolves with a response. What it throws becomes a Status. */
export type Step<Context extends RequestContext> = (context: Context) => Promise<ApiResponse>;

/** A step of the chain, given the rest of it: it responds by itself, or passes the request on. */
export type Filter<Needs extends RequestContext = RequestContext> = <Context extends Needs>(next: Step<Context>) => Step<Context>;

/** A filter that finds out a fact: the steps behind it get the next phase's context. */
export type PhaseFilter<From extends RequestContext, To extends RequestContext> = (next: Step<To>) => Step<From>;
