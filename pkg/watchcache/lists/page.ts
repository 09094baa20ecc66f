import type { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Key } from '../../storage/keys.ts';
import type { CacheBudget, CacheSpace } from '../representations/cache-budget.ts';
import type { DeflatedBlock } from '../representations/deflated-block.ts';
import type { Chunk } from '../store/chunk.ts';
import type { ChunkPosition } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import type { ListPage, PageFrame } from '../watch-cache.ts';
import { canWriteBlock, writeBlock, writeSegments } from './list-writer.ts';
import { COPY_BYTES, type ResponseMemory } from './response-memory.ts';
import { createSegment, type EntryRange, type SegmentSource } from './segment.ts';

/** A page with entries of this cache. */
export interface EntryPage extends ListPage {
  readonly objects: Iterable<Entry>;
}

/** The context of a page's entries. */
export interface PageSource extends Pick<SegmentSource, 'find'> {
  readonly cacheSpace: CacheBudget;
  readonly responseMemory: ResponseMemory;
  /** The gzip block of the whole collection, if it is cached and the page shows the current state. */
  readonly collectionGzip?: (cacheSpace: CacheSpace) => DeflatedBlock | undefined;
  readonly scheduler?: Scheduler | undefined;
}

/** What follows the page. */
export interface NextPage {
  readonly next?: Key;
  readonly remaining?: number;
}

/** Entries of different chunks that are written together fit one copy. */
const MAX_RANGE_ENTRIES = 128;

/** Adjacent entries between two positions. Whole chunks are written as a whole. */
export class ContiguousPage implements EntryPage {
  readonly #chunks: readonly Chunk[];
  readonly #from: ChunkPosition;
  readonly #to: ChunkPosition;
  readonly #source: PageSource;
  readonly count: number;
  readonly next?: Key;
  readonly remaining?: number;

  constructor(chunks: readonly Chunk[], from: ChunkPosition, to: ChunkPosition, count: number, following: NextPage, source: PageSource) {
    this.#chunks = chunks;
    this.#from = from;
    this.#to = to;
    this.#source = source;
    this.count = count;
    if (following.next !== undefined) this.next = following.next;
    if (following.remaining !== undefined) this.remaining = following.remaining;
  }

  get objects(): Iterable<Entry> {
    return this.#objects();
  }

  get byteLength(): number {
    let bytes = 0;
    for (const { chunk, entries, from, to } of this.#ranges()) {
      if (from === 0 && to === entries.length) bytes += chunk.bytes;
      else for (let i = from; i < to; i++) bytes += (entries[i]?.size ?? 0) + 1;
    }
    return Math.max(0, bytes - 1);
  }

  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void> {
    const source = { ...this.#source, cacheSpace: this.#source.cacheSpace.forResponse() };
    const isWhole = frame.representation === undefined && this.#isWhole && canWriteBlock(writer, frame, source);
    const block = isWhole ? source.collectionGzip?.(source.cacheSpace) : undefined;
    if (block !== undefined) return writeBlock(block, writer, frame, source);
    return writeSegments(segmentsOf(this.#ranges(), frame, source), this.byteLength, writer, frame, source);
  }

  get #isWhole(): boolean {
    return this.#from.chunk === 0 && this.#from.index === 0 && this.#to.chunk === this.#chunks.length;
  }

  *#objects(): Generator<Entry> {
    for (const { entries, from, to } of this.#ranges()) yield* from === 0 && to === entries.length ? entries : entries.slice(from, to);
  }

  *#ranges(): Generator<EntryRange & { readonly chunk: Chunk }> {
    for (let at = this.#from.chunk; at <= this.#to.chunk; at++) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) return;
      const { entries } = chunk;
      const from = at === this.#from.chunk ? this.#from.index : 0;
      const to = at === this.#to.chunk ? this.#to.index : entries.length;
      if (from < to) yield { chunk, entries, from, to };
    }
  }
}

/** Entries from different places, in key order. */
export class SelectedPage implements EntryPage {
  readonly #entries: readonly Entry[];
  readonly #source: PageSource;
  readonly next?: Key;
  readonly remaining?: number;

  constructor(entries: readonly Entry[], following: NextPage, source: PageSource) {
    this.#entries = entries;
    this.#source = source;
    if (following.next !== undefined) this.next = following.next;
    if (following.remaining !== undefined) this.remaining = following.remaining;
  }

  get count(): number {
    return this.#entries.length;
  }

  get objects(): Iterable<Entry> {
    return this.#entries;
  }

  get byteLength(): number {
    let bytes = 0;
    for (const { size } of this.#entries) bytes += size + 1;
    return Math.max(0, bytes - 1);
  }

  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void> {
    const source = { ...this.#source, cacheSpace: this.#source.cacheSpace.forResponse() };
    return writeSegments(segmentsOf(rangesOf(this.#entries), frame, source), this.byteLength, writer, frame, source);
  }
}

function* segmentsOf(ranges: Iterable<EntryRange>, { representation }: PageFrame, source: SegmentSource) {
  for (const range of ranges) yield createSegment(range, representation, source);
}

/** Splits entries into ranges within the limits. */
function* rangesOf(entries: readonly Entry[]): Generator<EntryRange> {
  let from = 0;
  let bytes = 0;
  for (const [at, { size }] of entries.entries()) {
    if (at > from && (at - from >= MAX_RANGE_ENTRIES || bytes + size + 1 > COPY_BYTES)) {
      yield { entries, from, to: at };
      from = at;
      bytes = 0;
    }
    bytes += size + 1;
  }
  if (from < entries.length) yield { entries, from, to: entries.length };
}
