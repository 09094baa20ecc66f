/**
 * Pages limited in bytes. etcd limits a range only by keys, so their number is estimated from the record sizes seen
 * last. Records beyond the limit are dropped and read again with the next page.
 */
import type { RangePage, RangeQuery, StoredRecord } from '../backend.ts';
import { toRevision } from '../backend.ts';
import type { PageMemory } from '../page-pool.ts';
import type { RangeAnswer } from './wire.ts';

/** Bounds the size of a response when records are unexpectedly large. */
const MAX_KEYS = 2500;
/** Estimated cost of a record besides key and value, so that a page of empty values ends too. */
const RECORD_OVERHEAD_BYTES = 64;

/** `revision` 0: the current one. */
type FetchRange = (start: string, end: string, limit: number, revision: number, memory?: PageMemory) => Promise<RangeAnswer>;

export class PageReader {
  readonly #fetch: FetchRange;
  /** Average size in the last response with records. */
  #recordBytes = 4096;

  constructor(fetch: FetchRange) {
    this.#fetch = fetch;
  }

  async read({ start, end, limit, maxBytes, revision, count, memory }: RangeQuery): Promise<RangePage> {
    const records: StoredRecord[] = [];
    let pinned: number = revision ?? 0;
    let bytes = 0;
    let from: string = start;
    for (;;) {
      const answer = await this.#fetch(from, end, this.#keys(limit - records.length, maxBytes - bytes), pinned, memory);
      if (pinned === 0) pinned = answer.header.revision;
      const taken = take(answer.records, maxBytes - bytes);
      for (const record of taken.records) records.push(record);
      bytes += taken.bytes;
      if (taken.records.length > 0) this.#recordBytes = taken.bytes / taken.records.length;
      const last = taken.records.at(-1);
      const more = answer.more || taken.records.length < answer.records.length;
      if (!more || last === undefined || records.length >= limit || bytes >= maxBytes) {
        const remaining = answer.count - taken.records.length;
        return { revision: toRevision(pinned), records, more, ...(count === true ? { remaining } : {}) };
      }
      from = `${last.key}\0`;
    }
  }

  #keys(keys: number, bytes: number): number {
    return Math.max(1, Math.min(keys, MAX_KEYS, Math.ceil(bytes / this.#recordBytes)));
  }
}

/** The records up to and including the one that reaches `maxBytes`. */
function take(records: readonly StoredRecord[], maxBytes: number): { records: readonly StoredRecord[]; bytes: number } {
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += record.value.length + record.key.length + RECORD_OVERHEAD_BYTES;
    if (bytes >= maxBytes) return { records: records.slice(0, index + 1), bytes };
  }
  return { records, bytes };
}
