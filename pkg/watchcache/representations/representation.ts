/**
 * How objects are shown other than as they are stored: rows of a Table, metadata alone, protobuf. Made from the bytes
 * of an item.
 */
import type { StatusError } from '../../apimachinery/status/status-error.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** There is one for each resource and form, for the life of the process: caches are keyed by it. */
export type Representation = TemplatedRepresentation | ContextFreeRepresentation;

interface RepresentationBase {
  /**
   * Differs from that of every other representation of the resource: watches in the same one share their events. Begins
   * with a letter.
   */
  readonly id: string;
  /** Milliseconds since the epoch; what `writeTo` and `eventObject` are given. */
  readonly now: () => number;
  /** The `object` of a watch event, from the item of the state that the event shows. */
  readonly eventObject: (itemBytes: Buffer, at: number) => ComposedObject;
  /** How events are written into a watch. Absent: as lines of JSON. */
  readonly stream?: StreamEncoding;
}

/**
 * Items are composed for each response: they may depend on the time, or contain a part of the stored bytes. Commas
 * separate them.
 */
export interface TemplatedRepresentation extends RepresentationBase {
  readonly isContextFree?: undefined;
  /** What is worth caching of an object. Never depends on the time, keeps no reference to `itemBytes`. */
  readonly template: (itemBytes: Buffer) => ItemTemplate;
}

/** Items are constant bytes without separators: those of a whole chunk are cached as they are sent. */
export interface ContextFreeRepresentation extends RepresentationBase {
  readonly isContextFree: true;
  /** The item of a list. A new Buffer. */
  readonly encodeItem: (itemBytes: Buffer) => Uint8Array;
  /** The object alone, made of its item: what `eventObject` returns. A new Buffer. */
  readonly singleObject: (item: Buffer) => Buffer;
}

export interface StreamEncoding {
  /** An event with this object. */
  readonly event: (type: WatchEventType | 'BOOKMARK' | 'ERROR', object: Buffer) => Buffer;
  /** The object of an ERROR event. */
  readonly error: (error: StatusError) => Buffer;
}

/** One item, as far as it can be cached. */
export interface ItemTemplate {
  /** Memory that it takes, in bytes. */
  readonly cost: number;
  /** `writeTo` writes at most this many bytes. */
  readonly maxBytes: number;
  /**
   * Writes the item as of the time `at` into `target`, which has room for it. `itemBytes`: of the same object. Returns
   * the offset behind it.
   */
  writeTo(target: Buffer, offset: number, itemBytes: Buffer, at: number): number;
  /** Milliseconds since the epoch: `writeTo` writes the same from `at` until then. Infinity: for ever. */
  validUntil(at: number): number;
}

export interface ComposedObject {
  readonly bytes: Buffer;
  /** As in ItemTemplate. */
  readonly validUntil: number;
}
