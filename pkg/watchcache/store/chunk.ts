import { DeflateCache } from '../representations/deflate-cache.ts';
import type { RepresentationCache } from '../representations/representation-cache.ts';
import type { ContextFreeRepresentation, Representation } from '../representations/representation.ts';
import type { CacheSpace } from '../representations/cache-budget.ts';
import type { Entry } from './entry.ts';
import type { EntryMemory } from './entry-memory.ts';

const COMMA = 0x2c;
const NO_CACHES: ReadonlyMap<Representation, RepresentationCache> = new Map();
export const MAX_CHUNK_ENTRIES = 128;
export const MAX_CHUNK_BYTES = 256 * 1024;

/** Adjacent entries, and the length of their items with a comma before each. */
export interface ChunkContent {
  readonly entries: readonly Entry[];
  readonly bytes: number;
}

/**
 * Adjacent entries in key order, and their caches. Immutable: a write creates new chunks. A superseded chunk remains in
 * snapshots, without caches.
 */
export class Chunk implements ChunkContent {
  readonly entries: readonly Entry[];
  readonly bytes: number;
  /** The gzip block of the stored items. */
  readonly deflated = new DeflateCache();
  readonly #memory: EntryMemory;
  #packed: Buffer | undefined;
  #isSuperseded = false;
  #caches: Map<Representation, RepresentationCache> | undefined;
  #lengths: Map<ContextFreeRepresentation, number> | undefined;

  /** `packed`: the block that already contains the entries, with commas. */
  constructor({ entries, bytes }: ChunkContent, memory: EntryMemory, packed?: Buffer) {
    this.entries = entries;
    this.bytes = bytes;
    this.#memory = memory;
    this.#packed = packed;
  }

  get isSuperseded(): boolean {
    return this.#isSuperseded;
  }

  /** Moves the entries into one Buffer, `,a,b,c`. Undefined if superseded or the memory does not pack. */
  pack(): Buffer | undefined {
    if (this.#isSuperseded || this.#packed !== undefined) return this.#packed;
    const block = this.#memory.createBlock(this.bytes);
    if (block === undefined) return undefined;
    let offset = 0;
    for (const entry of this.entries) {
      block.bytes[offset] = COMMA;
      entry.moveTo({ bytes: block.bytes, offset: offset + 1, block });
      offset = entry.end;
    }
    block.close();
    return (this.#packed = block.bytes);
  }

  /** New chunks have replaced it. */
  supersede(cacheSpace: CacheSpace): void {
    this.#isSuperseded = true;
    this.#packed = undefined;
    this.deflated.close(cacheSpace);
    for (const cache of this.caches.values()) cache.close(cacheSpace);
    this.#caches = undefined;
  }

  /** Empty if superseded. */
  get caches(): ReadonlyMap<Representation, RepresentationCache> {
    return this.#caches ?? NO_CACHES;
  }

  /** Does nothing if superseded. */
  setCache(representation: Representation, cache: RepresentationCache): void {
    if (!this.#isSuperseded) (this.#caches ??= new Map<Representation, RepresentationCache>()).set(representation, cache);
  }

  removeCache(representation: Representation, cache: RepresentationCache): void {
    if (this.#caches?.get(representation) === cache) this.#caches.delete(representation);
  }

  /** The length of all items in the representation, once measured. Never evicted. */
  lengthIn(representation: ContextFreeRepresentation): number | undefined {
    return this.#lengths?.get(representation);
  }

  setLengthIn(representation: ContextFreeRepresentation, bytes: number): void {
    (this.#lengths ??= new Map<ContextFreeRepresentation, number>()).set(representation, bytes);
  }
}

export function lengthWithCommas(entries: readonly Entry[]): number {
  let bytes = entries.length;
  for (const entry of entries) bytes += entry.size;
  return bytes;
}

export const fitsChunk = (count: number, bytes: number): boolean => count <= 1 || (count <= MAX_CHUNK_ENTRIES && bytes <= MAX_CHUNK_BYTES);

export const isSmall = ({ entries, bytes }: ChunkContent): boolean => entries.length < MAX_CHUNK_ENTRIES / 4 && bytes < MAX_CHUNK_BYTES / 4;

/** Splits the content near the middle, by bytes, until every part fits a chunk. */
export function splitContent(content: ChunkContent): readonly ChunkContent[] {
  const { entries, bytes } = content;
  if (fitsChunk(entries.length, bytes)) return [content];
  let left = 0;
  let middle = 0;
  for (const entry of entries) {
    if (middle > 0 && left + entry.size / 2 > bytes / 2) break;
    left += entry.size + 1;
    middle++;
  }
  middle = Math.min(middle, entries.length - 1);
  const before = entries.slice(0, middle);
  const beforeBytes = lengthWithCommas(before);
  return [
    ...splitContent({ entries: before, bytes: beforeBytes }),
    ...splitContent({ entries: entries.slice(middle), bytes: bytes - beforeBytes }),
  ];
}
