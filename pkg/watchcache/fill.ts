import { type Backend, NO_REVISION, type RangePage, type Revision, type StoredRecord } from '../storage/backend.ts';
import { type Key, keyAfter, prefixEnd } from '../storage/keys.ts';
import { type PageMemory, PagePool } from '../storage/page-pool.ts';
import { Chunk, MAX_CHUNK_BYTES, MAX_CHUNK_ENTRIES } from './store/chunk.ts';
import type { Entry } from './store/entry.ts';
import { type Scheduler, ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import type { ReadValue, EntryFactory } from './store/entry-factory.ts';

const PAGE_RECORDS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;
/**
 * For each page etcd walks its index over all keys that are left, so pages grow when there are many: 100,000 objects are there after 2.5 s instead
 * of 3. Few objects keep small pages: one is worked on while the next is read.
 */
const GROW_AFTER_RECORDS = 10_000;
const MOST_GROWTH = 2.5;
/** Chunks are filled up to this share: an update that grows an object a little does not cut its chunk. */
const FILL_SHARE = 7 / 8;
const COMMA = 0x2c;

export interface FillQuery {
  readonly backend: Pick<Backend, 'range'>;
  readonly prefix: Key;
  readonly entries: EntryFactory;
  /** 0: now; the answer says which revision that was. */
  readonly revision: Revision;
  readonly signal: AbortSignal;
  readonly scheduler?: Scheduler;
}

interface PageInMemory {
  readonly memory: PageMemory;
  readonly page: RangePage;
}

export interface Filled {
  readonly revision: Revision;
  readonly chunks: readonly Chunk[];
  /** The same entries by key: entering 100,000 of them in one turn held the loop for 30 ms. */
  readonly entries: Map<Key, Entry>;
}

/** Reads all objects of a resource at one revision into packed chunks, in slices; the next page is read while one is worked on. */
export async function fillChunks({ backend, prefix, entries, revision, signal, scheduler }: FillQuery): Promise<Filled> {
  const end = prefixEnd(prefix);
  let records = 0;
  const pool = new PagePool();
  const read = async (start: Key, at: Revision) => {
    const growth = Math.min(Math.max(1, records / GROW_AFTER_RECORDS), MOST_GROWTH);
    const memory = pool.page();
    const limit = Math.floor(PAGE_RECORDS * growth);
    return { memory, page: await backend.range({ start, end, limit, maxBytes: PAGE_BYTES * growth, revision: at, memory }) };
  };
  const builder = new ChunkBuilder(entries);
  const task = new ScheduledTask(scheduler);
  let { memory, page }: PageInMemory = await read(prefix, revision);
  const at = revision === NO_REVISION ? page.revision : revision;
  for (;;) {
    const last = page.records.at(-1);
    records += page.records.length;
    const next = page.more && last !== undefined ? read(keyAfter(last.key), at) : undefined;
    // Its failure is thrown where it is awaited.
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
  return { revision: at, ...builder.finish() };
}

class ChunkBuilder {
  readonly #entries: EntryFactory;
  readonly #chunks: Chunk[] = [];
  readonly #byKey = new Map<Key, Entry>();
  #run: ReadValue[] = [];
  #bytes = 0;

  constructor(entries: EntryFactory) {
    this.#entries = entries;
  }

  add(record: StoredRecord): void {
    const value = this.#entries.read(record);
    if (value === undefined) return;
    const isFull = this.#run.length >= MAX_CHUNK_ENTRIES * FILL_SHARE || this.#bytes + value.size + 1 > MAX_CHUNK_BYTES * FILL_SHARE;
    if (isFull) this.flush();
    this.#run.push(value);
    this.#bytes += value.size + 1;
  }

  finish(): Pick<Filled, 'chunks' | 'entries'> {
    this.flush();
    return { chunks: this.#chunks, entries: this.#byKey };
  }

  /** Copies what was added and lies in a page still. */
  flush(): void {
    if (this.#run.length === 0) return;
    const { arena } = this.#entries;
    const packed = arena.create(this.#bytes);
    const entries: Entry[] = [];
    let offset = 0;
    for (const value of this.#run) {
      packed.bytes[offset] = COMMA;
      const entry = this.#entries.writeTo(value, packed, offset + 1);
      entries.push(entry);
      this.#byKey.set(entry.key, entry);
      offset = entry.end;
    }
    packed.close();
    this.#chunks.push(new Chunk(entries, this.#bytes, arena, packed.bytes));
    this.#run = [];
    this.#bytes = 0;
  }
}
