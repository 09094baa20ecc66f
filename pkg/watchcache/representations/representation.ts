/** Representations of objects other than the stored one: Table rows, metadata only, protobuf. Derived from items. */
import type { StatusError } from '../../apimachinery/status/status-error.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One instance per resource and format for the life of the process, because caches are keyed by it. */
export type Representation = TemplatedRepresentation | ContextFreeRepresentation;

interface RepresentationBase {
  /** Unique within the resource: watches with the same id share their events. Begins with a letter. */
  readonly id: string;
  /** Milliseconds since the epoch; the `at` of `writeTo` and `eventObject`. */
  readonly now: () => number;
  /** The `object` of a watch event, from the item of the state to show. */
  readonly eventObject: (itemBytes: Buffer, at: number) => ComposedObject;
  /** The encoding of watch events. Absent: lines of JSON. */
  readonly stream?: StreamEncoding;
}

/** Items are composed for each response, because they depend on the time or contain stored bytes. Comma-separated. */
export interface TemplatedRepresentation extends RepresentationBase {
  readonly isContextFree?: undefined;
  /** The cacheable part of an object. Independent of the time; must not reference `itemBytes`. */
  readonly template: (itemBytes: Buffer) => ItemTemplate;
}

/** Items are constant bytes without separators. A whole chunk is cached as it is sent. */
export interface ContextFreeRepresentation extends RepresentationBase {
  readonly isContextFree: true;
  /** The item of a list. A new Buffer. */
  readonly encodeItem: (itemBytes: Buffer) => Uint8Array;
  /** The single object, from its item: the result of `eventObject`. A new Buffer. */
  readonly singleObject: (item: Buffer) => Buffer;
}

export interface StreamEncoding {
  /** An event with this object. */
  readonly event: (type: WatchEventType | 'BOOKMARK' | 'ERROR', object: Buffer) => Buffer;
  /** The object of an ERROR event. */
  readonly error: (error: StatusError) => Buffer;
}

/** The cacheable part of an item. */
export interface ItemTemplate {
  /** Memory in bytes. */
  readonly cost: number;
  /** Upper bound for `writeTo`. */
  readonly maxBytes: number;
  /** Writes the item as of time `at`; returns the end offset. `itemBytes` must be of the same object. */
  writeTo(target: Buffer, offset: number, itemBytes: Buffer, at: number): number;
  /** `writeTo` writes the same bytes from `at` until then. Milliseconds since the epoch; Infinity: forever. */
  validUntil(at: number): number;
}

export interface ComposedObject {
  readonly bytes: Buffer;
  /** As in ItemTemplate. */
  readonly validUntil: number;
}
