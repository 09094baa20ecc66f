import { type ChunkCache, SLOT_BYTES } from './chunk-cache.ts';
import type { Item } from './item.ts';
import { CachedDeflateBlock } from './cached-deflate-block.ts';

/** What an item costs besides its bytes, and each Buffer that holds some, about. */
const ITEM_BYTES = 48;
const BUFFER_BYTES = 160;
/** A Buffer may hold at most this share of bytes of objects that are gone, before the others leave it. */
const MAX_DEAD_SHARE = 1 / 4;

/**
 * What a chunk remembers of its objects in a bare representation. They are packed into one Buffer when all of them are known, which lists write as it is; the
 * items then look into it. A chunk that takes another's place takes over the items, and with them what is left of that Buffer.
 */
export class ContextFreeChunkCache implements ChunkCache {
  readonly block = new CachedDeflateBlock();
  readonly #items: (Item | undefined)[];
  #known = 0;
  /** Of all Buffers that hold items, whatever else is in them. */
  #retainedBytes = 0;
  #packed: Buffer | undefined;

  /** `items`, in the order of the chunk, become its own. */
  constructor(items: (Item | undefined)[]) {
    this.#items = items;
    const arena = new Set<Buffer>();
    let size = 0;
    let dead = 0;
    for (const item of items) {
      if (item === undefined) continue;
      this.#known++;
      size += item.size;
      dead -= item.size;
      if (arena.has(item.backing)) continue;
      arena.add(item.backing);
      dead += item.backing.byteLength;
    }
    if (dead > size * MAX_DEAD_SHARE) this.#gather();
    else this.#retainedBytes = size + dead + arena.size * BUFFER_BYTES;
  }

  get bytes(): number {
    return this.#items.length * SLOT_BYTES + this.#known * ITEM_BYTES + this.#retainedBytes + this.block.bytes;
  }

  get isEmpty(): boolean {
    return this.#known === 0;
  }

  known(index: number): Item | undefined {
    return this.#items[index];
  }

  add(index: number, item: Item): void {
    // Another list has been faster.
    if (this.#items[index] !== undefined) return;
    this.#items[index] = item;
    this.#known++;
    this.#retainedBytes += item.backing.byteLength + BUFFER_BYTES;
  }

  /** Puts all of them side by side; does nothing as long as one is unknown. */
  pack(): void {
    if (this.#packed === undefined && this.#isComplete) this.#gather();
  }

  /** Those of the places `from` to `to`, exclusive, once they are packed. */
  packedRun(from: number, to: number): Buffer | undefined {
    const [first, last] = [this.#items[from], this.#items[to - 1]];
    return first === undefined || last === undefined ? undefined : this.#packed?.subarray(first.start, last.end);
  }

  get #isComplete(): boolean {
    return this.#known > 0 && this.#known === this.#items.length;
  }

  /** Moves all that are known into one Buffer. */
  #gather(): void {
    const size = this.#items.reduce((sum, item) => sum + (item?.size ?? 0), 0);
    const target = Buffer.allocUnsafeSlow(size);
    let offset = 0;
    for (const item of this.#items) offset = item?.moveTo(target, offset) ?? offset;
    this.#retainedBytes = size + BUFFER_BYTES;
    if (this.#isComplete) this.#packed = target;
  }
}
