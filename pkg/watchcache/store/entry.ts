import type { Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { CachedObject, ObjectAttributes } from '../watch-cache.ts';
import type { Allocation, EntryBlock, MovableEntry } from './entry-memory.ts';

/**
 * One object at one revision: an index record and a view of its item bytes. The bytes never change, but may move to
 * another block. A reference to the entry keeps the Buffer alive that contains its bytes.
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
  /** The collection initially, and the event ring. */
  #references = 1;
  /** The first generation of the collection that contains it. */
  #since = 0;

  /** The item has `size` bytes in `allocation`. */
  constructor(
    identity: Pick<CachedObject, 'key' | 'namespace' | 'name' | 'revision' | 'expiresAt'>,
    attributes: ObjectAttributes,
    size: number,
    { bytes, offset, block }: Allocation,
  ) {
    this.key = identity.key;
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.revision = identity.revision;
    this.expiresAt = identity.expiresAt;
    this.uid = attributes.uid;
    this.labels = attributes.labels;
    this.fields = attributes.fields;
    this.size = size;
    this.#bytes = bytes;
    this.#start = offset;
    this.#block = block;
    block?.add(this);
  }

  get itemBytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.end);
  }

  /** Offset of the item in its Buffer. */
  get start(): number {
    return this.#start;
  }
  /** End offset of the item in its Buffer. */
  get end(): number {
    return this.#start + this.size;
  }

  isIn(block: EntryBlock): boolean {
    return this.#block === block;
  }

  copyTo(target: Buffer, offset: number, skip = 0): number {
    return this.#bytes.copy(target, offset, this.#start + skip, this.end);
  }

  /** Moves the item to another allocation. */
  moveTo({ bytes, offset, block }: Allocation): void {
    this.#releaseBlock();
    this.copyTo(bytes, offset);
    this.#bytes = bytes;
    this.#start = offset;
    this.#block = block;
    block?.add(this);
  }

  /** Moves it into a separate Buffer, so that a reference to it keeps nothing else alive. */
  detach(): void {
    if (this.#block !== undefined) this.moveTo({ bytes: Buffer.allocUnsafeSlow(this.size), offset: 0 });
  }

  /** Called when a collection adds it. */
  added(generation: number): void {
    this.#since = generation;
  }

  /** Called when it is replaced or removed. The snapshot of generation `snapshotAt` may still reference it. */
  removed(snapshotAt: number): void {
    if (snapshotAt >= this.#since) this.detach();
    this.release();
  }

  /** Adds a reference. Only while a collection contains it. */
  retain(): void {
    this.#references++;
  }

  release(): void {
    this.#references--;
    if (this.#references === 0) this.#releaseBlock();
  }

  #releaseBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    block?.remove(this);
  }
}
