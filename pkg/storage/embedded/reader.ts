/**
 * Reads at a published revision. LMDB may already show newer heads. For those the newest superseded revision that is
 * old enough is used, as for a range at a past revision.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { RangePage, RangeQuery, Revision, StoredRecord } from '../backend.ts';
import { keyAfter, type Key } from '../keys.ts';
import { decodeHead, isDeletion, logValueOffset, type Head } from './encoding.ts';
import type { Tables } from './tables.ts';

/** Limits per tick of the event loop. 1,000 records of 3 KB blocked it for 15 to 25 ms. */
const TICK_RECORDS = 250;
const TICK_BYTES = 1 << 20;
const TICK_COUNTED = 1_000;
/** Values of a range share blocks of this size: few allocations, and a retained record keeps only one block alive. */
const BLOCK_BYTES = 64 * 1024;

interface ReaderOptions {
  readonly tables: Tables;
  readonly heads: ReadonlyMap<Key, Head>;
  /** Throws when the store must not be accessed any more. Called in every tick. */
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
    const allocate = createAllocator();
    let from = start;
    let bytes = 0;
    for (let more = false; ;) {
      this.#options.assertOpen();
      let visited = 0;
      let copied = 0;
      let reached = start;
      // No await inside: the loop holds a cursor.
      for (const { key, value } of this.#options.tables.heads(from, end, TICK_RECORDS)) {
        const full = records.length > 0 && (records.length >= limit || bytes >= maxBytes);
        if (!full && copied >= TICK_BYTES) break;
        visited += 1;
        reached = key;
        const written = this.#writtenAt(decodeHead(value), revision);
        if (written === undefined) continue;
        more = full && !this.#isDeletion(written);
        if (more) break;
        const record = full ? undefined : this.#copy(reached, written, allocate);
        if (record === undefined) continue;
        records.push(record);
        copied += record.value.byteLength;
        bytes += record.key.length + record.value.byteLength;
      }
      if (more || (visited < TICK_RECORDS && copied < TICK_BYTES)) {
        const remaining = more && count === true ? await this.#count(reached, end, revision) : 0;
        return { revision, records, more, ...(count === true ? { remaining } : {}) };
      }
      from = keyAfter(reached);
      await nextTick();
    }
  }

  async #count(start: Key, end: Key, revision: Revision): Promise<number> {
    let from = start;
    let found = 0;
    for (;;) {
      let visited = 0;
      for (const key of this.#options.tables.headKeys(from, end, TICK_COUNTED)) {
        visited += 1;
        const newest = this.#options.heads.get(key);
        // Usually the head in memory is old enough.
        if (newest !== undefined && newest.revision <= revision) found += newest.deleted ? 0 : 1;
        else if (this.#existsAt(key, revision)) found += 1;
        if (visited === TICK_COUNTED) from = keyAfter(key);
      }
      if (visited < TICK_COUNTED) return found;
      await nextTick();
      this.#options.assertOpen();
    }
  }

  #existsAt(key: Key, revision: Revision): boolean {
    const head = this.#options.tables.head(key);
    const written = head === undefined ? undefined : this.#writtenAt(head, revision);
    return written !== undefined && !this.#isDeletion(written);
  }

  /** The newest revision of the key at `revision`, possibly a deletion. */
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

/** Allocates from shared blocks. */
function createAllocator(): (length: number) => Buffer {
  let block = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (length > BLOCK_BYTES / 4) return Buffer.allocUnsafeSlow(length);
    if (used + length > block.length) {
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      used = 0;
    }
    used += length;
    return block.subarray(used - length, used);
  };
}
