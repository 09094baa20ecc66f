/** Answers that show objects of a resource in another form than the stored one: a Table, metadata alone, or either of them or the whole in protobuf. */
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';
import type { DerivedForm, PageFrame } from '../../watchcache/watch-cache.ts';
import type { ListFacts } from './list-meta.ts';

export interface ObjectForm {
  /** Of answers: `application/json` is compact. */
  readonly contentType: string;
  /** Of watches. */
  readonly streamType: string;
  /** For the items of a list, and the `object` of watch events. */
  readonly derived: DerivedForm;
  /** The whole answer with one object: `json` is the whole object, in pieces. */
  readonly toObject: (json: readonly Buffer[]) => Buffer;
  /** What stands before the items of a list, and behind them. */
  readonly listHead: (list: ListFacts) => PageFrame['head'];
  readonly listTail: Buffer;
  /** A watch writes its lines into the result, which does to the stream what only its beginning needs (column definitions). */
  readonly eventSink: (sink: ByteSink) => ByteSink;
}
