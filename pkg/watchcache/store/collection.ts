/**
 * The objects of one resource, as they are now: a map for single reads, chunks in key order for lists, an index for label selectors.
 * A snapshot freezes the list of chunks; the next write copies that list before it changes it.
 */
import type { Key } from '../../storage/keys.ts';
import { Chunk, cutRun, fitsChunk, isSmall, type Run } from './chunk.ts';
import type { Entry } from './entry.ts';
import type { EntryArena } from './arena.ts';
import { carryCaches, type EntryPlace } from '../representations/chunk-caches.ts';
import { LabelIndex } from './label-index.ts';
import type { DeflatedBlock } from '../lists/deflated-block.ts';
import type { CacheBudget, CacheSpace } from './cache-budget.ts';
import type { CachedObject } from '../watch-cache.ts';
import { CollectionGzipCache } from '../lists/collection-gzip-cache.ts';

/** A place in a list of chunks; behind the last entry: `chunk` is the number of chunks. */
export interface Position {
  readonly chunk: number;
  readonly index: number;
}

export class Collection {
  readonly #cacheSpace: CacheBudget;
  readonly #arena: EntryArena;
  readonly #entries: Map<Key, Entry>;
  readonly labels = new LabelIndex();
  readonly #gzipCache = new CollectionGzipCache();
  #chunks: Chunk[];
  #frozen = false;
  #writes = 0;
  /** The generation of the last snapshot. */
  #shownAt = -1;
  #bytes: number;
  #replacedBytes = 0;

  /** `arena`: where its entries lie. `chunks` in key order, each within the limits; `entries`, which becomes this collection's own: the same by key. */
  constructor(cacheSpace: CacheBudget, arena: EntryArena, chunks: readonly Chunk[] = [], entries = new Map<Key, Entry>()) {
    this.#cacheSpace = cacheSpace;
    this.#arena = arena;
    this.#chunks = [...chunks];
    this.#entries = entries;
    this.#bytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Of the list representations of all objects, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of all entries that have been replaced or removed so far: a snapshot keeps alive what has come to it since. */
  get replacedBytes(): number {
    return this.#replacedBytes;
  }

  /** Changes with every write: two equal numbers are the same state. */
  get generation(): number {
    return this.#writes;
  }

  get(key: Key): Entry | undefined {
    return this.#entries.get(key);
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** The chunks as they are now, never changed afterwards. */
  freeze(): readonly Chunk[] {
    this.#frozen = true;
    this.#shownAt = this.#writes;
    return this.#chunks;
  }

  /** The gzip block of all objects, once enough lists have asked for it and as long as it is lookup. */
  collectionGzip(cacheSpace: CacheSpace): DeflatedBlock | undefined {
    return this.#gzipCache.of(this.#chunks, cacheSpace);
  }

  /** Where the object is; undefined for one that has been replaced. */
  find(object: CachedObject): EntryPlace | undefined {
    const chunk = this.#chunks[this.#place(object.key)];
    if (chunk === undefined) return undefined;
    const index = lowerBound(chunk.entries, object.key);
    return chunk.entries[index] === object ? { chunk, index } : undefined;
  }

  /** Puts `entry` in place of the entry with its key, which is returned: without the collection's keeping it. */
  put(entry: Entry): Entry | undefined {
    const previous = this.#entries.get(entry.key);
    const at = this.#place(entry.key);
    const chunk = this.#chunks[at];
    this.#entries.set(entry.key, entry);
    this.#count(entry, previous);
    if (previous !== undefined) this.labels.remove(previous);
    this.labels.add(entry);
    if (chunk === undefined) {
      this.#replace(at, 0, [this.#chunk({ entries: [entry], bytes: entry.size + 1 })]);
      return previous;
    }
    const index = lowerBound(chunk.entries, entry.key);
    const isAppend = index === chunk.entries.length && at === this.#chunks.length - 1;
    if (isAppend && !fitsChunk(index + 1, chunk.bytes + entry.size + 1)) {
      // Keys that only grow would leave half-full chunks behind if each full one were cut in the middle.
      this.#replace(at + 1, 0, [this.#chunk({ entries: [entry], bytes: entry.size + 1 })]);
      return previous;
    }
    const entries = chunk.entries.toSpliced(index, previous === undefined ? 0 : 1, entry);
    const bytes = chunk.bytes + entry.size + 1 - (previous === undefined ? 0 : previous.size + 1);
    this.#rewrite(at, { entries, bytes });
    return previous;
  }

  /** Takes the entry out and returns it, without keeping it any more. */
  remove(key: Key): Entry | undefined {
    const previous = this.#entries.get(key);
    const at = this.#place(key);
    const chunk = this.#chunks[at];
    if (previous === undefined || chunk === undefined) return undefined;
    this.#entries.delete(key);
    this.#count(undefined, previous);
    this.labels.remove(previous);
    const entries = chunk.entries.toSpliced(lowerBound(chunk.entries, key), 1);
    this.#rewrite(at, { entries, bytes: chunk.bytes - previous.size - 1 });
    return previous;
  }

  /** Lets go of the packed Buffers and cacheSpace: another collection takes its place. */
  supersede(): void {
    this.#gzipCache.forget(this.#cacheSpace);
    for (const chunk of this.#chunks) this.#retire(chunk);
  }

  #count(entry: Entry | undefined, previous: Entry | undefined): void {
    this.#bytes += (entry?.size ?? 0) - (previous?.size ?? 0);
    this.#replacedBytes += previous?.size ?? 0;
    // The write that this is makes the next generation.
    entry?.enter(this.#writes + 1);
    previous?.leave(this.#shownAt);
  }

  /** The chunk that holds `key`, or would: the last one that begins at or before it. */
  #place(key: Key): number {
    return Math.max(0, chunkBehind(this.#chunks, key) - 1);
  }

  #chunk({ entries, bytes }: Run): Chunk {
    return new Chunk(entries, bytes, this.#arena);
  }

  #rewrite(at: number, run: Run): void {
    const runs = run.entries.length === 0 ? [] : cutRun(run);
    const merged = isSmall(run) && runs.length === 1 ? this.#merged(at, run) : undefined;
    if (merged === undefined)
      this.#replace(
        at,
        1,
        runs.map((part) => this.#chunk(part)),
      );
    else this.#replace(merged.from, 2, [this.#chunk(merged)]);
  }

  /** Two neighbours under a quarter become one. */
  #merged(at: number, run: Run): (Run & { readonly from: number }) | undefined {
    const before = this.#chunks[at - 1];
    const after = this.#chunks[at + 1];
    if (before !== undefined && isSmall(before)) {
      return { from: at - 1, entries: [...before.entries, ...run.entries], bytes: before.bytes + run.bytes };
    }
    if (after !== undefined && isSmall(after)) {
      return { from: at, entries: [...run.entries, ...after.entries], bytes: run.bytes + after.bytes };
    }
    return undefined;
  }

  #replace(at: number, count: number, chunks: readonly Chunk[]): void {
    if (this.#frozen) {
      this.#chunks = this.#chunks.slice();
      this.#frozen = false;
    }
    this.#writes++;
    this.#gzipCache.forget(this.#cacheSpace);
    const replaced = this.#chunks.splice(at, count, ...chunks);
    if (replaced.some(({ representations }) => representations.size > 0)) carryCaches(replaced, chunks, this.#cacheSpace);
    for (const old of replaced) this.#retire(old);
  }

  #retire(chunk: Chunk): void {
    if (chunk.gzip !== undefined) this.#cacheSpace.drop(chunk);
    for (const kept of chunk.representations.values()) this.#cacheSpace.drop(kept);
    chunk.supersede();
  }
}

/** How many chunks begin at or before `key`. */
function chunkBehind(chunks: readonly Chunk[], key: Key): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = chunks[middle]?.entries[0];
    if (first !== undefined && first.key <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first entry at or behind `key`. */
function lowerBound(entries: readonly Entry[], key: Key): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && entry.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first entry at or behind `key`. */
export function locate(chunks: readonly Chunk[], key: Key): Position {
  const chunk = Math.max(0, chunkBehind(chunks, key) - 1);
  const entries = chunks[chunk]?.entries;
  if (entries === undefined) return { chunk: chunks.length, index: 0 };
  const index = lowerBound(entries, key);
  return index < entries.length ? { chunk, index } : { chunk: chunk + 1, index: 0 };
}
