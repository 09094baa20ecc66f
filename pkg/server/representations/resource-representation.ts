/**
 * Answers that show objects of a resource in another representation than the stored one: a Table, metadata alone, or
 * either of them or the whole in protobuf.
 */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Representation } from '../../watchcache/representations/representation.ts';
import type { PageFrame } from '../../watchcache/watch-cache.ts';
import type { ListFacts } from './list-meta.ts';

export interface ResourceRepresentation {
  /** Of answers: `application/json` is compact. */
  readonly contentType: string;
  /** Of watches. */
  readonly streamType: string;
  /** For the items of a list, and the `object` of watch events. */
  readonly items: Representation;
  /** The whole answer with one object: `json` is the whole object, in pieces. */
  readonly toObject: (json: readonly Buffer[]) => Buffer;
  /** What stands before the items of a list, and behind them. */
  readonly listHead: (list: ListFacts) => PageFrame['head'];
  readonly listTail: Buffer;
  /**
   * A watch writes its lines into the result, which does to the stream what only its beginning needs (column
   * definitions).
   */
  readonly eventWriter: (writer: ResponseWriter) => ResponseWriter;
}
