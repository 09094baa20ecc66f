/**
 * Reads as of a revision that is published. LMDB may show newer heads, durable or not: for those the newest superseded
 * revision that is old enough is looked up. So a range that takes several ticks, and a range at a past revision, are
 * the same walk.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RangePage, RangeQuery, Revision, StoredRecord } from '../backend.ts';
import { keyAfter, type Key } from '../keys.ts';
import { decodeHead, isDeletion, logValueOffset, type Head } from './encoding.ts';
import type { Tables } from './tables.ts';

/** Per turn of the event loop, so that others are served between: 1,000 records of 3 KB held it for 15 to 25 ms. */
const TURN_RECORDS = 250;
const TURN_BYTES = 1 << 20;
const TURN_COUNTED = 1_000;
/**
 * Values of a range share buffers of this size: a record that is kept keeps no more than this alive, and 100,000 values
 * need no 100,000 allocations.
 */
const SLAB_BYTES = 64 * 1024;

export interface ReaderOptions {
  readonly tables: Tables;
  readonly heads: ReadonlyMap<Key, Head>;
  /** Throws when the store must not be touched any more; asked at the start of every turn. */
  readonly assertOpen: () => void;
}

export class RecordReader {
  readonly #options: ReaderOptions;
  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  recordAt(key: Key, revision: Revision): StoredRecord | undefined {
    const head = this.#options.tables.head(key);
    const written = head === undefined ? undefined : this.#writtenAt(head, revision);
    return written === undefined ? undefined : this.#copy(key, written, (length) => Buffer.allocUnsafeSlow(length));
  }

  /** `revision` must stay readable until this resolves. */
  async rangeAt({ start, end, limit, maxBytes, count }: RangeQuery, revision: Revision): Promise<RangePage> {
    const records: StoredRecord[] = [];
    const slab = createSlab();
    let from = start;
    let bytes = 0;
    for (let more = false; ;) {
      this.#options.assertOpen();
      let visited = 0;
      let copied = 0;
      let reached = start;
      // Leaving the loop closes the cursor: nothing in it may be awaited.
      for (const { key, value } of this.#options.tables.heads(from, end, TURN_RECORDS)) {
        const full = records.length > 0 && (records.length >= limit || bytes >= maxBytes);
        if (!full && copied >= TURN_BYTES) break;
        visited += 1;
        reached = key;
        const written = this.#writtenAt(decodeHead(value), revision);
        if (written === undefined) continue;
        more = full && !this.#isDeletion(written);
        if (more) break;
        const record = full ? undefined : this.#copy(reached, written, slab);
        if (record === undefined) continue;
        records.push(record);
        copied += record.value.byteLength;
        bytes += record.key.length + record.value.byteLength;
      }
      if (more || (visited < TURN_RECORDS && copied < TURN_BYTES)) {
        const remaining = more && count === true ? await this.#count(reached, end, revision) : 0;
        return { revision, records, more, ...(count === true ? { remaining } : {}) };
      }
      from = keyAfter(reached);
      await nextTurn();
    }
  }

  async #count(start: Key, end: Key, revision: Revision): Promise<number> {
    let from = start;
    let found = 0;
    for (;;) {
      let visited = 0;
      for (const key of this.#options.tables.headKeys(from, end, TURN_COUNTED)) {
        visited += 1;
        const newest = this.#options.heads.get(key);
        // Nearly always the head is old enough, and memory knows it.
        if (newest !== undefined && newest.revision <= revision) found += newest.deleted ? 0 : 1;
        else if (this.#existsAt(key, revision)) found += 1;
        if (visited === TURN_COUNTED) from = keyAfter(key);
      }
      if (visited < TURN_COUNTED) return found;
      await nextTurn();
      this.#options.assertOpen();
    }
  }

  #existsAt(key: Key, revision: Revision): boolean {
    const head = this.#options.tables.head(key);
    const written = head === undefined ? undefined : this.#writtenAt(head, revision);
    return written !== undefined && !this.#isDeletion(written);
  }

  /** Which of the key's revisions was its newest at `revision`; it may be a deletion. */
  #writtenAt(head: Head, revision: Revision): Revision | undefined {
    if (head.revision > revision) return this.#options.tables.supersededAt(head.id, revision);
    return head.deleted ? undefined : head.revision;
  }

  #isDeletion(written: Revision): boolean {
    const entry = this.#options.tables.logEntryUnsafe(written);
    return entry === undefined || isDeletion(entry);
  }

  #copy(key: Key, written: Revision, allocate: (length: number) => Buffer): StoredRecord | undefined {
    const entry = this.#options.tables.logEntryUnsafe(written);
    if (entry === undefined || isDeletion(entry)) return undefined;
    const at = logValueOffset(entry);
    const value = allocate(entry.length - at);
    entry.copy(value, 0, at, entry.length);
    return { key, revision: written, value };
  }
}

/** Hands out neighbouring pieces of larger buffers. */
function createSlab(): (length: number) => Buffer {
  let slab = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (length > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(length);
    if (used + length > slab.length) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      used = 0;
    }
    used += length;
    return slab.subarray(used - length, used);
  };
}
