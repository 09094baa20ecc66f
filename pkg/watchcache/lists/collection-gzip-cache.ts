import { LARGE_WRITE_BYTES } from './buffered-writer.ts';
import type { Chunk } from '../store/chunk.ts';
import { type DeflatedBlock, joinBlocks } from './deflated-block.ts';
import type { CacheSpace } from '../store/cache-budget.ts';

/** Lists of the same state before their blocks are packed: where every list follows a write it would be work for nothing. */
const JOIN_FROM_LIST = 3;
/** It is one write. */
const MAX_BYTES = 2 * LARGE_WRITE_BYTES;

/** The gzip block of all chunks together, as long as none of them changes: to gather a hundred blocks costs a third of a list. */
export class CollectionGzipCache {
  #lists = 0;
  #block: DeflatedBlock | undefined;
  /** There was no room for it. */
  #isRefused = false;

  /** Undefined: not worth it yet, or some chunk's block is not known. */
  of(chunks: readonly Chunk[], cacheSpace: CacheSpace): DeflatedBlock | undefined {
    if (this.#block === undefined) this.#join(chunks, cacheSpace);
    else {
      cacheSpace.touch(this);
      // They are needed again after the next write.
      for (const chunk of chunks) cacheSpace.touch(chunk);
    }
    return this.#block;
  }

  /** Some chunk has changed. */
  forget(cacheSpace: CacheSpace): void {
    this.#lists = 0;
    this.#isRefused = false;
    if (this.#block === undefined) return;
    this.#block = undefined;
    cacheSpace.drop(this);
  }

  #join(chunks: readonly Chunk[], cacheSpace: CacheSpace): void {
    if (++this.#lists < JOIN_FROM_LIST || chunks.length < 2 || this.#isRefused) return;
    const [first, ...others] = chunks.map(({ gzip }) => (gzip instanceof Promise ? undefined : gzip));
    if (first === undefined || !others.every((block) => block !== undefined)) return;
    if (others.reduce((sum, { bytes }) => sum + bytes.byteLength, first.bytes.byteLength) > MAX_BYTES) return;
    // What it is made of must not make room for it.
    for (const chunk of chunks) cacheSpace.touch(chunk);
    this.#block = joinBlocks([first, ...others]);
    cacheSpace.keep(this, this.#block.bytes.byteLength, () => {
      this.#block = undefined;
      this.#isRefused = true;
    });
  }
}
