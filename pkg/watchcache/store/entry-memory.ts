/** Memory for the bytes of entries. */

export interface EntryMemory {
  /** Memory for one new entry. The caller must fill it immediately. */
  allocate(size: number): Allocation;
  /** A block for adjacent entries. The caller must fill and close it immediately. Undefined if not supported. */
  createBlock(size: number): EntryBlock | undefined;
  /** Reclaims the memory of released entries. The work per call is bounded. */
  compact(): void;
}

/** Memory of one entry; a separate Buffer if there is no block. */
export interface Allocation {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly block?: EntryBlock | undefined;
}

/** One Buffer with adjacent entries. */
export interface EntryBlock {
  readonly bytes: Buffer;
  /** The entry's bytes are now stored here. */
  add(entry: MovableEntry): void;
  /** The entry's bytes here are dead. */
  remove(entry: MovableEntry): void;
  /** Nothing is added after this. */
  close(): void;
}

/** The part of an entry that memory needs. */
export interface MovableEntry {
  readonly size: number;
  isIn(block: EntryBlock): boolean;
  /** Moves its bytes there. */
  moveTo(allocation: Allocation): void;
  /** Moves its bytes into a separate Buffer. */
  detach(): void;
}

/** One Buffer per entry. For comparison with the arena. */
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
