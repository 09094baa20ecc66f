import { KeptBlock } from './kept-block.ts';
import type { PreparedObject } from './watch-cache.ts';

/** What the array of objects costs for each of them. */
export const SLOT_BYTES = 8;

/** What a chunk remembers in one form. */
export interface ChunkForm {
  /** What it costs to remember. */
  readonly bytes: number;
  readonly block: KeptBlock;
}

/** What a chunk remembers of its objects in a form that is put together for each answer: each of them prepared. */
export class PreparedChunk implements ChunkForm {
  readonly block = new KeptBlock();
  readonly #objects: (PreparedObject | undefined)[];
  #known = 0;
  #preparedBytes = 0;

  /** `objects`, in the order of the chunk, become its own. */
  constructor(objects: (PreparedObject | undefined)[]) {
    this.#objects = objects;
    for (const object of objects) if (object !== undefined) this.#count(object);
  }

  get isEmpty(): boolean {
    return this.#known === 0;
  }

  get bytes(): number {
    return this.#objects.length * SLOT_BYTES + this.#preparedBytes + this.block.bytes;
  }

  known(index: number): PreparedObject | undefined {
    return this.#objects[index];
  }

  add(index: number, object: PreparedObject): void {
    // Another list has been faster.
    if (this.#objects[index] !== undefined) return;
    this.#objects[index] = object;
    this.#count(object);
  }

  #count(object: PreparedObject): void {
    this.#known++;
    this.#preparedBytes += object.cost;
  }
}
