import type { Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { CachedObject, ObjectFacts } from '../watch-cache.ts';
import type { Allocation, EntryBlock, MovableEntry } from './entry-memory.ts';

/** What identifies an entry. */
export interface EntryIdentity {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly expiresAt?: number | undefined;
}

/**
 * One object at one revision: an index record and a view of its item bytes. The bytes never change; the view may move
 * between blocks, so that they exist once. As long as somebody references the entry, the Buffer that it is in stays
 * alive.
 */
export class Entry implements CachedObject, MovableEntry {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly expiresAt: number | undefined;
  readonly size: number;
  #bytes: Buffer;
  #start: number;
  #block: EntryBlock | undefined;
  /** The collection at first, and the event ring. */
  #references = 1;
  /** The generation of the collection that first contained it. */
  #since = 0;

  /** `size` bytes of `allocation` are the item. */
  constructor(identity: EntryIdentity, facts: ObjectFacts, size: number, { bytes, offset, block }: Allocation) {
    this.key = identity.key;
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.revision = identity.revision;
    this.expiresAt = identity.expiresAt;
    this.uid = facts.uid;
    this.labels = facts.labels;
    this.fields = facts.fields;
    this.size = size;
    this.#bytes = bytes;
    this.#start = offset;
    this.#block = block;
    block?.add(this);
  }

  get itemBytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.end);
  }

  /** Offset in the Buffer that holds the item. */
  get start(): number {
    return this.#start;
  }
  /** Offset behind the item. */
  get end(): number {
    return this.#start + this.size;
  }

  isIn(block: EntryBlock): boolean {
    return this.#block === block;
  }

  copyTo(target: Buffer, offset: number, skip = 0): number {
    return this.#bytes.copy(target, offset, this.#start + skip, this.end);
  }

  /** Copies the item there, and has its bytes there from now on. */
  moveTo({ bytes, offset, block }: Allocation): void {
    this.#leaveBlock();
    this.copyTo(bytes, offset);
    this.#bytes = bytes;
    this.#start = offset;
    this.#block = block;
    block?.add(this);
  }

  /** Moves it into a Buffer of its own, so that a reference to it keeps nothing else alive. */
  detach(): void {
    if (this.#block !== undefined) this.moveTo({ bytes: Buffer.allocUnsafeSlow(this.size), offset: 0 });
  }

  /** A collection contains it from this generation on. */
  enter(generation: number): void {
    this.#since = generation;
  }

  /**
   * It was replaced or removed. `snapshotAt`: the generation of the last snapshot, which may reference it for an
   * unknown time.
   */
  leave(snapshotAt: number): void {
    if (snapshotAt >= this.#since) this.detach();
    this.release();
  }

  /** One more reference. Only while a collection contains it. */
  retain(): void {
    this.#references++;
  }

  release(): void {
    this.#references--;
    if (this.#references === 0) this.#leaveBlock();
  }

  #leaveBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    block?.remove(this);
  }
}
