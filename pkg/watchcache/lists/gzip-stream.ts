import type { BufferedWriter } from './buffered-writer.ts';
import { type Block, type DeflatedBlock, GZIP_HEADER, GzipTotals } from './deflated-block.ts';

/** One gzip member, put together from blocks. */
export class GzipStream {
  readonly #buffered: BufferedWriter;
  readonly #totals = new GzipTotals();
  #isFirst = true;

  constructor(buffered: BufferedWriter) {
    this.#buffered = buffered;
    buffered.add(GZIP_HEADER, true);
  }

  /** `isShared`: the cache holds it as well. */
  add(block: Block, isShared = false): void {
    this.#totals.add(block);
    this.#buffered.add(block.bytes, isShared);
  }

  /** Part of a list. `withComma`: unless it is the first, a comma goes before it. */
  addItems(block: DeflatedBlock, withComma: boolean, isShared: boolean): void {
    this.add(withComma && !this.#isFirst ? block.afterComma : block, isShared);
    this.#isFirst = false;
  }

  /** Adds how the member ends. */
  end(): void {
    this.#buffered.add(this.#totals.trailer(), false);
  }
}
