/**
 * The watch cache: every object of every resource as bytes, fed by one watch of the backend, and everything that is read from it:
 * lists, pages and watches. Bytes in, bytes out; no decoded object is kept.
 *
 * Invariants:
 * - an entry's bytes exist once and are never written to after they were applied;
 * - a snapshot never changes; a page of it costs the page;
 * - a watch delivers every matching change after its start, in revision order, exactly once, or ends with an ERROR event;
 * - what is stored and cannot be read is an error, never an object that is not there;
 * - nothing is shown that the backend's watch has not delivered: what is read is durable.
 *
 * It leaves to others: what a request may ask for (handlers), writes and finalizers (registry), what a kind is (apis).
 */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import type { StatusError } from '../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { FieldSelector, LabelSelector } from '../apimachinery/selectors/selector.ts';
import type { ShardSelector } from '../apimachinery/selectors/shard-selector.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';

/** What the cache must know of a resource. The kind's knowledge stays outside: `describe` is the only look into an object. */
export interface CachedResource {
  /** `cronjobs.batch`, for metrics and logs. */
  readonly name: string;
  /** Every key of the resource starts with it; ends in `/`. */
  readonly prefix: Key;
  readonly namespaced: boolean;
  /** How the objects are written as bytes. */
  readonly encoding: ObjectEncoding;
  /** The facts for the index record. Called once per applied revision. Throws when the bytes are not an object of this resource. */
  readonly describe: (json: Buffer) => ObjectFacts;
  /**
   * What follows the metadata in the object of a BOOKMARK: the zero values of the kind, as `,"spec":{…},"status":{}}`.
   * Absent: nothing but metadata.
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
  /** The representation inside a list: `{"metadata":{"resourceVersion":"N",…}`, without kind and apiVersion. Read at once, keep no reference: the view may move. */
  readonly itemBytes: Buffer;
}

/** What a list or a watch selects. Absent members select everything. */
export interface Selection {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: LabelSelector;
  readonly fields?: FieldSelector;
  readonly shard?: ShardSelector;
}

/** A frozen state of one resource. Holding it keeps entries alive, not packed chunks. */
export interface Snapshot {
  readonly revision: Revision;
  /** Objects in it. */
  readonly size: number;
  /** What it keeps alive besides the state now: bytes of objects that have been replaced or deleted since, whoever else holds them. */
  readonly retainedBytes: number;
  get(key: Key): CachedObject | undefined;
  /** In one turn of the loop; linear in the collection when labels or fields decide, unless `find` has indexed the label before. */
  page(query: PageQuery): Page;
  /**
   * The same in slices, and by the label index where the selector has an equality or `in`: for requests of clients. Rejects with StatusError InternalError when
   * there is an object in the range that cannot be read: a list without it would say that it was deleted.
   */
  find(query: PageQuery): Promise<Page>;
}

/** The objects that match, in key order, from `start` (inclusive) on, at most `limit` (0 or absent: all). */
export interface PageQuery {
  readonly selection: Selection;
  readonly start?: Key;
  readonly limit?: number;
}

/** The matching part of a snapshot, ready to be written. */
export interface Page {
  readonly count: number;
  /** The key to go on from, when objects are left: right behind the last object, so that nothing is passed over that lies there in another state. */
  readonly next?: Key;
  /** Objects left in the range after this page; only known without selectors. */
  readonly remaining?: number;
  readonly objects: Iterable<CachedObject>;
  /**
   * Writes `head`, the objects' list representations packed by commas, and `tail` into `writer`; packed chunks are written whole. Respects back-pressure,
   * lets others run between slices, stops early when the writer closes. `gzip`: one valid single-member gzip stream.
   */
  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void>;
  /** Bytes of the stored representations, identity, without head and tail; cheap. Says nothing of a derived representation. */
  readonly byteLength: number;
}

export interface PageFrame {
  /** A function is told the length of what stands between head and tail; only with a representation that is bare. */
  readonly head: Buffer | ((byteLength: number) => Buffer);
  readonly tail: Buffer;
  readonly encoding: 'identity' | 'gzip';
  /** Absent: the objects as they are stored. */
  readonly representation?: Representation;
}

/**
 * Another representation of a resource's objects, made from their bytes: rows of a table, metadata singleObject, protobuf. There is one per representation and resource for
 * the life of the process, since what is made with it is lookup under it.
 */
export type Representation = TemplatedRepresentation | ContextFreeRepresentation;

interface RepresentationBase {
  /** Differs from that of every other representation of the resource: watches of the same representation share their lines. Begins with a letter. */
  readonly id: string;
  /** Milliseconds since the epoch; what `writeTo` and `eventObject` are told. */
  readonly now: () => number;
  /** The `object` of a watch event, from the list representation of the state that the event shows. */
  readonly eventObject: (itemBytes: Buffer, at: number) => ComposedObject;
  /** How events are written into a watch. Absent: as lines of JSON. */
  readonly stream?: StreamEncoding;
}

/** What each answer shows is put together for it: it may depend on the time, or be cut from the object's own bytes. */
export interface TemplatedRepresentation extends RepresentationBase {
  readonly isContextFree?: undefined;
  /** What is worth remembering of an object. Never depends on the time, holds no reference to `itemBytes`. */
  readonly prepare: (itemBytes: Buffer) => ItemTemplate;
}

/** Always the same bytes for the same object, with nothing between two objects of a list: whole chunks of them are lookup as they are sent. */
export interface ContextFreeRepresentation extends RepresentationBase {
  readonly isContextFree: true;
  /** The object as it stands in a list. A new buffer. */
  readonly encodeItem: (itemBytes: Buffer) => Uint8Array;
  /** What `eventObject` would be made of the same object; holds for ever. A new buffer. */
  readonly singleObject: (item: Buffer) => Buffer;
}

export interface StreamEncoding {
  /** The bytes of an event with this object. */
  readonly event: (type: WatchEventType | 'BOOKMARK' | 'ERROR', object: Buffer) => Buffer;
  /** The object of an ERROR. */
  readonly error: (error: StatusError) => Buffer;
}

/** One object made ready: what is left to do for each answer is cheap. */
export interface ItemTemplate {
  /** What it costs to remember. */
  readonly cost: number;
  /** `writeTo` writes no more bytes than this. */
  readonly maxBytes: number;
  /** Writes the representation as of the time `at` into `target`, which has room for it; the offset behind it. `itemBytes`: of the same object. */
  writeTo(target: Buffer, offset: number, itemBytes: Buffer, at: number): number;
  /** Milliseconds since the epoch: before that, `writeTo` writes what it writes for `at`. Infinity: for ever. */
  validUntil(at: number): number;
}

export interface ComposedObject {
  readonly bytes: Buffer;
  /** As in ItemTemplate. */
  readonly validUntil: number;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface WatchRequest {
  readonly selection: Selection;
  /** Changes after this revision. Too old: the stream is one ERROR event 410 Expired. In the future: silent until reached. */
  readonly from: Revision;
  /**
   * Begin with ADDED for every selected object of the state at `from` or later (taken when the watch starts), closed by a BOOKMARK with the
   * annotation when `bookmarks` is set.
   */
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly signal: AbortSignal;
  /** Every event but ERROR shows this representation of its object. Absent: as it is stored. */
  readonly representation?: Representation;
}

export interface WatchOutcome {
  /**
   * `expired`: history is lost, the last line was ERROR 410. `future`: the initial events were asked of a revision that did not come within
   * 3 s, the only line was ERROR 504. `unreadable`: one of them cannot be shown, the only line was ERROR 500. `slow`: the reader fell too far behind. `closed`: the cache or the reader's connection was closed.
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
  /** The object singleObject in a representation, of what lists and watches remember of it; undefined for a representation that is not bare, or when the object has been replaced. */
  singleObject(object: CachedObject, representation: Representation): Buffer | undefined;
  /** The state now. O(chunks). */
  snapshot(): Snapshot;
  /** Keeps `snapshot` readable by its revision for later pages (at most 16 per resource, 5 minutes, and while they hold little besides the state now). */
  retain(snapshot: Snapshot): void;
  /** A retained state, or the state now when nothing changed since `revision`. */
  retained(revision: Revision): Snapshot | undefined;
  /**
   * Writes JSON lines, or the events of the representation, into `writer` until `signal` aborts, the reader is gone or too slow, or history is lost. Resolves when the stream is over; never
   * rejects for reasons of the client. Events of one turn are written together.
   */
  watch(request: WatchRequest, writer: ResponseWriter): Promise<WatchOutcome>;
  /** The first change of `key` after `revision`, when the cache still knows it: settles unknown outcomes. `undefined`: none yet. Throws StorageError Compacted when it cannot know. */
  changeAfter(key: Key, revision: Revision): CachedChange | undefined;
  /** True for a key whose value is not an object of this resource; read the backend to say why. */
  isUnreadable(key: Key): boolean;
  /** Figures for metrics, read when they are asked for. */
  readonly stats: ResourceStats;
}

export interface ResourceStats {
  readonly objects: number;
  readonly unreadable: number;
  readonly watchers: number;
  readonly lagging: number;
  /** Lines with changes that watches were written, ended ones too. */
  readonly deliveredEvents: number;
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly retainedSnapshots: number;
}

export interface CachedChange {
  readonly revision: Revision;
  /** The attempt token of the value; "" when the value is not ours to read; absent: the key was deleted. */
  readonly token?: string;
}

export interface WatchCache {
  resource(name: string): ResourceCache;
  readonly resources: readonly ResourceCache[];
  /** True once every resource was filled and while the backend's watch is alive or resuming. One clause says why not. */
  readonly notReady: string | undefined;
  /** Resolves when every resource was filled the first time. */
  filled(): Promise<void>;
  /**
   * Resolves with true once every write acknowledged before this call is visible here: asks the backend for its newest revision (calls of one turn
   * share a question that starts after them) and waits until the cache has reached it. False: not within 3 s; read the backend instead.
   */
  isFresh(signal?: AbortSignal): Promise<boolean>;
  /** True once `revision` is applied; false after `timeoutMs`. */
  reached(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
