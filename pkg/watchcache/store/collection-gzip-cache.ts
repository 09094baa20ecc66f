import type { CacheSpace } from '../representations/cache-budget.ts';
import { type DeflatedBlock, joinBlocks } from '../representations/deflated-block.ts';
import type { Chunk } from './chunk.ts';

/** Joins blocks after this many lists of one state. With fewer lists between writes, joining would be wasted. */
const MIN_LISTS = 3;
/** A response sends it in one write. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The gzip block of a whole collection, until the next write. Joining a hundred blocks costs a third of a list. */
export class CollectionGzipCache {
  #lists = 0;
  #block: DeflatedBlock | undefined;
  /** The budget had no space for it. */
  #isRefused = false;

  /** Undefined if there were too few lists, or a chunk's block is not cached. */
  get(chunks: readonly Chunk[], cacheSpace: CacheSpace): DeflatedBlock | undefined {
    if (this.#block === undefined) {
      this.#join(chunks, cacheSpace);
    } else {
      cacheSpace.touch(this);
      // They are needed again after the next write.
      for (const chunk of chunks) cacheSpace.touch(chunk.deflated);
    }
    return this.#block;
  }

  /** To be called after a write. */
  clear(cacheSpace: CacheSpace): void {
    this.#lists = 0;
    this.#isRefused = false;
    if (this.#block === undefined) return;
    this.#block = undefined;
    cacheSpace.drop(this);
  }

  #join(chunks: readonly Chunk[], cacheSpace: CacheSpace): void {
    if (++this.#lists < MIN_LISTS || chunks.length < 2 || this.#isRefused) return;
    // Also marks them as used, so that the joined block does not evict them.
    const [first, ...others] = chunks
      .map(({ deflated }) => deflated.get(0, cacheSpace))
      .map((block) => (block instanceof Promise ? undefined : block));
    if (first === undefined || !others.every((block) => block !== undefined)) return;
    if (others.reduce((sum, { bytes }) => sum + bytes.byteLength, first.bytes.byteLength) > MAX_BYTES) return;
    this.#block = joinBlocks([first, ...others]);
    cacheSpace.count(this, this.#block.bytes.byteLength, () => {
      this.#block = undefined;
      this.#isRefused = true;
    });
  }
}
