/** Where the bytes of entries are. The arena packs them; its plain twin shows what that brings. */

export interface EntryMemory {
  /** Memory for one new entry, which the caller fills at once. */
  allocate(size: number): Allocation;
  /**
   * A block for several entries side by side, which the caller fills at once and closes. Undefined: this memory does
   * not pack entries.
   */
  createBlock(size: number): EntryBlock | undefined;
  /** Reclaims dead bytes: those of entries that are no longer needed. A bounded amount of work for each call. */
  compact(): void;
}

/** Memory of one entry. Without a block it is a Buffer of its own. */
export interface Allocation {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly block?: EntryBlock | undefined;
}

/** One Buffer with entries side by side. */
export interface EntryBlock {
  readonly bytes: Buffer;
  /** The entry has its bytes here from now on. */
  add(entry: MovableEntry): void;
  /** The entry's bytes here are dead. */
  remove(entry: MovableEntry): void;
  /** Nothing more is added. */
  close(): void;
}

/** An entry, as far as its memory is concerned. */
export interface MovableEntry {
  readonly size: number;
  isIn(block: EntryBlock): boolean;
  /** Copies its bytes there, and has them there from now on. */
  moveTo(allocation: Allocation): void;
  /** Moves its bytes into a Buffer of its own. */
  detach(): void;
}

/** A Buffer for each entry. */
export class PlainEntryMemory implements EntryMemory {
  allocate(size: number): Allocation {
    return { bytes: Buffer.allocUnsafeSlow(size), offset: 0 };
  }

  createBlock(): undefined {
    return undefined;
  }

  compact(): void {
    // There are no dead bytes.
  }
}
