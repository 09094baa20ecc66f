import type { CacheSpace } from './cache-budget.ts';
import { type DeflatedBlock, deflateBlock } from './deflated-block.ts';

/** The deflate block of a whole chunk: created once for concurrent lists, cached while valid and within the budget. */
export class DeflateCache {
  #block: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #validUntil = 0;
  #isClosed = false;

  /** The block, if it is valid at `at` (milliseconds since the epoch). */
  get(at: number, cacheSpace: CacheSpace): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    if (at >= this.#validUntil) return undefined;
    if (this.#block !== undefined) cacheSpace.touch(this);
    return this.#block;
  }

  /** The block of `content`, which stays the same until `validUntil`. */
  deflate(content: Buffer, validUntil: number, cacheSpace: CacheSpace): Promise<DeflatedBlock> {
    const deflating = deflateBlock(content);
    if (this.#isClosed) return deflating;
    cacheSpace.drop(this);
    this.#block = deflating;
    this.#validUntil = validUntil;
    deflating.then(
      (block) => {
        if (this.#block !== deflating) return;
        this.#block = block;
        cacheSpace.count(this, block.bytes.length, () => this.#clear());
      },
      () => {
        if (this.#block === deflating) this.#clear();
      },
    );
    return deflating;
  }

  /** Disables caching. */
  close(cacheSpace: CacheSpace): void {
    this.#isClosed = true;
    cacheSpace.drop(this);
    this.#clear();
  }

  #clear(): void {
    this.#block = undefined;
    this.#validUntil = 0;
  }
}
