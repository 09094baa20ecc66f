import type { Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { CachedObject, ObjectFacts } from '../watch-cache.ts';

/** A Buffer with entries side by side that wants to know which of them are still there. */
export interface EntryHolder {
  readonly bytes: Buffer;
  add(entry: Entry): void;
  remove(entry: Entry): void;
}

/**
 * One object at one revision: an index record and a view of its list representation. The bytes never change; the view may move, from a block or a Buffer of
 * its own into a chunk's packed Buffer and back, so that they exist once. As long as somebody keeps it, the Buffer with others that it lies in does.
 */
export class Entry implements CachedObject {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly expiresAt: number | undefined;
  #backing: Buffer;
  #start: number;
  #end: number;
  #holder: EntryHolder | undefined;
  /** The collection at first, and the ring. */
  #keepers = 1;
  /** The state of its collection that showed it first. */
  #since = 0;

  /** `holder`: whose Buffer `backing` is. */
  constructor(
    place: { readonly key: Key; readonly namespace: string; readonly name: string },
    revision: Revision,
    facts: ObjectFacts,
    expiresAt: number | undefined,
    backing: Buffer,
    start: number,
    end: number,
    holder?: EntryHolder,
  ) {
    this.key = place.key;
    this.namespace = place.namespace;
    this.name = place.name;
    this.revision = revision;
    this.uid = facts.uid;
    this.labels = facts.labels;
    this.fields = facts.fields;
    this.expiresAt = expiresAt;
    this.#backing = backing;
    this.#start = start;
    this.#end = end;
    this.#holder = holder;
    holder?.add(this);
  }

  get itemBytes(): Buffer {
    return this.#backing.subarray(this.#start, this.#end);
  }

  /** Bytes of the list representation. */
  get size(): number {
    return this.#end - this.#start;
  }

  /** Where the list representation begins and ends in the Buffer that holds it. */
  get start(): number {
    return this.#start;
  }
  get end(): number {
    return this.#end;
  }

  isIn(holder: EntryHolder): boolean {
    return this.#holder === holder;
  }

  /** Copies the bytes into what was reserved there, and looks at them there from now on. */
  moveInto(holder: EntryHolder, offset: number): void {
    this.#moveTo(holder.bytes, offset);
    this.#holder = holder;
    holder.add(this);
  }

  copyTo(target: Buffer, offset: number, skip = 0): number {
    return this.#backing.copy(target, offset, this.#start + skip, this.#end);
  }

  /** Into a Buffer of its own, so that whoever keeps this entry keeps only its bytes alive. */
  detach(): void {
    if (this.#holder !== undefined) this.#moveTo(Buffer.allocUnsafeSlow(this.size), 0);
  }

  /** A collection has it, from this generation on. */
  enter(generation: number): void {
    this.#since = generation;
  }

  /** The collection has another in its place, or none. `shownAt`: the last generation that was shown to somebody, who may hold it for how long nobody knows. */
  leave(shownAt: number): void {
    if (shownAt >= this.#since) this.detach();
    this.release();
  }

  /** One more keeps it, and will release it: while the collection has it still. */
  keep(): void {
    this.#keepers++;
  }

  release(): void {
    this.#keepers--;
    if (this.#keepers === 0) this.#leaveHolder();
  }

  #moveTo(target: Buffer, offset: number): void {
    this.#leaveHolder();
    this.#end = offset + this.copyTo(target, offset);
    this.#backing = target;
    this.#start = offset;
  }

  #leaveHolder(): void {
    const holder = this.#holder;
    this.#holder = undefined;
    holder?.remove(this);
  }
}
