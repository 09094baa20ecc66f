/** Representations of a resource's objects besides stored JSON: Table, metadata, and protobuf. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Representation } from '../../watchcache/representations/representation.ts';
import type { ListPage, PageFrame } from '../../watchcache/watch-cache.ts';
import type { ListMetaFields } from './list-meta.ts';

export interface ResourceRepresentation {
  /** Content type of responses. */
  readonly contentType: string;
  /** Content type of watches. */
  readonly streamType: string;
  /** Encodes items of lists and objects of watch events. */
  readonly items: Representation;
  /** Encodes a response with one object; `json` is the whole stored object. */
  readonly toObject: (json: readonly Buffer[]) => Buffer;
  /** Framing of a list's items. */
  readonly listHead: (list: ListMetaFields) => PageFrame['head'];
  readonly listTail: Buffer;
  /** The page with its items in another order. Absent: they stay in the order of their keys. */
  readonly arrange?: (page: ListPage) => ListPage;
  /** Wraps a watch's writer, for changes to the first event (column definitions). */
  readonly eventWriter: (writer: ResponseWriter) => ResponseWriter;
}
