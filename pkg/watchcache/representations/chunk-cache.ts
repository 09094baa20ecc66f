import { CachedDeflateBlock } from './cached-deflate-block.ts';
import type { ItemTemplate } from '../watch-cache.ts';

/** What the array of objects costs for each of them. */
export const SLOT_BYTES = 8;

/** What a chunk remembers in one representation. */
export interface ChunkCache {
  /** What it costs to remember. */
  readonly bytes: number;
  readonly block: CachedDeflateBlock;
}

/** What a chunk remembers of its objects in a representation that is put together for each answer: each of them prepared. */
export class TemplatedChunkCache implements ChunkCache {
  readonly block = new CachedDeflateBlock();
  readonly #objects: (ItemTemplate | undefined)[];
  #known = 0;
  #preparedBytes = 0;

  /** `objects`, in the order of the chunk, become its own. */
  constructor(objects: (ItemTemplate | undefined)[]) {
    this.#objects = objects;
    for (const object of objects) if (object !== undefined) this.#count(object);
  }

  get isEmpty(): boolean {
    return this.#known === 0;
  }

  get bytes(): number {
    return this.#objects.length * SLOT_BYTES + this.#preparedBytes + this.block.bytes;
  }

  known(index: number): ItemTemplate | undefined {
    return this.#objects[index];
  }

  add(index: number, object: ItemTemplate): void {
    // Another list has been faster.
    if (this.#objects[index] !== undefined) return;
    this.#objects[index] = object;
    this.#count(object);
  }

  #count(object: ItemTemplate): void {
    this.#known++;
    this.#preparedBytes += object.cost;
  }
}
