/** The parts of a list: adjacent objects, at most one chunk of them. */
import type { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { CacheSpace } from '../representations/cache-budget.ts';
import { type Allocate, allocateAlone, composeItems, toItem } from '../representations/compose.ts';
import { type DeflatedBlock, deflateBlock } from '../representations/deflated-block.ts';
import type { ItemTemplate, Representation } from '../representations/representation.ts';
import type { Chunk } from '../store/chunk.ts';
import { cacheIn, countCache, type EntryPosition, itemOf } from '../store/chunk-caches.ts';
import type { Entry } from '../store/entry.ts';

const COMMA = 0x2c;

/** Adjacent entries in key order, from `from` to `to`, exclusive. */
export interface EntryRange {
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly to: number;
  /** Set if the entries are exactly those of a chunk. */
  readonly chunk?: Chunk | undefined;
}

export interface Segment {
  /** False: items are not preceded by a comma. */
  readonly hasSeparator: boolean;
  /** Encodes objects and yields; otherwise `bytes` and `deflated` do so without yielding. */
  prepare(task: ScheduledTask): Promise<void>;
  /** `,a,b,c`, or `abc` without separators. Copies are made in memory from `allocate`. */
  bytes(allocate?: Allocate): Buffer;
  /** The cache holds `bytes()` too, so that a slow reader retains no additional memory. */
  readonly isShared: boolean;
  /** The result of `deflated`, if it is cached. */
  cachedDeflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined;
  /** The deflate block of `a,b,c`, or `abc`; that of a whole chunk is cached. */
  deflated(): DeflatedBlock | Promise<DeflatedBlock>;
  /** Length of `bytes()`, cached for a whole chunk of a context-free representation. */
  measure(task: ScheduledTask): Promise<number>;
  /** Memory that only this segment holds. */
  readonly ownBytes: number;
  /** Frees that memory; the segment can still be used. */
  release(): void;
}

/** Shared by the segments of one list. */
export interface SegmentSource {
  readonly cacheSpace: CacheSpace;
  /** The current position of an entry that is in no chunk here, or in a superseded one. */
  readonly find: (entry: Entry) => EntryPosition | undefined;
}

export const createSegment = (range: EntryRange, representation: Representation | undefined, source: SegmentSource): Segment =>
  representation === undefined ? new StoredSegment(range, source) : new RepresentationSegment(range, representation, source);

/** The chunk, if the range contains all of it. */
const wholeChunk = ({ chunk, entries, from, to }: EntryRange): Chunk | undefined =>
  from === 0 && to === entries.length ? chunk : undefined;

/** Items as they are stored. */
class StoredSegment implements Segment {
  readonly hasSeparator = true;
  readonly ownBytes = 0;
  readonly #range: EntryRange;
  readonly #source: SegmentSource;

  constructor(range: EntryRange, source: SegmentSource) {
    this.#range = range;
    this.#source = source;
  }

  get isShared(): boolean {
    return wholeChunk(this.#range)?.pack() !== undefined;
  }

  async prepare(): Promise<void> {
    // Stored items need no encoding.
  }

  bytes(allocate?: Allocate): Buffer {
    const { chunk, entries, from, to } = this.#range;
    const packed = chunk?.pack();
    const [first, last] = [entries[from], entries[to - 1]];
    // In a packed chunk each entry is preceded by a comma.
    if (packed !== undefined && first !== undefined && last !== undefined) return packed.subarray(first.start - 1, last.end);
    return copyItems(entries.slice(from, to), allocate);
  }

  cachedDeflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return wholeChunk(this.#range)?.deflated.get(0, this.#source.cacheSpace);
  }

  deflated(): DeflatedBlock | Promise<DeflatedBlock> {
    const cached = this.cachedDeflated();
    if (cached !== undefined) return cached;
    const content = this.bytes().subarray(1);
    return wholeChunk(this.#range)?.deflated.deflate(content, Infinity, this.#source.cacheSpace) ?? deflateBlock(content);
  }

  async measure(): Promise<number> {
    const { entries, from, to } = this.#range;
    return entries.slice(from, to).reduce((bytes, { size }) => bytes + size + 1, 0);
  }

  release(): void {
    // There is nothing to free.
  }
}

/** Each item preceded by a comma. */
function copyItems(entries: readonly Entry[], allocate = allocateAlone): Buffer {
  const copy = allocate(entries.reduce((bytes, { size }) => bytes + size + 1, 0));
  let offset = 0;
  for (const entry of entries) {
    copy[offset++] = COMMA;
    offset += entry.copyTo(copy, offset);
  }
  return copy;
}

/** Items in a representation, encoded on demand and cached. */
class RepresentationSegment implements Segment {
  readonly isShared = false;
  readonly #range: EntryRange;
  readonly #representation: Representation;
  readonly #source: SegmentSource;
  #items: readonly ItemTemplate[] | undefined;
  #bytes: Buffer | undefined;

  constructor(range: EntryRange, representation: Representation, source: SegmentSource) {
    this.#range = range;
    this.#representation = representation;
    this.#source = source;
  }

  get hasSeparator(): boolean {
    return this.#representation.isContextFree !== true;
  }

  async prepare(task: ScheduledTask): Promise<void> {
    if (this.#items !== undefined) return;
    const steps = this.#makeItems();
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) if (task.shouldYield()) await task.yield();
    this.#items = step.value;
  }

  bytes(allocate?: Allocate): Buffer {
    // Templates depend on the time, so their result is not reused.
    if (this.hasSeparator) return this.#compose(this.#representation.now(), allocate);
    return (this.#bytes ??= this.#packed() ?? this.#compose(0));
  }

  cachedDeflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    const cache = wholeChunk(this.#range)?.caches.get(this.#representation);
    return cache?.deflated.get(this.#representation.now(), this.#source.cacheSpace);
  }

  deflated(): DeflatedBlock | Promise<DeflatedBlock> {
    const cached = this.cachedDeflated();
    if (cached !== undefined) return cached;
    const at = this.#representation.now();
    const content = this.hasSeparator ? this.#compose(at).subarray(1) : this.bytes();
    const chunk = wholeChunk(this.#range);
    const cache = chunk === undefined ? undefined : cacheIn(chunk, this.#representation);
    if (cache === undefined) return deflateBlock(content);
    const validUntil = this.#allItems().reduce((soonest, item) => Math.min(soonest, item.validUntil(at)), Infinity);
    return cache.deflated.deflate(content, validUntil, this.#source.cacheSpace);
  }

  async measure(task: ScheduledTask): Promise<number> {
    const chunk = wholeChunk(this.#range);
    const representation = this.#representation;
    if (representation.isContextFree !== true) throw new Error('only context-free representations are measured');
    const measured = chunk?.lengthIn(representation);
    if (measured !== undefined) return measured;
    await this.prepare(task);
    const { byteLength } = this.bytes();
    chunk?.setLengthIn(representation, byteLength);
    return byteLength;
  }

  get ownBytes(): number {
    return this.#bytes?.byteLength ?? 0;
  }

  release(): void {
    this.#items = undefined;
    this.#bytes = undefined;
  }

  #compose(at: number, allocate?: Allocate): Buffer {
    const { entries, from, to } = this.#range;
    return composeItems(this.#representation, entries.slice(from, to), this.#allItems(), at, allocate);
  }

  /** The packed bytes from the cache of the chunk, if there are any. */
  #packed(): Buffer | undefined {
    const { chunk, from, to } = this.#range;
    this.#allItems();
    return chunk?.caches.get(this.#representation)?.packedRange(from, to);
  }

  #allItems(): readonly ItemTemplate[] {
    if (this.#items !== undefined) return this.#items;
    const steps = this.#makeItems();
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return (this.#items = step.value);
  }

  /** Yields after each item that was not cached. */
  *#makeItems(): Generator<undefined, readonly ItemTemplate[], undefined> {
    const { chunk, entries, from, to } = this.#range;
    const { cacheSpace, find } = this.#source;
    const representation = this.#representation;
    const cache = chunk === undefined ? undefined : cacheIn(chunk, representation);
    const items: ItemTemplate[] = [];
    let hasGrown = false;
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const cached = cache?.item(index);
      if (cached !== undefined) {
        items.push(cached);
        continue;
      }
      if (cache === undefined) {
        items.push(itemOf(entry, find(entry), representation, cacheSpace));
      } else {
        const item = toItem(representation, entry.itemBytes);
        cache.add(index, item);
        items.push(item);
        hasGrown = true;
      }
      yield undefined;
    }
    if (chunk !== undefined && cache !== undefined) {
      if (hasGrown && chunk.caches.get(representation) === cache) {
        cache.pack();
        countCache(cacheSpace, chunk, representation, cache);
      } else {
        cacheSpace.touch(cache);
      }
    }
    return items;
  }
}
