import type { Scheduler } from '../apimachinery/scheduling/scheduler.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Log, LogFields } from '../observability/logging.ts';
import type { RevisedChange, Revision } from '../storage/backend.ts';
import { type Key, keyText } from '../storage/keys.ts';
import type { FillResult } from './fill.ts';
import { FRESHNESS_TIMEOUT_MS } from './freshness-checks.ts';
import type { ResponseMemory } from './lists/response-memory.ts';
import { CollectionSnapshot } from './lists/snapshot.ts';
import type { Progress } from './progress.ts';
import type { CacheBudget, CacheSpace } from './representations/cache-budget.ts';
import { EncodedItem } from './representations/encoded-item.ts';
import type { ComposedObject, ContextFreeRepresentation, Representation } from './representations/representation.ts';
import { toMatcher } from './selection.ts';
import { itemOf } from './store/chunk-caches.ts';
import { Collection } from './store/collection.ts';
import { EntryFactory } from './store/entry-factory.ts';
import type { EntryMemory } from './store/entry-memory.ts';
import { RetainedSnapshots } from './store/retained-snapshots.ts';
import type {
  CachedChange,
  CachedObject,
  CachedResource,
  ResourceCache,
  ResourceStats,
  ResourceSubscriber,
  Snapshot,
  WatchOutcome,
  CacheWatchRequest,
} from './watch-cache.ts';
import { EventEncoder } from './watches/event-encoder.ts';
import { EventRing, type RingLimits } from './watches/event-ring.ts';
import { FanOut, type FanOutLimits } from './watches/fan-out.ts';
import { writeInitialEvents } from './watches/initial-events.ts';
import { expired, historyLost, tooLarge } from './cache-errors.ts';
import { Watcher } from './watches/watcher.ts';

/**
 * Limit for the bytes of replaced objects that all retained snapshots of a resource keep alive: a share of the
 * collection, and a minimum. The oldest snapshot counts, since it retains what the others do. Pages of a dropped
 * snapshot are read from the backend.
 */
const MAX_RETAINED_SHARE = 1 / 14;
const MIN_RETAINED_BYTES = 2 * 1024 * 1024;

export interface ResourceStateOptions {
  readonly resource: CachedResource;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly cacheSpace: CacheBudget;
  /** Shared by all resources. */
  readonly responseMemory: ResponseMemory;
  readonly scheduler: Scheduler;
  readonly createMemory: () => EntryMemory;
  readonly ring: RingLimits;
  readonly fanOut: FanOutLimits;
  /** Key of the annotation on the bookmark after initial events. */
  readonly initialEventsEnd: string;
}

/** One resource: its current objects, recent changes and watches. Modified only by the loop of the cache. */
export class ResourceState implements ResourceCache {
  readonly resource: CachedResource;
  readonly #options: ResourceStateOptions;
  readonly #encoder: EventEncoder;
  readonly #retained: RetainedSnapshots;
  readonly #subscribers = new Set<ResourceSubscriber>();
  #entries: EntryFactory;
  #collection: Collection;
  #ring: EventRing;
  #fanOut: FanOut;
  /** Events written to ended watches. */
  #endedEvents = 0;
  /** The last snapshot, while it shows the current state. */
  #newest: CollectionSnapshot | undefined;
  /** Snapshots of the current collection; others must not be retained. */
  #retainable = new WeakSet<Snapshot>();
  /** Revision of the last change, or of the fill. */
  #changedAt: Revision;

  constructor(options: ResourceStateOptions) {
    const { resource, clock, cacheSpace, progress } = options;
    this.resource = resource;
    this.#options = options;
    this.#encoder = new EventEncoder(resource, (entry, representation, at) => this.#objectIn(entry, representation, at));
    this.#entries = this.createEntries();
    this.#retained = new RetainedSnapshots(() => clock.now());
    this.#collection = new Collection(cacheSpace, this.#entries.memory);
    this.#ring = new EventRing(progress.revision, options.ring);
    this.#fanOut = this.#createFanOut();
    this.#changedAt = progress.revision;
  }

  get revision(): Revision {
    return this.#options.progress.revision;
  }

  get size(): number {
    return this.#collection.size;
  }

  get stats(): ResourceStats {
    return {
      objects: this.#collection.size,
      bytes: this.#collection.bytes,
      unreadable: this.#entries.unreadable.size,
      watchers: this.#fanOut.watchers,
      lagging: this.#fanOut.lagging,
      deliveredEvents: this.#endedEvents + this.#fanOut.deliveredEvents,
      ringEvents: this.#ring.size,
      ringBytes: this.#ring.bytes,
      retainedSnapshots: this.#retained.size,
    };
  }

  get(key: Key): CachedObject | undefined {
    return this.#collection.get(key);
  }

  singleObject(object: CachedObject, representation: Representation): Buffer | undefined {
    if (representation.isContextFree !== true) return undefined;
    const item = this.#cachedItem(object, representation);
    return item === undefined ? undefined : representation.singleObject(item.bytes);
  }

  isUnreadable(key: Key): boolean {
    return this.#entries.isUnreadable(key);
  }

  snapshot(): CollectionSnapshot {
    const { revision } = this;
    if (this.#newest?.revision !== revision) return (this.#newest = this.#snapshotAs(revision));
    return this.#newest;
  }

  /** Ignores a snapshot whose collection or store was replaced while the page was built. */
  retain(snapshot: Snapshot): void {
    if (this.#retainable.has(snapshot)) this.#retained.add(snapshot);
  }

  retained(revision: Revision): Snapshot | undefined {
    const retained = this.#retained.get(revision);
    if (retained !== undefined) return retained;
    const isNow = this.#options.progress.isLive && revision >= this.#changedAt && revision <= this.revision;
    return isNow ? this.#snapshotAs(revision) : undefined;
  }

  changeAfter(key: Key, revision: Revision): CachedChange | undefined {
    return this.#ring.changeAfter(key, revision);
  }

  subscribe(subscriber: ResourceSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  async watch(request: CacheWatchRequest, writer: ResponseWriter): Promise<WatchOutcome> {
    const watcher = new Watcher(toMatcher(request.selection), writer, request.bookmarks, request.representation);
    const onAbort = () => {
      this.#writeLastBookmark(watcher);
      watcher.end('aborted');
    };
    if (request.signal.aborted) onAbort();
    request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#stream(watcher, request);
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      this.#endedEvents += watcher.events;
    }
    return { reason: watcher.ended ?? 'closed', events: watcher.events };
  }

  async #stream(watcher: Watcher, { selection, from, initialEvents, bookmarks, signal, onBegun }: CacheWatchRequest): Promise<void> {
    const { progress } = this.#options;
    if (!initialEvents) onBegun?.();
    // Watches wait for a future revision; requests for its initial events only for a limited time.
    const isReached = await progress.reached(from, initialEvents ? FRESHNESS_TIMEOUT_MS : Infinity, signal);
    if (watcher.isOver()) return;
    if (!isReached) {
      if (initialEvents && progress.isLive) watcher.end('future', tooLarge(from, this.revision));
      else if (initialEvents || progress.isClosed) watcher.end('closed');
      // The store was replaced, so the client has not seen its changes up to this revision.
      else watcher.end('expired', historyLost());
      return;
    }
    if (progress.isClosed) {
      watcher.end('closed');
      return;
    }
    const fanOut = this.#fanOut;
    watcher.position = initialEvents ? this.#ring.tail : this.#ring.before(from);
    if (watcher.position === undefined) {
      watcher.end('expired', expired(from, this.#ring.oldest));
      return;
    }
    if (initialEvents) {
      // The snapshot and the newest event of the ring are of the same revision.
      const snapshot = this.snapshot();
      fanOut.addLagging(watcher);
      try {
        const page = await snapshot.find({ selection }).catch((error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          watcher.end('unreadable', error);
        });
        if (page === undefined) return;
        const { scheduler } = this.#options;
        const cacheSpace = this.#options.cacheSpace.forResponse();
        await writeInitialEvents(watcher, page.objects, {
          encoder: this.#encoder,
          objectIn: (entry, representation, at) => this.#objectIn(entry, representation, at, cacheSpace),
          scheduler,
        });
      } finally {
        fanOut.removeLagging(watcher);
      }
      if (bookmarks && !watcher.isOver()) {
        watcher.writer.write(this.#encoder.bookmark(snapshot.revision, watcher.representation, this.#options.initialEventsEnd));
      }
      onBegun?.();
    }
    await fanOut.follow(watcher);
  }

  /** Applies one change of the backend's watch. */
  apply(change: RevisedChange): void {
    const { key, record, revision } = change;
    const wasUnreadable = this.#entries.isUnreadable(key);
    const value = record === undefined ? undefined : this.#entries.read(record);
    const current = value === undefined ? undefined : this.#entries.create(value);
    if (record === undefined) this.#entries.deleted(key);
    const previous = this.#collection.get(key);
    // An unreadable value is a write by another program; watches must not report it as a deletion.
    const token = record === undefined ? undefined : (value?.token ?? '');
    // The ring must reference the previous state before the collection releases it.
    this.#ring.append({ revision, key, token, previous, current, at: this.#options.clock.now() });
    if (current === undefined) this.#collection.remove(key);
    else this.#collection.put(current);
    this.#newest = undefined;
    this.#changedAt = revision;
    if (record !== undefined && value === undefined && !wasUnreadable) this.#expireWatches(revision);
    if (this.#retained.size > 0) this.#retained.limit(Math.max(MIN_RETAINED_BYTES, this.#collection.bytes * MAX_RETAINED_SHARE));
    if (this.#subscribers.size === 0) return;
    const applied = { key, revision, previous, current, isDeleted: record === undefined };
    this.#tell((subscriber) => subscriber.changed(applied), { key: keyText(key) });
  }

  /** Delivers the applied changes. */
  publish(): void {
    this.#fanOut.notify();
  }

  /** Ends all watches with 410 after history was lost. Reads show the old state until `replace`. */
  lose(isOtherStore: boolean): void {
    this.#fanOut.expireAll(historyLost());
    if (isOtherStore) this.#dropRetained();
  }

  createEntries(): EntryFactory {
    return new EntryFactory(this.resource, this.#options.createMemory(), this.#options.log);
  }

  /** Shows the state at `revision`, which the progress is set to next. `entries` must be the factory that read it. */
  replace(filled: Pick<FillResult, 'chunks' | 'byKey'>, entries: EntryFactory, revision: Revision): void {
    this.#entries = entries;
    this.#collection.supersede();
    // They are no longer limited by writes to this collection. Later pages are read from the backend.
    this.#dropRetained();
    this.#collection = new Collection(this.#options.cacheSpace, entries.memory, filled.chunks, filled.byKey);
    this.#ring = new EventRing(revision, this.#options.ring);
    this.#fanOut.expireAll(historyLost());
    this.#fanOut = this.#createFanOut();
    this.#newest = undefined;
    this.#changedAt = revision;
  }

  /** Called when the progress shows the state of `replace`. */
  announceReplaced(): void {
    this.#tell((subscriber) => subscriber.replaced());
  }

  bookmark(): void {
    this.#fanOut.bookmark();
  }

  /** Drops old data and reclaims memory. */
  trim(now: number): void {
    this.#ring.trim(now);
    this.#retained.expire();
    this.#entries.memory.compact();
  }

  close(): void {
    this.#fanOut.close();
    this.#retained.clear();
  }

  /** One that throws must not end the loop of the cache, and with it all watches. */
  #tell(call: (subscriber: ResourceSubscriber) => void, fields?: LogFields): void {
    for (const subscriber of this.#subscribers) {
      try {
        call(subscriber);
      } catch (error) {
        this.#options.log.error('a subscriber of the watch cache failed', { resource: this.resource.name, ...fields, error });
      }
    }
  }

  /** The object of a watch event. */
  #objectIn(entry: CachedObject, representation: Representation, at: number, cacheSpace?: CacheSpace): ComposedObject {
    if (representation.isContextFree !== true) return representation.eventObject(entry.itemBytes, at);
    const item = this.#cachedItem(entry, representation, cacheSpace);
    if (item === undefined) return representation.eventObject(entry.itemBytes, at);
    return { bytes: representation.singleObject(item.bytes), validUntil: Infinity };
  }

  /** Undefined if the object was replaced. */
  #cachedItem(
    object: CachedObject,
    representation: ContextFreeRepresentation,
    cacheSpace: CacheSpace = this.#options.cacheSpace,
  ): EncodedItem | undefined {
    const position = this.#collection.find(object);
    const item = position === undefined ? undefined : itemOf(object, position, representation, cacheSpace);
    return item instanceof EncodedItem ? item : undefined;
  }

  #snapshotAs(revision: Revision): CollectionSnapshot {
    const { cacheSpace, responseMemory, scheduler } = this.#options;
    const { unreadable: unreadableKeys } = this.#entries;
    const snapshot = new CollectionSnapshot(this.resource, this.#collection, revision, {
      cacheSpace,
      responseMemory,
      scheduler,
      unreadableKeys,
    });
    this.#retainable.add(snapshot);
    return snapshot;
  }

  #dropRetained(): void {
    this.#retained.clear();
    this.#retainable = new WeakSet();
  }

  #createFanOut(): FanOut {
    return new FanOut(this.#ring.tail, {
      scheduler: this.#options.scheduler,
      encoder: this.#encoder,
      limits: this.#options.fanOut,
      revision: () => this.revision,
      failed: (error) => this.#deliveryFailed(error),
    });
  }

  /** Ends all watches, because they must not skip events. New watches start after the event. */
  #deliveryFailed(error: unknown): void {
    this.#options.log.error('event delivery failed, ending all watches of the resource', { resource: this.resource.name, error });
    this.#expireWatches(this.revision);
  }

  /** Ends all watches and drops undelivered events up to `revision`. */
  #expireWatches(revision: Revision): void {
    this.#fanOut.expireAll(historyLost());
    this.#ring.clear();
    this.#ring = new EventRing(revision, this.#options.ring);
    this.#fanOut = this.#createFanOut();
  }

  /** Lets clients resume a timed-out watch at the revision that it reached, even without recent events. */
  #writeLastBookmark(watcher: Watcher): void {
    // Nothing may follow the ERROR event of an ended watch.
    if (watcher.isOver()) return;
    const revision = this.#fanOut.deliveredRevision();
    if (watcher.bookmarks && watcher.slot >= 0 && !watcher.writer.closed && revision !== undefined)
      watcher.writer.write(this.#encoder.bookmark(revision, watcher.representation));
  }
}
