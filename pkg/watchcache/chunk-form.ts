import type { DeflatedBlock } from './deflated-block.ts';
import type { PreparedObject } from './watch-cache.ts';

/** What the array of prepared objects costs for each of them. */
const SLOT_BYTES = 8;

/** What a chunk remembers of its objects in one derived form: each prepared, and the gzip block of all of them as long as it is valid. */
export class ChunkForm {
  readonly #objects: (PreparedObject | undefined)[];
  #preparedBytes = 0;
  #block: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #blockBytes = 0;
  #validUntil = 0;

  constructor(objects: (PreparedObject | undefined)[]) {
    this.#objects = objects;
    for (const object of objects) if (object !== undefined) this.#preparedBytes += object.cost;
  }

  /** What it costs to remember. */
  get bytes(): number {
    return this.#objects.length * SLOT_BYTES + this.#preparedBytes + this.#blockBytes;
  }

  prepared(index: number): PreparedObject | undefined {
    return this.#objects[index];
  }

  prepare(index: number, object: PreparedObject): void {
    // Another list has been faster.
    if (this.#objects[index] !== undefined) return;
    this.#objects[index] = object;
    this.#preparedBytes += object.cost;
  }

  /** The block of the whole chunk as it is at `at`. */
  blockAt(at: number): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return at < this.#validUntil ? this.#block : undefined;
  }

  /** Undefined: there is none after all. */
  setBlock(block: DeflatedBlock | Promise<DeflatedBlock> | undefined, validUntil: number): void {
    this.#block = block;
    this.#validUntil = validUntil;
    this.#blockBytes = block === undefined || block instanceof Promise ? 0 : block.bytes.length;
  }

  /** True while nothing newer has taken the place of what was set. */
  hasBlock(block: DeflatedBlock | Promise<DeflatedBlock>): boolean {
    return this.#block === block;
  }
}
