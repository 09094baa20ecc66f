import { ScheduledTask, type Scheduler } from '../apimachinery/scheduling/scheduler.ts';
import { type Backend, NO_REVISION, type Revision, type StoredRecord } from '../storage/backend.ts';
import { type Key, keyAfter, prefixEnd } from '../storage/keys.ts';
import { PagePool } from '../storage/page-pool.ts';
import { Chunk, MAX_CHUNK_BYTES, MAX_CHUNK_ENTRIES } from './store/chunk.ts';
import type { EntryFactory, ReadValue } from './store/entry-factory.ts';
import type { Entry } from './store/entry.ts';

const PAGE_RECORDS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;
/**
 * etcd scans its index over all remaining keys for each page, so large collections use larger pages: 100,000 objects
 * take 2.5 s instead of 3. Small collections use small pages: one is decoded while the next is read.
 */
const GROW_AFTER_RECORDS = 10_000;
const MAX_GROWTH = 2.5;
/** Chunks are filled to this share, so that an update that grows an object a little does not split its chunk. */
const FILL_SHARE = 7 / 8;
const COMMA = 0x2c;

export interface FillQuery {
  readonly backend: Pick<Backend, 'range'>;
  readonly prefix: Key;
  readonly entries: EntryFactory;
  /** 0 means the current revision, which the result contains. */
  readonly revision: Revision;
  readonly signal: AbortSignal;
  readonly scheduler?: Scheduler;
}

export interface FillResult {
  readonly revision: Revision;
  readonly chunks: readonly Chunk[];
  /** The same entries. Built with the chunks: building it in one tick blocked the loop for 30 ms. */
  readonly byKey: Map<Key, Entry>;
}

/** Reads all objects of a resource at one revision into packed chunks. Yields, and reads the next page meanwhile. */
export async function fillChunks({ backend, prefix, entries, revision, signal, scheduler }: FillQuery): Promise<FillResult> {
  const end = prefixEnd(prefix);
  let records = 0;
  const pool = new PagePool();
  const read = async (start: Key, at: Revision) => {
    const growth = Math.min(Math.max(1, records / GROW_AFTER_RECORDS), MAX_GROWTH);
    const memory = pool.page();
    const limit = Math.floor(PAGE_RECORDS * growth);
    return { memory, page: await backend.range({ start, end, limit, maxBytes: PAGE_BYTES * growth, revision: at, memory }) };
  };
  const builder = new ChunkBuilder(entries);
  const task = new ScheduledTask(scheduler);
  let { memory, page } = await read(prefix, revision);
  const at = revision === NO_REVISION ? page.revision : revision;
  for (;;) {
    const last = page.records.at(-1);
    records += page.records.length;
    const next = page.more && last !== undefined ? read(keyAfter(last.key), at) : undefined;
    // A failure is thrown where the page is awaited.
    next?.catch(() => undefined);
    for (const record of page.records) {
      builder.add(record);
      if (task.shouldYield()) await task.yield();
    }
    builder.flush();
    memory.release();
    if (next === undefined || signal.aborted) break;
    ({ memory, page } = await next);
  }
  return { revision: at, ...builder.result() };
}

class ChunkBuilder {
  readonly #entries: EntryFactory;
  readonly #chunks: Chunk[] = [];
  readonly #byKey = new Map<Key, Entry>();
  #values: ReadValue[] = [];
  #bytes = 0;

  constructor(entries: EntryFactory) {
    this.#entries = entries;
  }

  add(record: StoredRecord): void {
    const value = this.#entries.read(record);
    if (value === undefined) return;
    const isFull = this.#values.length >= MAX_CHUNK_ENTRIES * FILL_SHARE || this.#bytes + value.size + 1 > MAX_CHUNK_BYTES * FILL_SHARE;
    if (isFull) this.flush();
    this.#values.push(value);
    this.#bytes += value.size + 1;
  }

  result(): Pick<FillResult, 'chunks' | 'byKey'> {
    this.flush();
    return { chunks: this.#chunks, byKey: this.#byKey };
  }

  /** Copies the added values, which are still in a page, into a chunk. */
  flush(): void {
    if (this.#values.length === 0) return;
    const { memory } = this.#entries;
    const block = memory.createBlock(this.#bytes);
    const entries: Entry[] = [];
    let offset = 0;
    for (const value of this.#values) {
      if (block !== undefined) block.bytes[offset] = COMMA;
      const entry = this.#entries.create(value, block && { bytes: block.bytes, offset: offset + 1, block });
      entries.push(entry);
      this.#byKey.set(entry.key, entry);
      offset += 1 + value.size;
    }
    block?.close();
    this.#chunks.push(new Chunk({ entries, bytes: this.#bytes }, memory, block?.bytes));
    this.#values = [];
    this.#bytes = 0;
  }
}
