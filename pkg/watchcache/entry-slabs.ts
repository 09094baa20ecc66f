/**
 * Where fresh entries have their bytes, until their chunk is joined: side by side in large Buffers. Tens of thousands of small Buffers would lie between what
 * requests leave behind, so that freed memory could not go back to the system, and each would be three more objects for the garbage collector to visit.
 */
import type { Entry, EntryHolder } from './entry.ts';

/** From 128 KB on malloc takes pages of its own from the system, and gives them back as soon as they are free; once larger ones were freed, those below them stay. */
export const SLAB_BYTES = 128 * 1024;
/** Larger entries have a Buffer of their own: what is left over at the end of a slab stays small. */
const MAX_ENTRY_BYTES = SLAB_BYTES / 8;
/** A slab may hold at most this share of bytes of entries that have left it, before the others leave it too. */
const MAX_DEAD_SHARE = 1 / 4;

/** One Buffer with entries side by side. */
export class Slab implements EntryHolder {
  readonly bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
  readonly #entries = new Set<Entry>();
  readonly #sparse: Set<Slab>;
  #used = 0;
  #live = 0;
  #isFull = false;

  /** Is in `sparse` as long as it is full and too little of it is used. */
  constructor(sparse: Set<Slab>) {
    this.#sparse = sparse;
  }

  /** Where `size` bytes may be written; undefined, once and for all, when they do not fit. */
  reserve(size: number): number | undefined {
    if (this.#used + size > SLAB_BYTES) {
      this.#isFull = true;
      this.#look();
      return undefined;
    }
    this.#used += size;
    return this.#used - size;
  }

  /** Those that have their bytes here. */
  get entries(): readonly Entry[] {
    return [...this.#entries];
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#live += entry.size;
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry);
    this.#live -= entry.size;
    this.#look();
  }

  #look(): void {
    if (this.#live === 0) this.#sparse.delete(this);
    else if (this.#isFull && this.#live < SLAB_BYTES * (1 - MAX_DEAD_SHARE)) this.#sparse.add(this);
  }
}

export class EntrySlabs {
  readonly #sparse = new Set<Slab>();
  #open: Slab | undefined;

  /** Room for an entry, which is to be added to the slab; undefined when it must have a Buffer of its own. */
  reserve(size: number): { readonly slab: Slab; readonly offset: number } | undefined {
    this.tidy(1);
    return size > MAX_ENTRY_BYTES ? undefined : this.#reserve(size);
  }

  /** Empties up to so many slabs that hold too much of what is gone. */
  tidy(slabs: number): void {
    let left = slabs;
    for (const slab of this.#sparse) {
      if (left-- <= 0) return;
      for (const entry of slab.entries) {
        const room = this.#reserve(entry.size);
        entry.moveInto(room.slab, room.offset);
      }
    }
  }

  #reserve(size: number): { readonly slab: Slab; readonly offset: number } {
    for (;;) {
      const slab = (this.#open ??= new Slab(this.#sparse));
      const offset = slab.reserve(size);
      if (offset !== undefined) return { slab, offset };
      this.#open = undefined;
    }
  }
}
