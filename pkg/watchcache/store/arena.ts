/**
 * Where entries have their bytes: side by side in large Buffers. Tens of thousands of small ones would lie between what requests leave behind, so that
 * freed memory could not go back to the system, and each would be three more objects for the garbage collector to visit.
 *
 * A fresh entry lies in a block behind the one that was written before it; a list joins those of a chunk. Bytes are never written twice, as somebody may
 * still read them: entries that are needed no more leave holes, and the Buffers with the largest ones are emptied into the open block.
 */
import type { Entry, EntryHolder } from './entry.ts';

/** From 128 KB on malloc takes pages of its own from the system, and gives them back as soon as they are free; once larger ones were freed, those below them stay. */
export const BLOCK_BYTES = 128 * 1024;
/** Larger entries have a Buffer of their own, until they are packed: what is left over at the end of a block stays small. */
const MAX_ENTRY_BYTES = BLOCK_BYTES / 8;
/** What all holes together may be of what is live; as much is fine however little that is. Less would mean more copies for each write. */
const MAX_DEAD_SHARE = 1 / 18;
export const MIN_DEAD_BYTES = 1.5 * 1024 * 1024;

/** One Buffer with entries side by side. */
export class ArenaBlock implements EntryHolder {
  readonly bytes: Buffer;
  readonly #owner: EntryArena;
  /** Those that lie here, and no more that have left, or came back: an array costs less than a set does. */
  #entries: Entry[] = [];
  #count = 0;
  #filled = 0;
  #live = 0;
  #dead = 0;
  #isFull = false;

  constructor(owner: EntryArena, size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.#owner = owner;
  }

  /** Where `size` bytes may be written; undefined when they do not fit. */
  reserve(size: number): number | undefined {
    if (this.#filled + size > this.bytes.byteLength) return undefined;
    this.#filled += size;
    return this.#filled - size;
  }

  /** Nothing more is put into it, so its holes count. */
  close(): void {
    this.#isFull = true;
    this.#owner.changed(this, 0, this.#live > 0 ? this.#dead : 0);
  }

  get isFragmented(): boolean {
    return this.#isFull && this.#dead > 0 && this.#live > 0;
  }

  get deadShare(): number {
    return this.#dead / (this.#dead + this.#live);
  }

  /** Those that have their bytes here. */
  get entries(): readonly Entry[] {
    return this.#entries.filter((entry) => entry.isIn(this));
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#count++;
    this.#live += entry.size;
    this.#owner.changed(this, entry.size, 0);
  }

  /** The entry has left. */
  remove(entry: Entry): void {
    const { size } = entry;
    this.#count--;
    if (this.#entries.length > 2 * this.#count + 2) this.#entries = [...new Set(this.entries)];
    this.#live -= size;
    this.#dead += size;
    // A Buffer that nobody looks into any more is freed whole.
    const hole = this.#live > 0 ? size : size - this.#dead;
    this.#owner.changed(this, -size, this.#isFull ? hole : 0);
  }
}

export class EntryArena {
  /** Those that are full and have holes. */
  readonly #fragmented = new Set<ArenaBlock>();
  #open: ArenaBlock | undefined;
  #liveBytes = 0;
  #deadBytes = 0;

  /** Room for an entry, which is to be added to the Buffer; undefined when it must have one of its own. */
  reserve(size: number): { readonly buffer: ArenaBlock; readonly offset: number } | undefined {
    this.tidy(1);
    return size > MAX_ENTRY_BYTES ? undefined : this.#reserve(size);
  }

  /** For entries that lie in it from the beginning, and are to be added; then it must be closed. */
  create(size: number): ArenaBlock {
    return new ArenaBlock(this, size);
  }

  /** Empties up to so many Buffers, those with the largest holes first, as long as there is too much of these. */
  tidy(arena: number, enough = Math.max(MIN_DEAD_BYTES, this.#liveBytes * MAX_DEAD_SHARE)): void {
    for (let left = arena; left > 0 && this.#deadBytes > enough; left--) {
      const worst = this.#worst();
      if (worst === undefined) return;
      for (const entry of new Set(worst.entries)) {
        if (entry.size > MAX_ENTRY_BYTES) {
          entry.detach();
          continue;
        }
        const room = this.#reserve(entry.size);
        entry.moveInto(room.buffer, room.offset);
      }
    }
  }

  /** For the Buffer: what is in it has changed by so many bytes. */
  changed(buffer: ArenaBlock, live: number, dead: number): void {
    this.#liveBytes += live;
    this.#deadBytes += dead;
    if (dead === 0) return;
    if (buffer.isFragmented) this.#fragmented.add(buffer);
    else this.#fragmented.delete(buffer);
  }

  #worst(): ArenaBlock | undefined {
    let worst: ArenaBlock | undefined;
    let share = 0;
    for (const buffer of this.#fragmented) {
      if (buffer.deadShare <= share) continue;
      worst = buffer;
      share = buffer.deadShare;
    }
    return worst;
  }

  #reserve(size: number): { readonly buffer: ArenaBlock; readonly offset: number } {
    for (;;) {
      const buffer = (this.#open ??= new ArenaBlock(this, BLOCK_BYTES));
      const offset = buffer.reserve(size);
      if (offset !== undefined) return { buffer, offset };
      this.#open = undefined;
      buffer.close();
    }
  }
}
