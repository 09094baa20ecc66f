/**
 * Stores entries in large blocks. Tens of thousands of small Buffers would fragment memory, so that it could not be
 * returned to the system, and each would be three more objects for the garbage collector.
 *
 * A new entry is appended to the open block; packing a chunk moves its entries into a separate block. Bytes are never
 * overwritten, since they may still be read. Released entries leave dead bytes; the blocks with the largest share of
 * them are emptied into the open block.
 */
import type { Allocation, EntryBlock, EntryMemory, MovableEntry } from './entry-memory.ts';

/** From 128 KB on malloc maps memory separately and returns it when it is freed. */
export const BLOCK_BYTES = 128 * 1024;
/** Larger entries have a separate Buffer, so that little is wasted at the end of a block. */
const MAX_ENTRY_BYTES = BLOCK_BYTES / 8;
/** Allowed share of dead bytes, and a minimum. A smaller share would mean more copying per write. */
const MAX_DEAD_SHARE = 1 / 18;
export const MIN_DEAD_BYTES = 1.5 * 1024 * 1024;
/** Blocks emptied by one `compact`: a few milliseconds of copying. */
const COMPACTED_BLOCKS = 64;

export class Arena implements EntryMemory {
  /** Closed blocks with both live and dead bytes. */
  readonly #fragmented = new Set<ArenaBlock>();
  #open: ArenaBlock | undefined;
  #liveBytes = 0;
  #deadBytes = 0;

  allocate(size: number): Allocation {
    this.empty(1);
    return size > MAX_ENTRY_BYTES ? { bytes: Buffer.allocUnsafeSlow(size), offset: 0 } : this.#append(size);
  }

  createBlock(size: number): EntryBlock {
    return new ArenaBlock(this, size);
  }

  compact(): void {
    this.empty(COMPACTED_BLOCKS);
  }

  /** Empties up to `blocks` blocks, the most fragmented first, while there are more than `allowed` dead bytes. */
  empty(blocks: number, allowed = Math.max(MIN_DEAD_BYTES, this.#liveBytes * MAX_DEAD_SHARE)): void {
    for (let left = blocks; left > 0 && this.#deadBytes > allowed; left--) {
      const block = this.#maxFragmented();
      if (block === undefined) return;
      for (const entry of block.entries) {
        if (entry.size > MAX_ENTRY_BYTES) entry.detach();
        else entry.moveTo(this.#append(entry.size));
      }
    }
  }

  /** Called by blocks when their live or dead bytes change. */
  update(block: ArenaBlock, live: number, dead: number): void {
    this.#liveBytes += live;
    this.#deadBytes += dead;
    if (dead === 0) return;
    if (block.isFragmented) this.#fragmented.add(block);
    else this.#fragmented.delete(block);
  }

  #maxFragmented(): ArenaBlock | undefined {
    let found: ArenaBlock | undefined;
    let share = 0;
    for (const block of this.#fragmented) {
      if (block.deadShare <= share) continue;
      found = block;
      share = block.deadShare;
    }
    return found;
  }

  #append(size: number): Allocation {
    for (;;) {
      const block = (this.#open ??= new ArenaBlock(this, BLOCK_BYTES));
      const offset = block.reserve(size);
      if (offset !== undefined) return { bytes: block.bytes, offset, block };
      this.#open = undefined;
      block.close();
    }
  }
}

class ArenaBlock implements EntryBlock {
  readonly bytes: Buffer;
  readonly #arena: Arena;
  /** May contain removed or repeated entries, because an array costs less than a set. */
  #entries: MovableEntry[] = [];
  #count = 0;
  #reserved = 0;
  #live = 0;
  #dead = 0;
  #isClosed = false;

  constructor(arena: Arena, size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.#arena = arena;
  }

  /** The offset of `size` bytes for one entry; undefined if they do not fit. */
  reserve(size: number): number | undefined {
    if (this.#reserved + size > this.bytes.byteLength) return undefined;
    this.#reserved += size;
    return this.#reserved - size;
  }

  /** Nothing is added after this. From now on `update` reports its dead bytes. */
  close(): void {
    this.#isClosed = true;
    this.#arena.update(this, 0, this.#live > 0 ? this.#dead : 0);
  }

  get isFragmented(): boolean {
    return this.#isClosed && this.#dead > 0 && this.#live > 0;
  }

  get deadShare(): number {
    return this.#dead / (this.#dead + this.#live);
  }

  /** Entries that are currently stored here, without duplicates. */
  get entries(): ReadonlySet<MovableEntry> {
    return new Set(this.#entries.filter((entry) => entry.isIn(this)));
  }

  add(entry: MovableEntry): void {
    this.#entries.push(entry);
    this.#count++;
    this.#live += entry.size;
    this.#arena.update(this, entry.size, 0);
  }

  remove(entry: MovableEntry): void {
    const { size } = entry;
    this.#count--;
    if (this.#entries.length > 2 * this.#count + 2) this.#entries = [...this.entries];
    this.#live -= size;
    this.#dead += size;
    // A block without live bytes is freed as a whole.
    const dead = this.#live > 0 ? size : size - this.#dead;
    this.#arena.update(this, -size, this.#isClosed ? dead : 0);
  }
}
