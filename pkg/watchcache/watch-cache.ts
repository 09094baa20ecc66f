/**
 * The watch cache: every object of every resource as bytes, fed by one watch of the backend, and all that is read from
 * it: lists, pages and watches. Bytes in, bytes out; it keeps no decoded object.
 *
 * Invariants:
 * - an entry's bytes exist once and are never overwritten;
 * - a snapshot never changes; the cost of a page grows with the page;
 * - a watch delivers every matching change after its start, in revision order, exactly once, or ends with an ERROR
 *   event;
 * - a stored value that cannot be read is an error, never an object that does not exist;
 * - only what the backend's watch has delivered is shown: what is read is durable.
 *
 * It leaves to others: what a request may ask for (handlers), writes and finalizers (registry), what a kind is (apis).
 *
 * `store/` holds the entries, `representations/` what is derived from them and cached, `lists/` and `watches/` write
 * them to clients.
 */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import type { FieldSelector, ParsedLabelSelector } from '../apimachinery/selectors/selector.ts';
import type { ShardSelector } from '../apimachinery/selectors/shard-selector.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import type { Representation } from './representations/representation.ts';

/** What the cache must know of a resource. What a kind means stays outside: only `describe` looks into an object. */
export interface CachedResource {
  /** `cronjobs.batch`, for metrics and logs. */
  readonly name: string;
  /** Every key of the resource starts with it; ends in `/`. */
  readonly prefix: Key;
  readonly namespaced: boolean;
  readonly encoding: ObjectEncoding;
  /**
   * The facts for the index record, from stored JSON. Called once for each applied revision. Throws when it is not an
   * object of this resource.
   */
  readonly describe: (json: Buffer) => ObjectFacts;
  /**
   * What follows the metadata in the object of a BOOKMARK: the zero values of the kind, as `,"spec":{…},"status":{}}`.
   * Absent: nothing.
   */
  readonly bookmarkTail?: Buffer;
}

export interface ObjectFacts {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Selectable fields besides metadata.name and metadata.namespace; undefined when the kind has none. */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** One object as the cache holds it: an index record and a view of its bytes. */
export interface CachedObject extends ObjectFacts {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  /** Milliseconds since the epoch; absent: never. */
  readonly expiresAt?: number | undefined;
  /** The object as an item of a list (`ObjectEncoding`). To be read at once: the view may move. */
  readonly itemBytes: Buffer;
}

/** What a list or a watch selects. Absent members select everything. */
export interface Selection {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: ParsedLabelSelector;
  readonly fields?: FieldSelector;
  readonly shard?: ShardSelector;
}

/** A frozen state of one resource. A reference to it keeps entries alive, but not packed chunks. */
export interface Snapshot {
  readonly revision: Revision;
  /** Objects in it. */
  readonly size: number;
  /** Bytes of objects that were replaced or deleted since, which it keeps alive. */
  readonly retainedBytes: number;
  get(key: Key): CachedObject | undefined;
  /** Without yielding; linear in the collection for label and field selectors, unless `find` has indexed the label. */
  page(query: PageQuery): ListPage;
  /**
   * The same for requests of clients: yields, and uses the label index where the selector has an equality or `in`.
   * Rejects with StatusError InternalError when there is an unreadable object in the range: a list without it would say
   * that it was deleted.
   */
  find(query: PageQuery): Promise<ListPage>;
}

/** The objects that match, in key order, from `start` (inclusive) on, at most `limit` (0 or absent: all). */
export interface PageQuery {
  readonly selection: Selection;
  readonly start?: Key;
  readonly limit?: number;
}

/** The matching part of a snapshot, ready to be written. */
export interface ListPage {
  readonly count: number;
  /**
   * The key to continue from, when objects are left: right behind the last object, so that no object of another state
   * is skipped.
   */
  readonly next?: Key;
  /** Objects left in the range after this page; only known without selectors. */
  readonly remaining?: number;
  readonly objects: Iterable<CachedObject>;
  /**
   * Writes `head`, the items, separated by commas unless the representation is context-free, and `tail`. Respects
   * back-pressure, yields to other work, stops early when the writer closes. `gzip`: one valid single-member gzip
   * stream.
   */
  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void>;
  /** True: `writeTo` does not know the encoding `gzip`. */
  readonly identityOnly?: true;
  /** Bytes of the stored items with commas; of another representation it says nothing. Cheap. */
  readonly byteLength: number;
}

export interface PageFrame {
  /** A function gets the length of the items; only for a context-free representation. */
  readonly head: Buffer | ((byteLength: number) => Buffer);
  readonly tail: Buffer;
  readonly encoding: 'identity' | 'gzip';
  /** Absent: the objects as they are stored. */
  readonly representation?: Representation;
}

export interface CacheWatchRequest {
  readonly selection: Selection;
  /**
   * Changes after this revision. Too old: the stream is one ERROR event 410 Expired. In the future: silent until it is
   * reached.
   */
  readonly from: Revision;
  /**
   * Begin with ADDED for every selected object of the state at `from` or later (taken when the watch starts), closed by
   * an annotated BOOKMARK when `bookmarks` is set.
   */
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly signal: AbortSignal;
  /** Of the objects of every event but ERROR. Absent: as they are stored. */
  readonly representation?: Representation;
}

export interface WatchOutcome {
  /**
   * `expired`: history is lost, the last event was ERROR 410. `future`: initial events were asked of a revision that
   * did not come within 3 s; the only event was ERROR 504. `unreadable`: an object of the initial events cannot be
   * read; the only event was ERROR 500. `slow`: the reader fell too far behind. `closed`: the cache or the reader's
   * connection was closed.
   */
  readonly reason: 'aborted' | 'expired' | 'future' | 'unreadable' | 'slow' | 'closed';
  readonly events: number;
}

export interface ResourceCache {
  readonly resource: CachedResource;
  /** Everything up to here is applied. */
  readonly revision: Revision;
  readonly size: number;
  get(key: Key): CachedObject | undefined;
  /**
   * The object alone, of the bytes that lists and watches share. Undefined when it was replaced, or the representation
   * is not context-free.
   */
  singleObject(object: CachedObject, representation: Representation): Buffer | undefined;
  /** The state now. O(chunks). */
  snapshot(): Snapshot;
  /**
   * Keeps `snapshot` available by its revision for later pages: at most 16 of a resource, for 5 minutes, while they
   * retain few bytes.
   */
  retain(snapshot: Snapshot): void;
  /** A retained snapshot, or the state now when nothing changed since `revision`. */
  retained(revision: Revision): Snapshot | undefined;
  /**
   * Writes the events until `signal` aborts, the reader is gone or too slow, or history is lost. Resolves when the
   * stream is over; never rejects for reasons of the client. Events of one tick are written together.
   */
  watch(request: CacheWatchRequest, writer: ResponseWriter): Promise<WatchOutcome>;
  /**
   * The first change of `key` after `revision`: settles unknown outcomes. Undefined: none yet. Throws StorageError
   * Compacted when the cache no longer knows.
   */
  changeAfter(key: Key, revision: Revision): CachedChange | undefined;
  /** True for a key whose value is not an object of this resource; read the backend for the reason. */
  isUnreadable(key: Key): boolean;
  /** Figures for metrics. */
  readonly stats: ResourceStats;
}

export interface ResourceStats {
  readonly objects: number;
  readonly unreadable: number;
  readonly watchers: number;
  readonly lagging: number;
  /** Events written to watches, ended ones included. */
  readonly deliveredEvents: number;
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly retainedSnapshots: number;
}

export interface CachedChange {
  readonly revision: Revision;
  /** The attempt token of the value; "" when another program wrote the value; absent: the key was deleted. */
  readonly token?: string;
}

export interface WatchCache {
  resource(name: string): ResourceCache;
  readonly resources: readonly ResourceCache[];
  /**
   * Undefined once every resource is filled and while the backend's watch lives or resumes; else one clause that says
   * why not.
   */
  readonly notReady: string | undefined;
  /** Resolves when every resource was filled for the first time. */
  filled(): Promise<void>;
  /**
   * Resolves with true once every write that was acknowledged before this call is visible here: reads the backend's
   * newest revision (calls of one tick share a read that starts after them) and waits until the cache has reached it.
   * False: not within 3 s; read the backend instead.
   */
  isFresh(signal?: AbortSignal): Promise<boolean>;
  /** True once `revision` is applied; false after `timeoutMs`. */
  reached(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
