/**
 * Pages by bytes. etcd limits a range by its number of keys only, so the number is fitted to the sizes seen: the first
 * answer's from the last page's, the next ones' from this page's own. What overshoots is cut off and read again with
 * the next page.
 */
import type { RangePage, RangeQuery, StoredRecord } from '../backend.ts';
import { toRevision } from '../backend.ts';
import type { PageMemory } from '../page-pool.ts';
import type { RangeAnswer } from './wire.ts';

/** The most keys one call asks for: it bounds what an answer of unexpectedly large records can bring. */
const MAX_KEYS = 2500;
/** What a record also costs on the wire and here, so that a page of empty values ends too. */
const RECORD_OVERHEAD_BYTES = 64;

/**
 * Reads up to `limit` keys from `start` on and before `end`, at `revision` or, when 0, now; into `memory`, when given.
 */
export type FetchRange = (
  start: string,
  end: string,
  limit: number,
  revision: number,
  memory: PageMemory | undefined,
) => Promise<RangeAnswer>;

export class PageReader {
  readonly #fetch: FetchRange;
  /** Running guess, from the last answer that had records. */
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

/** The records up to and with the one that reaches `maxBytes`. */
function take(records: readonly StoredRecord[], maxBytes: number): { records: readonly StoredRecord[]; bytes: number } {
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += record.value.length + record.key.length + RECORD_OVERHEAD_BYTES;
    if (bytes >= maxBytes) return { records: records.slice(0, index + 1), bytes };
  }
  return { records, bytes };
}
