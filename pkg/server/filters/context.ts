/**
 * The context of a request on its way through the chain. Each phase has its own type: a step takes the type with the
 * fields that it needs, so that a chain with the steps in the wrong order does not compile.
 */
import type { RequestAudit } from '../../audit/request-audit.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { type ApiRequest, type ApiResponse, StreamAborted } from '../transports/request.ts';
import type { Output } from '../negotiation/output.ts';
import { parseQuery, type Query } from './query.ts';
import type { RequestInfo } from './parse-request-info.ts';

/** One object serves all phases: a step assigns the fields that it determines and passes on the wider type. */
export class RequestContext {
  readonly request: ApiRequest;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** Shared by all requests of the server. */
  readonly scheduler: Scheduler;
  /** Set by later phases. Undefined when a request was refused before that phase. */
  readonly auditId: string | undefined;
  readonly maxBodyBytes: number | undefined;
  readonly info: RequestInfo | undefined;
  readonly user: UserInfo | undefined;
  /** The sender, if it acts as `user`, who is another one. */
  readonly impersonator: UserInfo | undefined;
  /** Set by handlers that negotiate; undefined for most errors. */
  output: Output | undefined;
  /** Set by the audit step if the policy wants the request to be recorded. */
  audit: RequestAudit | undefined;
  /** Set by the flow control step. */
  flow: FlowIdentity | undefined;
  /** Set when flow control refused the request. */
  wasDropped = false;
  /** Called when a watch has begun. */
  onBegun: (() => void) | undefined;
  /** Set once the resource was found. */
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

  /** True for a watch. It stays open until its deadline or shutdown, and then ends normally. */
  get longRunning(): boolean {
    return this.#longRunning;
  }
  becomeLongRunning(deadlineMs: number): void {
    this.#longRunning = true;
    this.setDeadline(deadlineMs);
  }

  /** Aborts when the client disconnects, the deadline passes or the server ends the request, in this tick or later. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason);
      this.request.onDisconnect(() => this.scheduler.runOrDefer(() => this.abort(DISCONNECTED)));
    }
    return this.#abort.signal;
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(reason);
  }

  /** Replaces an earlier deadline but keeps its `onTimeout`. */
  setDeadline(afterMs: number, onTimeout?: (context: RequestContext) => void): void {
    this.#timeout ??= onTimeout;
    clearTimeout(this.#deadline);
    this.#deadlineAt = performance.now() + afterMs;
    this.#deadline = setTimeout(onDeadline, Math.min(afterMs, MAX_TIMER_MS), this);
  }

  /** A watch is open, and its initial events are written. */
  begun(): void {
    this.onBegun?.();
  }

  /** From the start of the request to its deadline. */
  get deadlineAfterMs(): number {
    return this.#deadlineAt - this.startedAt;
  }

  /** Counts from now. Does not extend an earlier deadline. */
  shortenDeadline(afterMs: number): void {
    if (performance.now() + afterMs < this.#deadlineAt) this.setDeadline(afterMs);
  }

  clearDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  /** Rejects when the deadline passes, or has passed. For responses that are partly sent. */
  deadlineReached(): Promise<never> {
    return new Promise((_, reject) => {
      const abortStream = () => reject(new StreamAborted('the deadline passed before the response was sent'));
      if (this.#timedOut) abortStream();
      else this.#timeout = abortStream;
    });
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** For the timer of `setDeadline` only. Thousands may fire at once, so a spent tick defers it. */
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

/** What flow control took the request for: told in headers of the response. */
export interface FlowIdentity {
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
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

/** After the authenticate step; `user` may be replaced by the impersonate step. Handlers get this type. */
export interface AuthenticatedContext extends RoutedContext {
  readonly user: UserInfo;
}

/** setTimeout fires immediately for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NONE: readonly string[] = [];
// Shared: thousands of clients may disconnect at once, and each new error would capture a stack.
const DISCONNECTED = new Error('the client disconnected');
// Shared to avoid a closure per deadline.
const onDeadline = (context: RequestContext) => context.deadlinePassed();

/** Handles a request: a filter and all steps after it, or the final handler. What it throws becomes a Status. */
export type RequestHandler<Context extends RequestContext> = (context: Context) => Promise<ApiResponse>;

/** Wraps the next handler: it responds by itself or passes the request on. The context type stays the same. */
export type Filter<Needs extends RequestContext = RequestContext> = <Context extends Needs>(
  next: RequestHandler<Context>,
) => RequestHandler<Context>;

/** A filter that adds to the context, for example the user: the next handler needs `To`, the filter only `From`. */
export type ContextFilter<From extends RequestContext, To extends RequestContext> = (next: RequestHandler<To>) => RequestHandler<From>;
