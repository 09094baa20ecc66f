/**
 * The current objects of one resource: a map for single reads, chunks in key order for lists, and an index for label
 * selectors. A snapshot freezes the list of chunks; the next write copies it first.
 */
import type { Key } from '../../storage/keys.ts';
import type { CacheBudget, CacheSpace } from '../representations/cache-budget.ts';
import type { DeflatedBlock } from '../representations/deflated-block.ts';
import type { CachedObject } from '../watch-cache.ts';
import { Chunk, type ChunkContent, fitsChunk, isSmall, splitContent } from './chunk.ts';
import { carryCaches, type EntryPosition } from './chunk-caches.ts';
import { CollectionGzipCache } from './collection-gzip-cache.ts';
import type { Entry } from './entry.ts';
import type { EntryMemory } from './entry-memory.ts';
import { LabelIndex } from './label-index.ts';

/** A position in a list of chunks. After the last entry `chunk` is the number of chunks. */
export interface ChunkPosition {
  readonly chunk: number;
  readonly index: number;
}

export class Collection {
  readonly #cacheSpace: CacheBudget;
  readonly #memory: EntryMemory;
  readonly #entries: Map<Key, Entry>;
  readonly labels = new LabelIndex();
  readonly #gzipCache = new CollectionGzipCache();
  #chunks: Chunk[];
  #isFrozen = false;
  #writes = 0;
  /** The generation of the last snapshot. */
  #snapshotAt = -1;
  #bytes: number;
  #replacedBytes = 0;

  /** Takes ownership of `entries`, which maps the entries of `chunks`. `chunks` must be in key order. */
  constructor(cacheSpace: CacheBudget, memory: EntryMemory, chunks: readonly Chunk[] = [], entries = new Map<Key, Entry>()) {
    this.#cacheSpace = cacheSpace;
    this.#memory = memory;
    this.#chunks = [...chunks];
    this.#entries = entries;
    this.#bytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Approximate size of all items. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All entries replaced or removed so far. A snapshot retains those replaced after it. */
  get replacedBytes(): number {
    return this.#replacedBytes;
  }

  /** Changes with every write. */
  get generation(): number {
    return this.#writes;
  }

  get(key: Key): Entry | undefined {
    return this.#entries.get(key);
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** The current chunks. The returned list never changes. */
  freeze(): readonly Chunk[] {
    this.#isFrozen = true;
    this.#snapshotAt = this.#writes;
    return this.#chunks;
  }

  /** The gzip block of all objects, after enough lists have requested it. */
  collectionGzip(cacheSpace: CacheSpace): DeflatedBlock | undefined {
    return this.#gzipCache.get(this.#chunks, cacheSpace);
  }

  /** Undefined if the object was replaced. */
  find(object: CachedObject): EntryPosition | undefined {
    const chunk = this.#chunks[this.#chunkIndex(object.key)];
    if (chunk === undefined) return undefined;
    const index = lowerBound(chunk.entries, object.key);
    return chunk.entries[index] === object ? { chunk, index } : undefined;
  }

  /** Adds `entry`, or replaces the entry with its key. */
  put(entry: Entry): void {
    const previous = this.#entries.get(entry.key);
    const at = this.#chunkIndex(entry.key);
    const chunk = this.#chunks[at];
    this.#entries.set(entry.key, entry);
    this.#count(entry, previous);
    if (previous !== undefined) this.labels.remove(previous);
    this.labels.add(entry);
    if (chunk === undefined) {
      this.#replace(at, 0, [this.#chunk({ entries: [entry], bytes: entry.size + 1 })]);
      return;
    }
    const index = lowerBound(chunk.entries, entry.key);
    const isAppend = index === chunk.entries.length && at === this.#chunks.length - 1;
    if (isAppend && !fitsChunk(index + 1, chunk.bytes + entry.size + 1)) {
      // Splitting in the middle would leave half-full chunks if keys only increase.
      this.#replace(at + 1, 0, [this.#chunk({ entries: [entry], bytes: entry.size + 1 })]);
      return;
    }
    const entries = chunk.entries.toSpliced(index, previous === undefined ? 0 : 1, entry);
    const bytes = chunk.bytes + entry.size + 1 - (previous === undefined ? 0 : previous.size + 1);
    this.#rewrite(at, { entries, bytes });
  }

  remove(key: Key): void {
    const previous = this.#entries.get(key);
    const at = this.#chunkIndex(key);
    const chunk = this.#chunks[at];
    if (previous === undefined || chunk === undefined) return;
    this.#entries.delete(key);
    this.#count(undefined, previous);
    this.labels.remove(previous);
    const entries = chunk.entries.toSpliced(lowerBound(chunk.entries, key), 1);
    this.#rewrite(at, { entries, bytes: chunk.bytes - previous.size - 1 });
  }

  /** Frees packed blocks and caches after another collection has replaced this one. */
  supersede(): void {
    this.#gzipCache.clear(this.#cacheSpace);
    for (const chunk of this.#chunks) chunk.supersede(this.#cacheSpace);
  }

  #count(entry: Entry | undefined, previous: Entry | undefined): void {
    this.#bytes += (entry?.size ?? 0) - (previous?.size ?? 0);
    this.#replacedBytes += previous?.size ?? 0;
    // This write creates the next generation.
    entry?.added(this.#writes + 1);
    previous?.removed(this.#snapshotAt);
  }

  /** The index of the chunk that `key` belongs to: the last one that begins at or before it. */
  #chunkIndex(key: Key): number {
    return Math.max(0, countChunksUpTo(this.#chunks, key) - 1);
  }

  #chunk(content: ChunkContent): Chunk {
    return new Chunk(content, this.#memory);
  }

  /** Replaces the chunk at `at` by as many as its new content needs. */
  #rewrite(at: number, content: ChunkContent): void {
    const parts = content.entries.length === 0 ? [] : splitContent(content);
    const merged = isSmall(content) && parts.length === 1 ? this.#merged(at, content) : undefined;
    if (merged !== undefined) this.#replace(merged.from, 2, [this.#chunk(merged)]);
    else {
      const chunks = parts.map((part) => this.#chunk(part));
      this.#replace(at, 1, chunks);
    }
  }

  /** Merges with an adjacent chunk, if both are small. */
  #merged(at: number, content: ChunkContent): (ChunkContent & { readonly from: number }) | undefined {
    const before = this.#chunks[at - 1];
    const after = this.#chunks[at + 1];
    if (before !== undefined && isSmall(before)) {
      return { from: at - 1, entries: [...before.entries, ...content.entries], bytes: before.bytes + content.bytes };
    }
    if (after !== undefined && isSmall(after)) {
      return { from: at, entries: [...content.entries, ...after.entries], bytes: content.bytes + after.bytes };
    }
    return undefined;
  }

  #replace(at: number, count: number, chunks: readonly Chunk[]): void {
    if (this.#isFrozen) {
      this.#chunks = this.#chunks.slice();
      this.#isFrozen = false;
    }
    this.#writes++;
    this.#gzipCache.clear(this.#cacheSpace);
    const replaced = this.#chunks.splice(at, count, ...chunks);
    if (replaced.some(({ caches }) => caches.size > 0)) carryCaches(replaced, chunks, this.#cacheSpace);
    for (const old of replaced) old.supersede(this.#cacheSpace);
  }
}

/** The number of chunks that begin at or before `key`. */
function countChunksUpTo(chunks: readonly Chunk[], key: Key): number {
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

/** The index of the first entry at or after `key`. */
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

/** The position of the first entry at or after `key`. */
export function locate(chunks: readonly Chunk[], key: Key): ChunkPosition {
  const chunk = Math.max(0, countChunksUpTo(chunks, key) - 1);
  const entries = chunks[chunk]?.entries;
  if (entries === undefined) return { chunk: chunks.length, index: 0 };
  const index = lowerBound(entries, key);
  return index < entries.length ? { chunk, index } : { chunk: chunk + 1, index: 0 };
}
