/**
 * The watch cache: all objects of all resources as bytes, updated by one watch of the backend. Serves reads, lists and
 * watches. Contains no decoded objects.
 *
 * Invariants:
 * - an entry's bytes exist once and are never overwritten;
 * - a snapshot never changes; the cost of a page depends only on the page;
 * - a watch delivers every matching change after its start, in revision order, exactly once, or ends with an ERROR
 *   event;
 * - a stored value that cannot be read is an error, never treated as a missing object;
 * - only changes delivered by the backend's watch are shown, so they are durable.
 *
 * Handlers validate requests, `registry` does writes and finalizers, `apis` defines kinds. `store/` contains the
 * entries, `representations/` cached derived bytes; `lists/` and `watches/` write them to clients.
 */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import type { FieldSelector, ParsedLabelSelector } from '../apimachinery/selectors/selector.ts';
import type { ShardSelector } from '../apimachinery/selectors/shard-selector.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import type { Representation } from './representations/representation.ts';

/** The description of a resource for the cache. Only `readAttributes` parses objects. */
export interface CachedResource {
  /** `cronjobs.batch`, for metrics and logs. */
  readonly name: string;
  readonly resource: string;
  readonly group: string;
  /** Prefix of all keys of the resource; ends with `/`. */
  readonly prefix: Key;
  readonly namespaced: boolean;
  readonly encoding: ObjectEncoding;
  /** Reads the attributes from stored JSON, once per revision. Throws if it is not an object of this resource. */
  readonly readAttributes: (json: Buffer) => ObjectAttributes;
  /** The JSON after the metadata in the object of a BOOKMARK: `,"spec":{…},"status":{}}`. Absent: nothing. */
  readonly bookmarkTail?: Buffer;
}

/** What selectors test, besides the name and namespace. */
export interface ObjectAttributes {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Selectable fields other than metadata.name and metadata.namespace; undefined if the kind has none. */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** An object in the cache: an index record and a view of its bytes. */
export interface CachedObject extends ObjectAttributes {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  /** Milliseconds since the epoch. Absent: never. */
  readonly expiresAt?: number | undefined;
  /** The object as a list item (`ObjectEncoding`). Must be read immediately, because the view may move. */
  readonly itemBytes: Buffer;
}

/** The selection of a list or watch. Absent members select everything. */
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
  /** The number of objects. */
  readonly size: number;
  /** Bytes of objects replaced or deleted since, which the snapshot keeps alive. */
  readonly retainedBytes: number;
  get(key: Key): CachedObject | undefined;
  /** Does not yield. Linear for label and field selectors, unless `find` has indexed the label. */
  page(query: PageQuery): ListPage;
  /**
   * For client requests: yields, and uses the label index for equality and `in`. Rejects with StatusError
   * StorageReadError if the range contains unreadable objects.
   */
  find(query: PageQuery): Promise<ListPage>;
}

/** At most `limit` matching objects (0 or absent: all) in key order, from `start`, inclusive. */
export interface PageQuery {
  readonly selection: Selection;
  readonly start?: Key;
  readonly limit?: number;
}

/** The matching part of a snapshot. */
export interface ListPage {
  readonly count: number;
  /** The key to continue from, if objects remain: directly after the last object, so that no new object is skipped. */
  readonly next?: Key;
  /** Objects after this page; only known without selectors. */
  readonly remaining?: number;
  readonly objects: Iterable<CachedObject>;
  /**
   * Writes `head`, the items, comma-separated unless the representation is context-free, and `tail`. Respects
   * back-pressure, yields, and stops early when the writer closes. `gzip`: one single-member gzip stream.
   */
  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void>;
  /** `writeTo` does not support the encoding `gzip`. */
  readonly identityOnly?: true;
  /** Length of the stored items with commas, whatever the representation. Cheap. */
  readonly byteLength: number;
}

export interface PageFrame {
  /** A function receives the length of the items; only for a context-free representation. */
  readonly head: Buffer | ((byteLength: number) => Buffer);
  readonly tail: Buffer;
  readonly encoding: 'identity' | 'gzip';
  /** Absent: the stored representation. */
  readonly representation?: Representation;
}

export interface CacheWatchRequest {
  readonly selection: Selection;
  /** The watch starts after this revision. Too old: ends with ERROR 410 Expired. In the future: waits. */
  readonly from: Revision;
  /** Starts with ADDED for all selected objects, followed by an annotated BOOKMARK if `bookmarks` is set. */
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly signal: AbortSignal;
  /** Called when the initial events are written, or at once when there are none. Not if the watch ends before. */
  readonly onBegun?: () => void;
  /** The representation of all objects except those of ERROR events. Absent: the stored one. */
  readonly representation?: Representation;
}

export interface WatchOutcome {
  /**
   * `expired`: history is lost, the last event was ERROR 410. `future`: initial events at a revision that was not
   * reached within 3 s; the only event was ERROR 504. `unreadable`: an object of the initial events cannot be read; the
   * only event was ERROR 500. `slow`: the client lagged too far behind. `closed`: the cache or the connection was
   * closed.
   */
  readonly reason: 'aborted' | 'expired' | 'future' | 'unreadable' | 'slow' | 'closed';
  readonly events: number;
}

/** A change that the cache has just applied. */
export interface AppliedChange {
  readonly key: Key;
  readonly revision: Revision;
  /** Undefined for a new object, and for one that could not be read. */
  readonly previous: CachedObject | undefined;
  /** Undefined for a deleted object, and for one that cannot be read. */
  readonly current: CachedObject | undefined;
  /** False with `current` undefined: the value cannot be read, so its object may still exist. */
  readonly isDeleted: boolean;
}

/** Follows a resource within the process. Called synchronously: its methods must be short. Errors are logged. */
export interface ResourceSubscriber {
  /** Every change of the resource, in revision order. The cache shows the state after it. */
  changed(change: AppliedChange): void;
  /** The cache was filled, and changes may have been missed: take a new snapshot. */
  replaced(): void;
}

export interface ResourceCache {
  readonly resource: CachedResource;
  /** All changes up to this revision are applied. */
  readonly revision: Revision;
  readonly size: number;
  get(key: Key): CachedObject | undefined;
  /** The single object, from bytes shared with lists and watches. Undefined if it was replaced or not context-free. */
  singleObject(object: CachedObject, representation: Representation): Buffer | undefined;
  /** The current state. O(chunks). */
  snapshot(): Snapshot;
  /** Retains `snapshot` for later pages: at most 16 per resource, for 5 minutes, within a memory limit. */
  retain(snapshot: Snapshot): void;
  /** A retained snapshot, or the current state if nothing changed since `revision`. */
  retained(revision: Revision): Snapshot | undefined;
  /**
   * Writes events until `signal` aborts, the client disconnects or is too slow, or history is lost. Resolves at the end
   * of the stream; never rejects because of the client. Events of one tick are written together.
   */
  watch(request: CacheWatchRequest, writer: ResponseWriter): Promise<WatchOutcome>;
  /**
   * Tells `subscriber` of all changes from now on; a snapshot taken in the same tick shows the state before them.
   * Returns the function that ends it.
   */
  subscribe(subscriber: ResourceSubscriber): () => void;
  /**
   * The first change of `key` after `revision`; undefined if there is none. Resolves unknown outcomes of writes. Throws
   * StorageError Compacted if the changes are no longer known.
   */
  changeAfter(key: Key, revision: Revision): CachedChange | undefined;
  /** Whether the stored value is not an object of this resource; read the backend for the reason. */
  isUnreadable(key: Key): boolean;
  /** For metrics. */
  readonly stats: ResourceStats;
}

export interface ResourceStats {
  readonly objects: number;
  /** Of all objects. */
  readonly bytes: number;
  readonly unreadable: number;
  readonly watchers: number;
  readonly lagging: number;
  /** Including ended watches. */
  readonly deliveredEvents: number;
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly retainedSnapshots: number;
}

export interface CachedChange {
  readonly revision: Revision;
  /** The attempt token of the value; "" if another program wrote it; absent if the key was deleted. */
  readonly token?: string;
}

export interface WatchCache {
  resource(name: string): ResourceCache;
  readonly resources: readonly ResourceCache[];
  /** Undefined once all resources are filled and the backend's watch is open; else the reason, as a clause. */
  readonly notReady: string | undefined;
  /** Resolves after the first fill of all resources. */
  filled(): Promise<void>;
  /**
   * True once every write acknowledged before this call is visible: reads the backend's newest revision (calls of one
   * tick share a read that starts after them) and waits for it. False after 3 s; read the backend instead.
   */
  isFresh(signal?: AbortSignal): Promise<boolean>;
  /** True once `revision` is applied; false after `timeoutMs`. */
  reached(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
