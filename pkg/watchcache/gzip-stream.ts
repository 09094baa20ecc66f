import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';
import { type Block, type DeflatedBlock, GZIP_HEADER, GzipTotals } from './deflated-block.ts';

/** A block of a chunk is a few KB: blocks are copied together up to this, because a write costs more than the copy. */
const WRITE_BYTES = 256 * 1024;

/** One gzip member, put together from blocks and written in large pieces. */
export class GzipStream {
  readonly #sink: ByteSink;
  readonly #totals = new GzipTotals();
  #waiting: Buffer[] = [GZIP_HEADER];
  #bytes = GZIP_HEADER.length;
  #isFirst = true;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  add(block: Block): void {
    this.#totals.add(block);
    this.#push(block.bytes);
  }

  /** Part of a list. `withComma`: unless it is the first, a comma goes before it. */
  addElements(block: DeflatedBlock, withComma: boolean): void {
    this.add(withComma && !this.#isFirst ? block.afterComma : block);
    this.#isFirst = false;
  }

  get isFull(): boolean {
    return this.#bytes >= WRITE_BYTES;
  }

  /** Writes what waits. False: the reader is slow. */
  flush(): boolean {
    const pieces = this.#waiting;
    const bytes = this.#bytes;
    this.#waiting = [];
    this.#bytes = 0;
    return this.#sink.writeAll?.(pieces, bytes) ?? this.#sink.write(Buffer.concat(pieces, bytes));
  }

  /** Writes what waits, and how the member ends. */
  end(): void {
    this.#push(this.#totals.trailer());
    this.flush();
  }

  #push(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }
}
