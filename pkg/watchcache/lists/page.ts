import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { UnsentBudget } from './buffered-writer.ts';
import type { Key } from '../../storage/keys.ts';
import type { Chunk } from '../store/chunk.ts';
import type { Position } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import type { DeflatedBlock } from './deflated-block.ts';
import type { CacheBudget, CacheSpace } from '../store/cache-budget.ts';
import type { CacheLookup, Run } from '../representations/segment.ts';
import { cutRuns, representationSegments } from '../representations/segments.ts';
import type { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { assembled, type Segment, takesBlock, writeBlock, writeSegments } from './list-writer.ts';
import type { Page, PageFrame } from '../watch-cache.ts';

/** A page of this cache's own entries. */
export interface EntryPage extends Page {
  readonly objects: Iterable<Entry>;
}

/** What a page's entries are part of. */
export interface PageSource extends Pick<CacheLookup, 'find'> {
  readonly cacheSpace: CacheBudget;
  readonly unsent: UnsentBudget;
  /** The gzip block of everything there is, if it is known and the page is of the state now. */
  readonly collectionGzip?: (cacheSpace: CacheSpace) => DeflatedBlock | undefined;
  readonly scheduler?: Scheduler | undefined;
}

/** What is left behind a page. */
export interface Rest {
  readonly next?: Key;
  readonly remaining?: number;
}

/** Neighbouring entries, from one place to another: whole chunks are written whole. */
export class RangePage implements EntryPage {
  readonly #chunks: readonly Chunk[];
  readonly #from: Position;
  readonly #to: Position;
  readonly #source: PageSource;
  readonly count: number;
  readonly next?: Key;
  readonly remaining?: number;

  constructor(chunks: readonly Chunk[], from: Position, to: Position, count: number, rest: Rest, source: PageSource) {
    this.#chunks = chunks;
    this.#from = from;
    this.#to = to;
    this.#source = source;
    this.count = count;
    if (rest.next !== undefined) this.next = rest.next;
    if (rest.remaining !== undefined) this.remaining = rest.remaining;
  }

  get objects(): Iterable<Entry> {
    return this.#objects();
  }

  get byteLength(): number {
    let bytes = 0;
    for (const { chunk, from, to } of this.#runs()) {
      if (from === 0 && to === chunk.entries.length) bytes += chunk.bytes;
      else for (let i = from; i < to; i++) bytes += (chunk.entries[i]?.size ?? 0) + 1;
    }
    return Math.max(0, bytes - 1);
  }

  writeTo(writer: ResponseWriter, frame: PageFrame): Promise<void> {
    const cacheSpace = this.#source.cacheSpace.forResponse();
    const block =
      frame.representation === undefined && this.#isWhole && takesBlock(writer, frame, this.#source)
        ? this.#source.collectionGzip?.(cacheSpace)
        : undefined;
    if (block !== undefined) return writeBlock(block, writer, frame, this.#source);
    const segments =
      frame.representation === undefined
        ? this.#segments()
        : representationSegments(this.#derivedRuns(), frame.representation, { ...this.#source, cacheSpace });
    return writeSegments(segments, this.byteLength, writer, frame, { ...this.#source, cacheSpace });
  }

  get #isWhole(): boolean {
    return this.#from.chunk === 0 && this.#from.index === 0 && this.#to.chunk === this.#chunks.length;
  }

  *#objects(): Generator<Entry> {
    for (const { chunk, from, to } of this.#runs())
      yield* from === 0 && to === chunk.entries.length ? chunk.entries : chunk.entries.slice(from, to);
  }

  *#runs(): Generator<{ readonly chunk: Chunk; readonly from: number; readonly to: number }> {
    for (let at = this.#from.chunk; at <= this.#to.chunk; at++) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) return;
      const from = at === this.#from.chunk ? this.#from.index : 0;
      const to = at === this.#to.chunk ? this.#to.index : chunk.entries.length;
      if (from < to) yield { chunk, from, to };
    }
  }

  *#derivedRuns(): Generator<Run> {
    for (const { chunk, from, to } of this.#runs()) yield { chunk, entries: chunk.entries, from, to };
  }

  *#segments(): Generator<Segment> {
    let isFirst = true;
    for (const { chunk, from, to } of this.#runs()) {
      const packed = chunk.pack();
      const first = chunk.entries[from];
      const last = chunk.entries[to - 1];
      if (packed === undefined) yield* assembled(chunk.entries, from, to, isFirst);
      else if (from === 0 && to === chunk.entries.length) yield { chunk, packed };
      else if (first !== undefined && last !== undefined)
        yield { bytes: packed.subarray(isFirst ? first.start : first.start - 1, last.end) };
      isFirst = false;
    }
  }
}

/** Entries picked from here and there, in key order. */
export class PickedPage implements EntryPage {
  readonly #entries: readonly Entry[];
  readonly #source: PageSource;
  readonly next?: Key;
  readonly remaining?: number;

  constructor(entries: readonly Entry[], rest: Rest, source: PageSource) {
    this.#entries = entries;
    this.#source = source;
    if (rest.next !== undefined) this.next = rest.next;
    if (rest.remaining !== undefined) this.remaining = rest.remaining;
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
    const entries = this.#entries;
    const cacheSpace = this.#source.cacheSpace.forResponse();
    const segments =
      frame.representation === undefined
        ? assembled(entries, 0, entries.length, true)
        : representationSegments(cutRuns(entries), frame.representation, { ...this.#source, cacheSpace });
    return writeSegments(segments, this.byteLength, writer, frame, { ...this.#source, cacheSpace });
  }
}
