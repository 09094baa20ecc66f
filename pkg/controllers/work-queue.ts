/**
 * The queue of what a controller has to look at, with the semantics and metrics of client-go's workqueue:
 * - an item that waits is in it once;
 * - an item is never processed twice at the same time: added meanwhile, it is processed again afterwards;
 * - an item whose processing throws is added again after a delay that doubles with each failure.
 *
 * Workers yield between items, so that a long queue does not block the event loop.
 */
import { Scheduler, ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import { DelayedItems } from './delayed-items.ts';

const FIRST_RETRY_MS = 5;
const MAX_RETRY_MS = 1_000_000;
/** Taken items at the start of the array are dropped from this number on. */
const MIN_DROPPED = 1024;

export interface WorkQueueOptions<T> {
  /** As kube-controller-manager names it in metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  /** Shared by the queues of a process. Default: one of its own. */
  readonly scheduler?: Scheduler;
  /** Limit of the delay after a failure. Default: 1,000 s, as in client-go. */
  readonly maxRetryMs?: number;
  /** Told each failure of an item, and how many there were since it last succeeded. */
  readonly failed?: (item: T, error: unknown, failures: number) => void;
}

/** Processes an item. Ends soon after `signal` aborts. */
export type ProcessItem<T> = (item: T, signal: AbortSignal) => Promise<void>;

export class WorkQueue<T extends string | object> {
  readonly #options: WorkQueueOptions<T>;
  readonly #metrics: QueueMetrics | undefined;
  readonly #scheduler: Scheduler;
  /** In order; those before `#taken` were taken. */
  readonly #ready: T[] = [];
  #taken = 0;
  /** Items that are to be processed, and when they were added. */
  readonly #added = new Map<T, number>();
  /** Items being processed, and since when. */
  readonly #processing = new Map<T, number>();
  readonly #failures = new Map<T, number>();
  readonly #delayed = new DelayedItems<T>();
  readonly #idleWorkers: (() => void)[] = [];
  #rearm: (() => void) | undefined;
  #hasEnded = false;

  constructor(options: WorkQueueOptions<T>) {
    this.#options = options;
    this.#metrics = options.metrics === undefined ? undefined : createQueueMetrics(options.metrics, options.name);
    this.#scheduler = options.scheduler ?? new Scheduler();
  }

  /** Items that wait for a worker. */
  get length(): number {
    return this.#ready.length - this.#taken;
  }

  /** Nothing waits for a worker, a retry or its time, and nothing is being processed. */
  get isIdle(): boolean {
    return this.length === 0 && this.#processing.size === 0 && this.#delayed.size === 0;
  }

  add(item: T): void {
    if (this.#hasEnded || this.#added.has(item)) return;
    this.#metrics?.adds.inc();
    this.#metrics?.depth.add(1);
    this.#added.set(item, performance.now());
    if (this.#processing.has(item)) return;
    this.#push(item);
  }

  /** Adds it after `delayMs`. An earlier time that it waits for stays. */
  addAfter(item: T, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    if (this.#hasEnded) return;
    const before = this.#delayed.firstDueMs ?? Infinity;
    const dueMs = this.#options.clock.now() + delayMs;
    this.#delayed.add(item, dueMs);
    if (dueMs < before) this.#rearm?.();
  }

  /** Adds it after a delay that doubles each time until `forget`. */
  addRateLimited(item: T): void {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    this.#metrics?.retries.inc();
    this.addAfter(item, Math.min(FIRST_RETRY_MS * 2 ** failures, this.#options.maxRetryMs ?? MAX_RETRY_MS));
  }

  /** The next failure of the item counts as the first. */
  forget(item: T): void {
    this.#failures.delete(item);
  }

  /**
   * Processes items, at most `workers` at once, until `signal` aborts. Resolves when the last of them has ended; the
   * queue is empty then, and takes nothing more. Called once.
   */
  async run(workers: number, process: ProcessItem<T>, signal: AbortSignal): Promise<void> {
    const stopRefreshing = this.#options.metrics?.beforeExpose(() => this.#metrics?.refresh(this.#processing.values()));
    const wake = () => {
      for (const resume of this.#idleWorkers.splice(0)) resume();
    };
    signal.addEventListener('abort', wake, { once: true });
    try {
      await Promise.all([this.#releaseDelayed(signal), ...Array.from({ length: workers }, () => this.#work(process, signal))]);
    } finally {
      signal.removeEventListener('abort', wake);
      stopRefreshing?.();
      this.#hasEnded = true;
      this.#clear();
    }
  }

  async #work(process: ProcessItem<T>, signal: AbortSignal): Promise<void> {
    const task = new ScheduledTask(this.#scheduler);
    const isOver = () => signal.aborted;
    while (!isOver()) {
      const item = this.#take();
      if (item === undefined) {
        await new Promise<void>((resolve) => this.#idleWorkers.push(resolve));
        continue;
      }
      try {
        await process(item, signal);
        this.forget(item);
      } catch (error) {
        if (!isOver()) {
          this.addRateLimited(item);
          this.#options.failed?.(item, error, this.#failures.get(item) ?? 0);
        }
      } finally {
        this.#done(item);
      }
      if (task.shouldYield()) await task.yield();
    }
  }

  #push(item: T): void {
    this.#ready.push(item);
    this.#idleWorkers.pop()?.();
  }

  #take(): T | undefined {
    const item = this.#ready[this.#taken];
    if (item === undefined) return undefined;
    this.#taken++;
    if (this.#taken >= MIN_DROPPED && this.#taken * 2 >= this.#ready.length) {
      this.#ready.splice(0, this.#taken);
      this.#taken = 0;
    }
    const now = performance.now();
    this.#metrics?.depth.add(-1);
    this.#metrics?.queueDuration.observe((now - (this.#added.get(item) ?? now)) / 1000);
    this.#added.delete(item);
    this.#processing.set(item, now);
    return item;
  }

  #done(item: T): void {
    const now = performance.now();
    this.#metrics?.workDuration.observe((now - (this.#processing.get(item) ?? now)) / 1000);
    this.#processing.delete(item);
    if (this.#added.has(item)) this.#push(item);
  }

  async #releaseDelayed(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      for (let item = this.#delayed.takeDue(clock.now()); item !== undefined; item = this.#delayed.takeDue(clock.now())) this.add(item);
      const changed = new AbortController();
      this.#rearm = () => changed.abort();
      const dueMs = this.#delayed.firstDueMs;
      await clock.sleep(dueMs === undefined ? Infinity : dueMs - clock.now(), AbortSignal.any([signal, changed.signal]));
    }
    this.#rearm = undefined;
  }

  #clear(): void {
    this.#metrics?.depth.add(-this.#added.size);
    this.#metrics?.refresh([]);
    this.#ready.length = 0;
    this.#taken = 0;
    this.#added.clear();
    this.#failures.clear();
    this.#delayed.clear();
  }
}

type QueueMetrics = ReturnType<typeof createQueueMetrics>;

function createQueueMetrics(metrics: Metrics, name: string) {
  const [unfinished, longest] = [
    metrics.workqueueUnfinishedWorkSeconds.with(name),
    metrics.workqueueLongestRunningProcessorSeconds.with(name),
  ];
  return {
    depth: metrics.workqueueDepth.with(name),
    adds: metrics.workqueueAddsTotal.with(name),
    queueDuration: metrics.workqueueQueueDurationSeconds.with(name),
    workDuration: metrics.workqueueWorkDurationSeconds.with(name),
    retries: metrics.workqueueRetriesTotal.with(name),
    /** `startedAt`: of the items being processed. */
    refresh: (startedAt: Iterable<number>) => {
      const now = performance.now();
      let [total, oldest] = [0, 0];
      for (const start of startedAt) {
        total += now - start;
        oldest = Math.max(oldest, now - start);
      }
      unfinished.set(total / 1000);
      longest.set(oldest / 1000);
    },
  };
}
