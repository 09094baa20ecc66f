/** Counts open requests, so that shutdown can end watches and wait for the others. */
import { Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { Filter, RequestContext } from './context.ts';
import { afterResponse } from './response-streams.ts';

export class OpenRequests {
  readonly #longRunning = new Set<RequestContext>();
  readonly #scheduler: Scheduler;
  #short = 0;
  #draining = false;
  #idle: (() => void)[] = [];

  constructor(scheduler = new Scheduler()) {
    this.#scheduler = scheduler;
  }

  /** The open watches. */
  get longRunning(): ReadonlySet<RequestContext> {
    return this.#longRunning;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Ends all watches over several ticks; new ones end immediately. Can be called twice. */
  drain(): void {
    if (this.#draining) return;
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
    this.#short++;
    const response = await next(context);
    if (context.longRunning) {
      this.#short--;
      this.#longRunning.add(context);
      if (this.#draining) context.abort(STOPPING);
      return afterResponse(response, () => {
        this.#longRunning.delete(context);
        this.#wakeIdle();
      });
    }
    return afterResponse(response, () => {
      this.#short--;
      this.#wakeIdle();
    });
  };

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

const STOPPING = new Error('the server is shutting down');
