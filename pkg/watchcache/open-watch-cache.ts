import type { Clock } from '../apimachinery/time/clock.ts';
import type { Log } from '../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision, type WatchBatch } from '../storage/backend.ts';
import { isStorageError, StorageError } from '../storage/errors.ts';
import { ResponseMemory } from './lists/response-memory.ts';
import { PrefetchedWatch } from './prefetched-watch.ts';
import { FAN_OUT_LIMITS } from './watches/fan-out.ts';
import { RING_LIMITS } from './watches/event-ring.ts';
import { type FillResult, fillChunks } from './fill.ts';
import { CacheBudget } from './representations/cache-budget.ts';
import { type ReplayableBackend, findReplayStart, startReplay } from './replay.ts';
import { Progress } from './progress.ts';
import { ResourceState } from './resource-state.ts';
import { FreshnessChecks } from './freshness-checks.ts';
import { Scheduler, ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import { Arena } from './store/arena.ts';
import type { EntryFactory } from './store/entry-factory.ts';
import type { EntryMemory } from './store/entry-memory.ts';
import type { CachedResource, ResourceCache, WatchCache } from './watch-cache.ts';

export interface WatchCacheOptions {
  readonly backend: Pick<Backend, 'range' | 'watch'> & ReplayableBackend;
  readonly resources: readonly CachedResource[];
  readonly clock: Clock;
  readonly log: Log;
  /** Key of the annotation on the bookmark after initial events: `<group suffix>/initial-events-end`. */
  readonly initialEventsEnd: string;
  readonly metrics?: WatchCacheMetrics;
  /** Limit of cached derived bytes, for all resources. Default 64 MB. May be shared with other caches. */
  readonly cacheSpace?: CacheBudget;
  /** Memory for the entries of one collection. Default: an arena. */
  readonly createMemory?: () => EntryMemory;
  /** Limit of the recent changes of each resource. Default 32 MB. */
  readonly ringBytes?: number;
  /** A watch that lags further behind is ended. Default 32 MB. */
  readonly maxBehindBytes?: number;
  /** A watch waits while its connection has more unsent bytes. Default 64 KB. */
  readonly maxQueuedBytes?: number;
}

/** Counters; gauges are read from `ResourceCache.stats`. */
export interface WatchCacheMetrics {
  /** The cache was filled, initially or again. */
  filled(resource: string): void;
  /** Changes applied. */
  received(resource: string): void;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const BOOKMARK_MS = 60_000;
/** Interval for dropping old events and snapshots. */
const TRIM_MS = 15_000;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;
/** A compaction may interrupt a fill occasionally; if it always does, immediate retries do not help. */
const MAX_REFILLS_AT_ONCE = 10;

/** Starts filling; `filled()` awaits the first fill. `close` ends all watches and releases all resources. */
export const openWatchCache = (options: WatchCacheOptions): WatchCache => new BackendWatchCache(options);

class BackendWatchCache implements WatchCache {
  readonly #options: WatchCacheOptions;
  readonly #progress: Progress;
  readonly #checks: FreshnessChecks;
  readonly #states: readonly ResourceState[];
  readonly #byName: ReadonlyMap<string, ResourceState>;
  readonly #closing = new AbortController();
  readonly #scheduler = new Scheduler();
  readonly #loops: Promise<unknown>;
  readonly #filled = Promise.withResolvers<undefined>();
  #notReady: string | undefined = 'the watch cache is being filled';
  /** False once history was lost, because watches cannot be resumed then. */
  #canReplay = true;
  /** The newest revision when the fill began. The cache is not ready before it has applied this revision. */
  #newestAtFill: Revision = NO_REVISION;

  constructor(options: WatchCacheOptions) {
    const { backend, resources, clock, log, cacheSpace = new CacheBudget(CACHE_BYTES), initialEventsEnd } = options;
    this.#options = options;
    this.#progress = new Progress(clock);
    this.#checks = new FreshnessChecks(backend, this.#progress);
    const ring = { ...RING_LIMITS, maxBytes: options.ringBytes ?? RING_LIMITS.maxBytes };
    const fanOut = {
      maxQueuedBytes: options.maxQueuedBytes ?? FAN_OUT_LIMITS.maxQueuedBytes,
      maxBehindBytes: options.maxBehindBytes ?? FAN_OUT_LIMITS.maxBehindBytes,
    };
    const shared = {
      clock,
      log,
      progress: this.#progress,
      cacheSpace,
      responseMemory: new ResponseMemory(),
      scheduler: this.#scheduler,
      createMemory: options.createMemory ?? (() => new Arena()),
    };
    this.#states = resources.map((resource) => new ResourceState({ resource, ...shared, ring, fanOut, initialEventsEnd }));
    this.#byName = new Map(this.#states.map((state) => [state.resource.name, state]));
    // Prevents an unhandled rejection on close if nobody awaits `filled()`.
    this.#filled.promise.catch(() => undefined);
    this.#loops = Promise.all([this.#follow(), this.#maintain()]);
  }

  get resources(): readonly ResourceCache[] {
    return this.#states;
  }

  get notReady(): string | undefined {
    return this.#notReady;
  }

  resource(name: string): ResourceCache {
    const state = this.#byName.get(name);
    if (state === undefined) throw new Error(`the watch cache has no resource ${name}`);
    return state;
  }

  async filled(): Promise<void> {
    await this.#filled.promise;
  }

  isFresh(signal?: AbortSignal): Promise<boolean> {
    if (this.#closing.signal.aborted) return Promise.resolve(false);
    // A watch that does not see every revision may never reach the newest one.
    return this.#options.backend.freshness === 'backend' ? Promise.resolve(false) : this.#checks.isFresh(signal);
  }

  reached(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#progress.reached(revision, timeoutMs, signal);
  }

  async close(): Promise<void> {
    this.#notReady = 'the watch cache is closed';
    this.#closing.abort();
    this.#progress.close();
    this.#filled.reject(new Error('the watch cache was closed before it was filled'));
    for (const state of this.#states) state.close();
    await this.#loops;
  }

  /** Fills the cache and follows the backend's watch; fills again when history was lost. Runs until closed. */
  async #follow(): Promise<void> {
    const { backend, log, clock } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    const isClosing = () => signal.aborted;
    while (!isClosing()) {
      const startedAt = clock.now();
      try {
        const prefetched = this.#progress.isLive ? undefined : await this.#fill(signal);
        const replay = startReplay(backend, clock, () => this.#notReady !== undefined, signal);
        if (prefetched !== undefined) replay.signal.addEventListener('abort', () => prefetched.end(), { once: true });
        try {
          for await (const batch of prefetched ?? backend.watch({ from: this.#progress.revision, signal: replay.signal })) {
            if (failures > 0) log.info('watch cache follows the store again');
            failures = 0;
            await this.#apply(batch);
            if (isClosing()) return;
            this.#markReadyIfCurrent();
          }
        } finally {
          await replay.end();
        }
        if (replay.isTimedOut()) {
          this.#lose(false);
          continue;
        }
        // A closed backend ends every watch immediately. Retrying without a pause would block the event loop.
        if (!isClosing()) throw new StorageError('Closed', 'the store ended its watch');
      } catch (error) {
        if (isClosing()) return;
        // Failures after a long success are not counted together.
        failures = clock.now() - startedAt > MAX_BACKOFF_MS ? 1 : failures + 1;
        this.#fail(error, failures);
        // Lost history can be reloaded immediately; a store that does not answer needs a pause.
        const isAgain = failures > MAX_REFILLS_AT_ONCE || !isStorageError(error, 'Compacted');
        if (isAgain) await clock.sleep(Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
      }
    }
  }

  #fail(error: unknown, failures: number): void {
    const { log } = this.#options;
    const isReplaced = isStorageError(error, 'Replaced');
    // Any other error is a bug, and it is unknown which changes of a batch were applied.
    if (isReplaced || isStorageError(error, 'Compacted') || !isStorageError(error)) {
      // During a fill no history was shown that could be lost.
      if (this.#progress.isLive) {
        log.warn('history of the store lost, ending all watches and filling the watch cache again', { error });
      }
      this.#lose(isReplaced);
    } else if (failures === 1) {
      log.warn('watch of the store failed, retrying', { error });
    }
  }

  /** After a replay the cache shows an old state; it is ready when it has reached the newest revision of the fill. */
  #markReadyIfCurrent(): void {
    if (this.#notReady === undefined || this.#progress.revision < this.#newestAtFill) return;
    this.#notReady = undefined;
    this.#filled.resolve(undefined);
  }

  #lose(isOtherStore: boolean): void {
    this.#canReplay = false;
    this.#progress.lose(isOtherStore);
    this.#notReady = 'the history of the store was lost and the watch cache is being filled again';
    for (const state of this.#states) state.lose(isOtherStore);
  }

  /** Fills at an old revision and returns the watch from there, if the store supports it. */
  async #fill(signal: AbortSignal): Promise<PrefetchedWatch | undefined> {
    const { backend } = this.#options;
    const start = this.#canReplay ? await findReplayStart(backend) : undefined;
    if (start === undefined) {
      await this.#fillAt(NO_REVISION, undefined, signal);
      return undefined;
    }
    const prefetched = new PrefetchedWatch((ending) => backend.watch({ from: start.from, signal: ending }), signal);
    try {
      await this.#fillAt(start.from, start.newest, signal);
    } catch (error) {
      await prefetched.close();
      throw error;
    }
    return prefetched;
  }

  /** Fills all resources at one revision. `newest` is the current one, if `from` is older. Throws if compacted. */
  async #fillAt(from: Revision, newest: Revision | undefined, signal: AbortSignal): Promise<void> {
    const { backend, metrics } = this.#options;
    let revision = from;
    const filled: { readonly state: ResourceState; readonly stored: EntryFactory; readonly result: FillResult }[] = [];
    for (const state of this.#states) {
      const stored = state.createEntries();
      const { prefix } = state.resource;
      const result = await fillChunks({ backend, prefix, entries: stored, revision, signal, scheduler: this.#scheduler });
      if (signal.aborted) return;
      revision = result.revision;
      filled.push({ state, stored, result });
    }
    if (revision === NO_REVISION) revision = await backend.currentRevision();
    for (const { state, stored, result } of filled) {
      state.replace(result, stored, revision);
      metrics?.filled(state.resource.name);
    }
    this.#newestAtFill = newest ?? revision;
    this.#progress.restart(revision);
    for (const { state } of filled) state.announceReplaced();
    this.#markReadyIfCurrent();
  }

  /** Yields only between revisions, so that readers see the state of a single revision. */
  async #apply({ revision, changes }: WatchBatch): Promise<void> {
    const { metrics } = this.#options;
    const task = new ScheduledTask(this.#scheduler);
    const changed = new Set<ResourceState>();
    const publish = (at: Revision) => {
      this.#progress.advance(at);
      for (const state of changed) state.publish();
      changed.clear();
    };
    const applied = this.#progress.revision;
    let at = applied;
    for (const change of changes) {
      // The backend delivers exactly once; a repeated change must not be delivered again.
      if (change.revision <= applied) continue;
      if (change.revision > at && task.shouldYield()) {
        publish(at);
        await task.yield();
        if (this.#closing.signal.aborted) return;
      }
      at = change.revision;
      const state = this.#states.find(({ resource }) => change.key.startsWith(resource.prefix));
      if (state === undefined) continue;
      state.apply(change);
      changed.add(state);
      metrics?.received(state.resource.name);
    }
    publish(revision);
  }

  /** Sends bookmarks and drops old data. */
  async #maintain(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    let bookmarkAt = clock.now() + BOOKMARK_MS;
    for (;;) {
      await clock.sleep(TRIM_MS, signal);
      if (signal.aborted) return;
      const now = clock.now();
      for (const state of this.#states) state.trim(now);
      if (now < bookmarkAt) continue;
      bookmarkAt = now + BOOKMARK_MS;
      if (this.#progress.isLive) for (const state of this.#states) state.bookmark();
    }
  }
}
