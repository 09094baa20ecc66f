/** Counts open requests, so that a stop can be announced, end watches and wait for the others. */
import { Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { textResponse } from '../responses/status-response.ts';
import type { Filter, RequestContext } from './context.ts';
import { afterResponse } from './response-streams.ts';

export class OpenRequests {
  readonly #longRunning = new Set<RequestContext>();
  readonly #scheduler: Scheduler;
  #short = 0;
  #stopping = false;
  #refusing = false;
  #draining = false;
  #idle: (() => void)[] = [];
  #withoutShort: (() => void)[] = [];

  constructor(scheduler = new Scheduler()) {
    this.#scheduler = scheduler;
  }

  /** The open watches. */
  get longRunning(): ReadonlySet<RequestContext> {
    return this.#longRunning;
  }

  /** The server is about to stop. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Watches end, and connections close. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Everything is served on, but `/readyz` fails. */
  announceStop(): void {
    this.#stopping = true;
  }

  /** New requests get 429, except for health and metrics. Resolves when those that run are done, except for watches. */
  refuseNew(): Promise<void> {
    this.#refusing = true;
    return this.#short === 0 ? Promise.resolve() : new Promise((resolve) => this.#withoutShort.push(resolve));
  }

  /** Ends all watches over several ticks; new ones end immediately. Can be called twice. */
  drain(): void {
    if (this.#draining) return;
    this.#stopping = true;
    this.#draining = true;
    void this.#endLongRunning();
  }

  async #endLongRunning(): Promise<void> {
    const task = new ScheduledTask(this.#scheduler);
    for (const context of this.#longRunning) {
      context.abort(STOPPING);
      await task.flushMicrotasks();
      if (task.shouldYield()) await task.yield();
    }
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** The step of the chain that counts. */
  readonly filter: Filter = (next) => async (context) => {
    if (this.#refusing && !SERVED_TO_THE_END.test(context.request.path)) return refusal();
    this.#short++;
    const response = await next(context);
    if (context.longRunning) {
      this.#shortEnded();
      this.#longRunning.add(context);
      if (this.#draining) context.abort(STOPPING);
      return afterResponse(response, () => {
        this.#longRunning.delete(context);
        this.#wakeIdle();
      });
    }
    return afterResponse(response, () => {
      this.#shortEnded();
      this.#wakeIdle();
    });
  };

  #shortEnded(): void {
    this.#short--;
    if (this.#short > 0) return;
    for (const resolve of this.#withoutShort) resolve();
    this.#withoutShort = [];
  }

  #isIdle(): boolean {
    return this.#short === 0 && this.#longRunning.size === 0;
  }

  #wakeIdle(): void {
    if (!this.#isIdle()) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}

const SERVED_TO_THE_END = /^\/(?:readyz|livez|healthz|metrics)/;
/** As in Kubernetes. */
const RETRY_AFTER_SECONDS = 5;

const refusal = () =>
  textResponse(429, 'The apiserver is shutting down, please try again later.\n', {
    'Retry-After': String(RETRY_AFTER_SECONDS),
    Connection: 'close',
  });

const STOPPING = new Error('the server is shutting down');
