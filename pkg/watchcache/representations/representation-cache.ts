import type { CacheSpace } from './cache-budget.ts';
import { DeflateCache } from './deflate-cache.ts';
import { EncodedItem } from './encoded-item.ts';
import type { ItemTemplate } from './representation.ts';

/** Memory per slot of the array of items. */
const SLOT_BYTES = 8;
/** Approximate memory of a Buffer besides its bytes. */
const BUFFER_BYTES = 160;
/** Encoded items are moved into one Buffer if their Buffers contain more than this share of other items' bytes. */
const MAX_DEAD_SHARE = 1 / 4;

/**
 * The cached items of a chunk in one representation, in the order of the chunk, and their gzip block. Once all encoded
 * items are known they are packed into one Buffer, which lists write as a whole. A chunk that replaces another takes
 * over its items.
 */
export class RepresentationCache {
  readonly deflated = new DeflateCache();
  readonly #items: (ItemTemplate | undefined)[];
  #known = 0;
  #cost = 0;
  /** Buffers of encoded items. */
  #bufferBytes = 0;
  #packed: Buffer | undefined;

  /** Takes ownership of `items`. */
  constructor(items: (ItemTemplate | undefined)[]) {
    this.#items = items;
    const buffers = new Set<Buffer>();
    let dead = 0;
    for (const item of items) {
      if (item === undefined) continue;
      this.#known++;
      this.#cost += item.cost;
      if (!(item instanceof EncodedItem)) continue;
      dead -= item.maxBytes;
      if (buffers.has(item.buffer)) continue;
      buffers.add(item.buffer);
      dead += item.buffer.byteLength;
    }
    this.#bufferBytes = dead + buffers.size * BUFFER_BYTES;
    if (dead > this.#cost * MAX_DEAD_SHARE) this.#pack();
  }

  /** Memory without the gzip block. */
  get bytes(): number {
    return this.#items.length * SLOT_BYTES + this.#cost + this.#bufferBytes;
  }

  get isEmpty(): boolean {
    return this.#known === 0;
  }

  item(index: number): ItemTemplate | undefined {
    return this.#items[index];
  }

  add(index: number, item: ItemTemplate): void {
    // A concurrent list may have added it.
    if (this.#items[index] !== undefined) return;
    this.#items[index] = item;
    this.#known++;
    this.#cost += item.cost;
    if (item instanceof EncodedItem) this.#bufferBytes += BUFFER_BYTES;
  }

  /** Packs encoded items once all are known. */
  pack(): void {
    if (this.#packed === undefined && this.#isComplete) this.#pack();
  }

  /** The encoded items from `from` to `to`, exclusive, if they are packed. */
  packedRange(from: number, to: number): Buffer | undefined {
    const [first, last] = [this.#items[from], this.#items[to - 1]];
    if (!(first instanceof EncodedItem) || !(last instanceof EncodedItem)) return undefined;
    return this.#packed?.subarray(first.start, last.end);
  }

  close(cacheSpace: CacheSpace): void {
    this.deflated.close(cacheSpace);
    cacheSpace.drop(this);
  }

  get #isComplete(): boolean {
    return this.#known > 0 && this.#known === this.#items.length;
  }

  /** Moves all encoded items into one Buffer. */
  #pack(): void {
    const items = this.#items.filter((item) => item instanceof EncodedItem);
    if (items.length === 0) return;
    const target = Buffer.allocUnsafeSlow(items.reduce((sum, { maxBytes }) => sum + maxBytes, 0));
    let offset = 0;
    for (const item of items) offset = item.moveTo(target, offset);
    this.#bufferBytes = BUFFER_BYTES;
    if (this.#isComplete) this.#packed = target;
  }
}
