import type { Clock } from '../apimachinery/time/clock.ts';
import type { Log } from '../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision, type WatchBatch } from '../storage/backend.ts';
import { isStorageError, StorageError } from '../storage/errors.ts';
import { UnsentBudget } from './lists/buffered-writer.ts';
import { PrefetchedWatch } from './prefetched-watch.ts';
import { FAN_OUT_LIMITS } from './watches/fan-out.ts';
import { RING_LIMITS } from './watches/event-ring.ts';
import { type Filled, fillChunks } from './fill.ts';
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
  /** Key of the annotation on the bookmark that closes initial events: `<group suffix>/initial-events-end`. */
  readonly initialEventsEnd: string;
  readonly metrics?: WatchCacheMetrics;
  /**
   * Budget of bytes that can be made again, for all resources. Default 64 MB; give the same object to other users of
   * it.
   */
  readonly cacheSpace?: CacheBudget;
  /** Memory for the entries of one collection. Default: an arena. */
  readonly createMemory?: () => EntryMemory;
  /** Bound of each resource's recent changes. Default 32 MB. */
  readonly ringBytes?: number;
  /** How far a watcher may fall behind before it is ended. Default 32 MB. */
  readonly maxBehindBytes?: number;
  /** How much a watcher's connection may hold unread before it waits. Default 64 KB. */
  readonly maxQueuedBytes?: number;
}

/** Counted by the cache; figures that stand (`ResourceCache.stats`) are read from it. */
export interface WatchCacheMetrics {
  /** The cache was filled, the first time or again. */
  filled(resource: string): void;
  /** Changes applied. */
  received(resource: string): void;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const BOOKMARK_MS = 60_000;
/** How often what is too old is dropped. */
const TRIM_MS = 15_000;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;
/** A compaction may overtake a fill now and then; when it always does, trying faster does not help. */
const MAX_REFILLS_AT_ONCE = 10;

/** Starts filling at once; `filled()` awaits the first time. `close` ends every watch and leaves nothing behind. */
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
  /** Until something was lost: then nobody may go on where he was. */
  #looksBack = true;
  /** The newest revision when the fill began: as long as the cache is not there, it shows what is over. */
  #present: Revision = NO_REVISION;

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
      unsent: new UnsentBudget(),
      scheduler: this.#scheduler,
      createMemory: options.createMemory ?? (() => new Arena()),
    };
    this.#states = resources.map((resource) => new ResourceState({ resource, ...shared, ring, fanOut, initialEventsEnd }));
    this.#byName = new Map(this.#states.map((state) => [state.resource.name, state]));
    // Whoever does not ask for it must not be bothered by its failure at close.
    this.#filled.promise.catch(() => undefined);
    this.#loops = Promise.all([this.#follow(), this.#keepTime()]);
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
    // A watch that does not see every revision may never come to the newest one.
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

  /** Fills, follows the backend's watch, fills again when history was lost; until closed. */
  async #follow(): Promise<void> {
    const { backend, log, clock } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    const isClosing = () => signal.aborted;
    while (!isClosing()) {
      const startedAt = clock.now();
      try {
        const early = this.#progress.isLive ? undefined : await this.#fill(signal);
        const catchUp = startReplay({ backend, clock, isBehind: () => this.#notReady !== undefined, closing: signal });
        if (early !== undefined) catchUp.signal.addEventListener('abort', () => early.end(), { once: true });
        try {
          for await (const batch of early ?? backend.watch({ from: this.#progress.revision, signal: catchUp.signal })) {
            if (failures > 0) log.info('The watch cache follows the store again.');
            failures = 0;
            await this.#apply(batch);
            if (isClosing()) return;
            this.#enterPresent();
          }
        } finally {
          await catchUp.end();
        }
        if (catchUp.isGivenUp()) {
          this.#lose(false);
          continue;
        }
        // A closed backend ends every watch at once: asked again without a pause it would leave no turn for anything
        // else.
        if (!isClosing()) throw new StorageError('Closed', 'the store ended its watch');
      } catch (error) {
        if (isClosing()) return;
        // What went well for a while is not part of the same trouble.
        failures = clock.now() - startedAt > MAX_BACKOFF_MS ? 1 : failures + 1;
        this.#fail(error, failures);
        // History is lost at once and found at once; a store that does not answer is left singleObject for a while.
        const isAgain = failures > MAX_REFILLS_AT_ONCE || !isStorageError(error, 'Compacted');
        if (isAgain) await clock.sleep(Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
      }
    }
  }

  #fail(error: unknown, failures: number): void {
    const { log } = this.#options;
    const isReplaced = isStorageError(error, 'Replaced');
    // What no store says is a bug, here or there; nobody knows then which changes of a batch were applied.
    if (isReplaced || isStorageError(error, 'Compacted') || !isStorageError(error)) {
      // While a fill is under way nothing was shown that could be lost.
      if (this.#progress.isLive) {
        log.warn('The history of the store is lost; every watch ends and the watch cache is filled again.', { error });
      }
      this.#lose(isReplaced);
    } else if (failures === 1) {
      log.warn('The watch cache cannot follow the store and tries again.', { error });
    }
  }

  /** The cache may show a past state; it is ready once that has become the present one. */
  #enterPresent(): void {
    if (this.#notReady === undefined || this.#progress.revision < this.#present) return;
    this.#notReady = undefined;
    this.#filled.resolve(undefined);
  }

  #lose(isOtherStore: boolean): void {
    this.#looksBack = false;
    this.#progress.lose(isOtherStore);
    this.#notReady = 'the history of the store was lost and the watch cache is being filled again';
    for (const state of this.#states) state.lose(isOtherStore);
  }

  /** From the past, with the watch from there on, if the store has one. */
  async #fill(signal: AbortSignal): Promise<PrefetchedWatch | undefined> {
    const { backend } = this.#options;
    const past = this.#looksBack ? await findReplayStart(backend) : undefined;
    if (past === undefined) {
      await this.#fillAt(NO_REVISION, undefined, signal);
      return undefined;
    }
    const early = new PrefetchedWatch((ending) => backend.watch({ from: past.from, signal: ending }), signal);
    try {
      await this.#fillAt(past.from, past.present, signal);
    } catch (error) {
      await early.close();
      throw error;
    }
    return early;
  }

  /**
   * Every resource at one revision; `present`: the newest one, when that is another. A revision compacted meanwhile
   * throws, and the loop starts over with a newer one.
   */
  async #fillAt(from: Revision, present: Revision | undefined, signal: AbortSignal): Promise<void> {
    const { backend, metrics } = this.#options;
    let revision = from;
    const filled: { readonly state: ResourceState; readonly stored: EntryFactory; readonly result: Filled }[] = [];
    for (const state of this.#states) {
      const stored = state.createEntries();
      const result = await fillChunks({
        backend,
        prefix: state.resource.prefix,
        entries: stored,
        revision,
        signal,
        scheduler: this.#scheduler,
      });
      if (signal.aborted) return;
      revision = result.revision;
      filled.push({ state, stored, result });
    }
    if (revision === NO_REVISION) revision = await backend.currentRevision();
    for (const { state, stored, result } of filled) {
      state.replace(result, stored, revision);
      metrics?.filled(state.resource.name);
    }
    this.#present = present ?? revision;
    this.#progress.restart(revision);
    this.#enterPresent();
  }

  /** In slices, each of whole revisions: what is shown between two slices is the state at one revision. */
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
      // Exactly once is the backend's promise; a change that comes again must not be shown again.
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

  /** Bookmarks, and the end of what is kept for a time. */
  async #keepTime(): Promise<void> {
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
