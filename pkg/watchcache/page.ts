import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';
import type { UnsentBudget } from './answer-writer.ts';
import type { Key } from '../storage/keys.ts';
import type { Chunk } from './chunk.ts';
import type { Position } from './collection.ts';
import type { Entry } from './entry.ts';
import type { DeflatedBlock } from './deflated-block.ts';
import type { MemoBudget, Memos } from './memo-budget.ts';
import type { Remembered, Run } from './derived-piece.ts';
import { cutRuns, derivedPieces } from './derived-pieces.ts';
import type { LoopTurns } from './slice.ts';
import { assembled, type Piece, takesBlock, writeBlock, writePieces } from './page-writer.ts';
import type { Page, PageFrame } from './watch-cache.ts';

/** A page of this cache's own entries. */
export interface EntryPage extends Page {
  readonly objects: Iterable<Entry>;
}

/** What a page's entries are part of. */
export interface PageSource extends Pick<Remembered, 'find'> {
  readonly memos: MemoBudget;
  readonly unsent: UnsentBudget;
  /** The gzip block of everything there is, if it is known and the page is of the state now. */
  readonly wholeBlock?: (memos: Memos) => DeflatedBlock | undefined;
  readonly turns?: LoopTurns | undefined;
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

  writeTo(sink: ByteSink, frame: PageFrame): Promise<void> {
    const memos = this.#source.memos.forAnswer();
    const block =
      frame.form === undefined && this.#isWhole && takesBlock(sink, frame, this.#source) ? this.#source.wholeBlock?.(memos) : undefined;
    if (block !== undefined) return writeBlock(block, sink, frame, this.#source);
    const pieces = frame.form === undefined ? this.#pieces() : derivedPieces(this.#derivedRuns(), frame.form, { ...this.#source, memos });
    return writePieces(pieces, this.byteLength, sink, frame, { ...this.#source, memos });
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

  *#pieces(): Generator<Piece> {
    let isFirst = true;
    for (const { chunk, from, to } of this.#runs()) {
      const joined = chunk.join();
      const first = chunk.entries[from];
      const last = chunk.entries[to - 1];
      if (joined === undefined) yield* assembled(chunk.entries, from, to, isFirst);
      else if (from === 0 && to === chunk.entries.length) yield { chunk, joined };
      else if (first !== undefined && last !== undefined)
        yield { bytes: joined.subarray(isFirst ? first.start : first.start - 1, last.end) };
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

  writeTo(sink: ByteSink, frame: PageFrame): Promise<void> {
    const entries = this.#entries;
    const memos = this.#source.memos.forAnswer();
    const pieces =
      frame.form === undefined
        ? assembled(entries, 0, entries.length, true)
        : derivedPieces(cutRuns(entries), frame.form, { ...this.#source, memos });
    return writePieces(pieces, this.byteLength, sink, frame, { ...this.#source, memos });
  }
}
