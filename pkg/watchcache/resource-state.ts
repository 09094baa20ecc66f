import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Log } from '../observability/logging.ts';
import type { RevisedChange, Revision } from '../storage/backend.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { UnsentBudget } from './lists/buffered-writer.ts';
import { Collection } from './store/collection.ts';
import { createLineStarts, type LineStarts } from './watches/event.ts';
import { EventRing, type RingLimits } from './watches/event-ring.ts';
import { FanOut, type FanOutLimits } from './watches/fan-out.ts';
import type { Filled } from './fill.ts';
import { writeInitialEvents } from './watches/initial-events.ts';
import { itemOf } from './representations/chunk-caches.ts';
import type { CacheBudget, CacheSpace } from './store/cache-budget.ts';
import type { Progress } from './progress.ts';
import { RetainedSnapshots } from './store/retained-snapshots.ts';
import { FRESHNESS_TIMEOUT_MS } from './freshness-checks.ts';
import { toMatcher } from './selection.ts';
import { CollectionSnapshot } from './store/snapshot.ts';
import type { Scheduler } from '../apimachinery/scheduling/scheduler.ts';
import { EntryFactory } from './store/entry-factory.ts';
import { bookmarkLine, expired, historyLost, tooLarge } from './watches/stream-events.ts';
import type {
  ContextFreeRepresentation,
  CachedChange,
  CachedObject,
  CachedResource,
  Representation,
  ResourceCache,
  ResourceStats,
  Snapshot,
  WatchOutcome,
  WatchRequest,
} from './watch-cache.ts';
import { Watcher } from './watches/watcher.ts';
import type { Key } from '../storage/keys.ts';

/**
 * What all retained states together may keep alive of objects that have been replaced, as a share of the objects there are; as much is fine however few
 * there are. The oldest decides, since it holds what the others hold. Pages of a state that was let go of come from the backend.
 */
const MAX_RETAINED_SHARE = 1 / 14;
const MIN_RETAINED_BYTES = 2 * 1024 * 1024;

export interface ResourceStateOptions {
  readonly resource: CachedResource;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly cacheSpace: CacheBudget;
  /** Of all resources. */
  readonly unsent: UnsentBudget;
  readonly scheduler: Scheduler;
  readonly ring: RingLimits;
  readonly fanOut: FanOutLimits;
  /** Key of the annotation on the bookmark that closes initial events. */
  readonly initialEventsEnd: string;
}

/** One resource: its objects now, its recent changes, and who follows them. Written by the cache's loop only. */
export class ResourceState implements ResourceCache {
  readonly resource: CachedResource;
  readonly #options: ResourceStateOptions;
  readonly #lineStarts: LineStarts;
  readonly #retained: RetainedSnapshots;
  #entries: EntryFactory;
  #collection: Collection;
  #ring: EventRing;
  #fanOut: FanOut;
  /** What watches that are over were written. */
  #endedEvents = 0;
  /** The last snapshot, as long as it is the state now. */
  #newest: CollectionSnapshot | undefined;
  /** Those that may be retained: of this collection, and of this store. */
  #retainable = new WeakSet<Snapshot>();
  /** The revision of the last change, or of the fill. */
  #changedAt: Revision;

  constructor(options: ResourceStateOptions) {
    const { resource, clock, log, cacheSpace, progress } = options;
    this.resource = resource;
    this.#entries = new EntryFactory(resource, log);
    this.#options = options;
    this.#lineStarts = createLineStarts(resource.encoding.head);
    this.#retained = new RetainedSnapshots(() => clock.now());
    this.#collection = new Collection(cacheSpace, this.#entries.arena);
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
    return representation.isContextFree === true ? this.#singleObjectOf(object, representation, this.#options.cacheSpace) : undefined;
  }

  isUnreadable(key: Key): boolean {
    return this.#entries.isUnreadable(key);
  }

  snapshot(): CollectionSnapshot {
    const { revision } = this;
    if (this.#newest?.revision !== revision) return (this.#newest = this.#snapshotAs(revision));
    return this.#newest;
  }

  /** Not one that was replaced, or lost with its store, while a page of it was sought. */
  retain(snapshot: Snapshot): void {
    if (this.#retainable.has(snapshot)) this.#retained.keep(snapshot);
  }

  retained(revision: Revision): Snapshot | undefined {
    const kept = this.#retained.get(revision);
    if (kept !== undefined) return kept;
    const isNow = this.#options.progress.isLive && revision >= this.#changedAt && revision <= this.revision;
    return isNow ? this.#snapshotAs(revision) : undefined;
  }

  changeAfter(key: Key, revision: Revision): CachedChange | undefined {
    return this.#ring.changeAfter(key, revision);
  }

  async watch(request: WatchRequest, writer: ResponseWriter): Promise<WatchOutcome> {
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

  async #stream(watcher: Watcher, { selection, from, initialEvents, bookmarks, signal }: WatchRequest): Promise<void> {
    const { progress } = this.#options;
    // Changes after a revision that has not happened are waited for; a state of it only for a while.
    const isReached = await progress.reached(from, initialEvents ? FRESHNESS_TIMEOUT_MS : Infinity, signal);
    if (watcher.isOver()) return;
    if (!isReached) {
      if (initialEvents && progress.isLive) watcher.end('future', tooLarge(from, this.revision));
      else if (initialEvents || progress.isClosed) watcher.end('closed');
      // Of another store, whose changes up to this revision the reader has not seen.
      else watcher.end('expired', historyLost());
      return;
    }
    if (progress.isClosed) {
      // Since it was reached: nobody delivers any more.
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
      // The snapshot and the ring's newest event are of one instant.
      const snapshot = this.snapshot();
      fanOut.watchLag(watcher);
      try {
        const page = await snapshot.find({ selection }).catch((error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          watcher.end('unreadable', error);
        });
        if (page === undefined) return;
        const { scheduler } = this.#options;
        const cacheSpace = this.#options.cacheSpace.forResponse();
        await writeInitialEvents(
          watcher,
          page.objects,
          this.#lineStarts,
          (entry, representation) => this.#singleObjectOf(entry, representation, cacheSpace),
          scheduler,
        );
      } finally {
        fanOut.forget(watcher);
      }
      if (bookmarks && !watcher.isOver()) {
        watcher.writer.write(this.#bookmark(snapshot.revision, watcher.representation, this.#options.initialEventsEnd));
      }
    }
    await fanOut.follow(watcher);
  }

  /** One change of the backend's watch. */
  apply(change: RevisedChange): void {
    const { key, record, revision } = change;
    const wasUnreadable = this.#entries.isUnreadable(key);
    const value = record === undefined ? undefined : this.#entries.read(record);
    const current = value === undefined ? undefined : this.#entries.own(value);
    if (record === undefined) this.#entries.deleted(key);
    const previous = this.#collection.get(key);
    // A value that cannot be read is a change all the same, by somebody else's hand; nobody is told that the object was deleted.
    const token = record === undefined ? undefined : (value?.token ?? '');
    // The ring keeps of the state before what it needs, before the collection lets go of it.
    this.#ring.append({ revision, key, token, previous, current, at: this.#options.clock.now() });
    if (current === undefined) this.#collection.remove(key);
    else this.#collection.put(current);
    this.#newest = undefined;
    this.#changedAt = revision;
    if (record !== undefined && value === undefined && !wasUnreadable) this.#expireWatches(revision);
    if (this.#retained.size > 0) this.#retained.limit(Math.max(MIN_RETAINED_BYTES, this.#collection.bytes * MAX_RETAINED_SHARE));
  }

  /** What was applied may be delivered. */
  publish(): void {
    this.#fanOut.wake();
  }

  /** History is lost: every open watch ends with 410. Reads go on with the old state until `replace`. */
  lose(isOtherStore: boolean): void {
    this.#fanOut.expireAll(historyLost());
    if (isOtherStore) this.#forgetRetained();
  }

  /** For a fill: what could not be read before may be gone. */
  createEntries(): EntryFactory {
    return new EntryFactory(this.resource, this.#options.log);
  }

  /** The state at `revision`, which is the progress from now on. `stored` has read it. */
  replace({ chunks, entries }: Pick<Filled, 'chunks' | 'entries'>, stored: EntryFactory, revision: Revision): void {
    this.#entries = stored;
    this.#collection.supersede();
    // What they hold is bounded by what this collection replaces, which it does no more; later pages come from the store.
    this.#forgetRetained();
    this.#collection = new Collection(this.#options.cacheSpace, stored.arena, chunks, entries);
    this.#ring = new EventRing(revision, this.#options.ring);
    this.#fanOut.expireAll(historyLost());
    this.#fanOut = this.#createFanOut();
    this.#newest = undefined;
    this.#changedAt = revision;
  }

  bookmark(): void {
    this.#fanOut.bookmark();
  }

  /** Drops what is too old, and what it lay in. */
  trim(now: number): void {
    this.#ring.trim(now);
    this.#retained.expire();
    this.#entries.tidy();
  }

  close(): void {
    this.#fanOut.close();
    this.#retained.clear();
  }

  #singleObjectOf(object: CachedObject, representation: ContextFreeRepresentation, cacheSpace: CacheSpace): Buffer | undefined {
    const place = this.#collection.find(object);
    return place === undefined ? undefined : representation.singleObject(itemOf(object, place, representation, cacheSpace).bytes);
  }

  #snapshotAs(revision: Revision): CollectionSnapshot {
    const { cacheSpace, unsent, scheduler } = this.#options;
    const { unreadable: unreadableKeys } = this.#entries;
    const snapshot = new CollectionSnapshot(this.resource, this.#collection, revision, { cacheSpace, unsent, scheduler, unreadableKeys });
    this.#retainable.add(snapshot);
    return snapshot;
  }

  #forgetRetained(): void {
    this.#retained.clear();
    this.#retainable = new WeakSet();
  }

  #createFanOut(): FanOut {
    return new FanOut(this.#ring.tail, {
      scheduler: this.#options.scheduler,
      lineStarts: this.#lineStarts,
      limits: this.#options.fanOut,
      singleObjectOf: (entry, representation) => this.#singleObjectOf(entry, representation, this.#options.cacheSpace),
      bookmark: (revision, representation) => this.#bookmark(revision, representation),
      revision: () => this.revision,
      failed: (error) => this.#deliveryFailed(error),
    });
  }

  /** Watches rather end than skip what could not be delivered; the next begin behind it. */
  #deliveryFailed(error: unknown): void {
    this.#options.log.error('A change could not be delivered; every watch of the resource ends.', { resource: this.resource.name, error });
    this.#expireWatches(this.revision);
  }

  /** What happened up to `revision` is told to nobody any more. */
  #expireWatches(revision: Revision): void {
    this.#fanOut.expireAll(historyLost());
    this.#ring.clear();
    this.#ring = new EventRing(revision, this.#options.ring);
    this.#fanOut = this.#createFanOut();
  }

  #bookmark(revision: Revision, representation: Representation | undefined, annotation?: string): Buffer {
    return bookmarkLine(this.resource, { revision, representation, annotation });
  }

  /** A watch that ends by its time resumes where it really was, even when nothing happened for long. */
  #writeLastBookmark(watcher: Watcher): void {
    // Nothing stands behind the ERROR line of a watch that has ended already.
    if (watcher.isOver()) return;
    const revision = this.#fanOut.settledRevision();
    if (watcher.bookmarks && watcher.slot >= 0 && !watcher.writer.closed && revision !== undefined)
      watcher.writer.write(this.#bookmark(revision, watcher.representation));
  }
}
