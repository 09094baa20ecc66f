import type { DeflatedBlock } from '../lists/deflated-block.ts';

/** The gzip block of a whole chunk in a derived representation, as long as it is valid. */
export class CachedDeflateBlock {
  #block: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #bytes = 0;
  #validUntil = 0;

  /** What it costs to remember. */
  get bytes(): number {
    return this.#bytes;
  }

  /** As the chunk is at `at`. */
  at(at: number): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return at < this.#validUntil ? this.#block : undefined;
  }

  /** Undefined: there is none after all. */
  set(block: DeflatedBlock | Promise<DeflatedBlock> | undefined, validUntil: number): void {
    this.#block = block;
    this.#validUntil = validUntil;
    this.#bytes = block === undefined || block instanceof Promise ? 0 : block.bytes.length;
  }

  /** True while nothing newer has taken the place of what was set. */
  has(block: DeflatedBlock | Promise<DeflatedBlock>): boolean {
    return this.#block === block;
  }
}
