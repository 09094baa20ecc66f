import type { AnswerWriter } from './answer-writer.ts';
import { type Block, type DeflatedBlock, GZIP_HEADER, GzipTotals } from './deflated-block.ts';

/** One gzip member, put together from blocks. */
export class GzipStream {
  readonly #writer: AnswerWriter;
  readonly #totals = new GzipTotals();
  #isFirst = true;

  constructor(writer: AnswerWriter) {
    this.#writer = writer;
    writer.add(GZIP_HEADER, true);
  }

  /** `isShared`: the cache holds it as well. */
  add(block: Block, isShared = false): void {
    this.#totals.add(block);
    this.#writer.add(block.bytes, isShared);
  }

  /** Part of a list. `withComma`: unless it is the first, a comma goes before it. */
  addElements(block: DeflatedBlock, withComma: boolean, isShared: boolean): void {
    this.add(withComma && !this.#isFirst ? block.afterComma : block, isShared);
    this.#isFirst = false;
  }

  /** Adds how the member ends. */
  end(): void {
    this.#writer.add(this.#totals.trailer(), false);
  }
}
