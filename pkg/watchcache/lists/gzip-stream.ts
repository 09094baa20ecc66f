import { type Block, type DeflatedBlock, GZIP_HEADER, GzipTotals } from '../representations/deflated-block.ts';
import type { BufferedWriter } from './buffered-writer.ts';

/** One gzip member, concatenated from blocks. */
export class GzipStream {
  readonly #output: BufferedWriter;
  readonly #totals = new GzipTotals();
  #isFirst = true;

  constructor(output: BufferedWriter) {
    this.#output = output;
    output.add(GZIP_HEADER, true);
  }

  /** `isShared`: the cache holds the block too. */
  add(block: Block, isShared = false): void {
    this.#totals.add(block);
    this.#output.add(block.bytes, isShared);
  }

  /** Adds items of a list. `hasSeparator`: preceded by a comma, unless they are the first. */
  addItems(block: DeflatedBlock, hasSeparator: boolean, isShared: boolean): void {
    this.add(hasSeparator && !this.#isFirst ? block.afterComma : block, isShared);
    this.#isFirst = false;
  }

  /** Adds the trailer. */
  end(): void {
    this.#output.add(this.#totals.trailer(), false);
  }
}
