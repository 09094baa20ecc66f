/** Cooperative scheduling: long work is split into tasks that yield, so that requests are served in between. */

/** A task yields after this much work. Yielding costs about 10 µs. */
export const TASK_QUANTUM_MS = 2;
/** Limit for the work of all tasks in one tick of the event loop. */
export const TICK_BUDGET_MS = 8;

/**
 * Divides the ticks of the event loop among tasks. Tasks that yield wait in a FIFO queue and are resumed one by one
 * until the budget of the tick is spent. The first task in the queue always gets its quantum, so no task starves.
 */
export class Scheduler {
  /** End of the current tick's budget; undefined if no work was done in this tick. */
  #endsAt: number | undefined;
  /** Tasks that yielded in this tick; they are resumed after those in `#resuming`. */
  #waiting: (() => void)[] = [];
  /** A second array, because `shift` is slow on long arrays. */
  #resuming: readonly (() => void)[] = [];
  /** Number of tasks in `#resuming` that were resumed. */
  #resumed = 0;
  #isScheduled = false;

  /** Whether the budget of this tick is spent. */
  isTickSpent(now: number): boolean {
    if (this.#endsAt === undefined) {
      this.#endsAt = now + TICK_BUDGET_MS;
      this.#schedule();
    }
    return now >= this.#endsAt;
  }

  /** Resolves in a later tick, after pending I/O. */
  yield(): Promise<void> {
    return new Promise((resolve) => this.#enqueue(resolve));
  }

  /** Runs `work` now, or in a later tick if the budget is spent. `work` must not throw. */
  runOrDefer(work: () => void): void {
    if (this.isTickSpent(performance.now())) this.#enqueue(work);
    else work();
  }

  #enqueue(resume: () => void): void {
    this.#waiting.push(resume);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#beginTick());
  }

  #beginTick(): void {
    const now = performance.now();
    this.#endsAt = Math.max(this.#endsAt ?? now + TICK_BUDGET_MS, now + TASK_QUANTUM_MS);
    if (this.#isQueueEmpty()) {
      this.#resuming = this.#waiting;
      this.#waiting = [];
      this.#resumed = 0;
    }
    this.#resumeNext();
  }

  #isQueueEmpty(): boolean {
    return this.#resumed === this.#resuming.length;
  }

  readonly #resumeNext = (): void => {
    const resume = this.#resuming[this.#resumed];
    if (resume === undefined) {
      this.#endTick();
      return;
    }
    this.#resumed++;
    resume();
    // The task continues in microtasks; nextTick runs after the last of them.
    queueMicrotask(() => process.nextTick(this.#continue));
  };

  readonly #continue = (): void => {
    if (performance.now() >= (this.#endsAt ?? 0)) this.#endTick();
    else this.#resumeNext();
  };

  #endTick(): void {
    this.#isScheduled = false;
    this.#endsAt = undefined;
    if (this.#waiting.length > 0 || !this.#isQueueEmpty()) this.#schedule();
  }
}

/** Long work that yields: `while (…) { …; if (task.shouldYield()) await task.yield(); }` */
export class ScheduledTask {
  readonly #scheduler: Scheduler;
  #resumedAt = performance.now();
  #workedMs = 0;

  /** `scheduler` is shared with other tasks. By default the task has its own. */
  constructor(scheduler: Scheduler = new Scheduler()) {
    this.#scheduler = scheduler;
  }

  shouldYield(): boolean {
    const now = performance.now();
    return now - this.#resumedAt >= TASK_QUANTUM_MS || this.#scheduler.isTickSpent(now);
  }

  /** Working time since the start, without the time spent yielded. */
  workedMs(): number {
    return this.#workedMs + performance.now() - this.#resumedAt;
  }

  /** Lets pending microtasks run, so that they count as work of this task. */
  async flushMicrotasks(): Promise<void> {
    await Promise.resolve();
  }

  async yield(): Promise<void> {
    this.#workedMs = this.workedMs();
    await this.#scheduler.yield();
    this.#resumedAt = performance.now();
  }
}
