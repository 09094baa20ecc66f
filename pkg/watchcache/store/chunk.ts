import type { ChunkCache } from '../representations/chunk-cache.ts';
import type { DeflatedBlock } from '../lists/deflated-block.ts';
import type { Entry } from './entry.ts';
import type { EntryArena } from './arena.ts';
import type { ContextFreeRepresentation, Representation } from '../watch-cache.ts';

const COMMA = 0x2c;
const NO_CACHES: ReadonlyMap<Representation, ChunkCache> = new Map();
export const MAX_CHUNK_ENTRIES = 128;
export const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * A run of neighbouring entries in key order, never changed: a write makes new chunks. Its list representation, `,a,b,c`, is packed once on demand and the
 * entries then look into it. A superseded chunk lives on in snapshots as a list of entries only.
 */
export class Chunk {
  readonly entries: readonly Entry[];
  /** Of the packed representation: every entry with a comma in front. */
  readonly bytes: number;
  readonly #arena: EntryArena;
  #packed: Buffer | undefined;
  #superseded = false;
  #gzip: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #representations: Map<Representation, ChunkCache> | undefined;
  #formBytes: Map<ContextFreeRepresentation, number> | undefined;

  /** `bytes` is `packedLength(entries)`; `packed`, when given, is the list representation into which the entries look already. */
  constructor(entries: readonly Entry[], bytes: number, arena: EntryArena, packed?: Buffer) {
    this.entries = entries;
    this.bytes = bytes;
    this.#arena = arena;
    this.#packed = packed;
  }

  get isSuperseded(): boolean {
    return this.#superseded;
  }

  /** `,a,b,c` in one Buffer; undefined when superseded. */
  pack(): Buffer | undefined {
    if (this.#superseded || this.#packed !== undefined) return this.#packed;
    const packed = this.#arena.create(this.bytes);
    let offset = 0;
    for (const entry of this.entries) {
      packed.bytes[offset] = COMMA;
      entry.moveInto(packed, offset + 1);
      offset = entry.end;
    }
    packed.close();
    this.#packed = packed.bytes;
    return this.#packed;
  }

  /** New chunks took its place. */
  supersede(): void {
    this.#superseded = true;
    this.#packed = undefined;
    this.#gzip = undefined;
    this.#representations = undefined;
  }

  /** The memo of its gzip representation. Setting it on a superseded chunk does nothing. */
  get gzip(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return this.#gzip;
  }
  set gzip(block: DeflatedBlock | Promise<DeflatedBlock> | undefined) {
    if (!this.#superseded) this.#gzip = block;
  }

  /** What is lookup of derived representations; of a superseded chunk nothing. */
  get representations(): ReadonlyMap<Representation, ChunkCache> {
    return this.#representations ?? NO_CACHES;
  }

  /** The length of all its objects in the representation, once that is known; kept as long as the chunk. */
  bytesIn(representation: ContextFreeRepresentation): number | undefined {
    return this.#formBytes?.get(representation);
  }

  setBytesIn(representation: ContextFreeRepresentation, bytes: number): void {
    (this.#formBytes ??= new Map<ContextFreeRepresentation, number>()).set(representation, bytes);
  }

  /** Does nothing to a superseded chunk. */
  setCache(representation: Representation, kept: ChunkCache): void {
    if (!this.#superseded) (this.#representations ??= new Map<Representation, ChunkCache>()).set(representation, kept);
  }

  dropCache(representation: Representation, kept: ChunkCache): void {
    if (this.#representations?.get(representation) !== kept) return;
    this.#representations.delete(representation);
    if (this.#representations.size === 0) this.#representations = undefined;
  }
}

export function packedLength(entries: readonly Entry[]): number {
  let bytes = entries.length;
  for (const entry of entries) bytes += entry.size;
  return bytes;
}

export const fitsChunk = (count: number, bytes: number): boolean => count <= 1 || (count <= MAX_CHUNK_ENTRIES && bytes <= MAX_CHUNK_BYTES);

export const isSmall = (chunk: Run): boolean => chunk.entries.length < MAX_CHUNK_ENTRIES / 4 && chunk.bytes < MAX_CHUNK_BYTES / 4;

/** Entries of one chunk, and their bytes packed. */
export interface Run {
  readonly entries: readonly Entry[];
  readonly bytes: number;
}

/** Cuts a run of entries into runs that fit: near the middle, by bytes, again and again. */
export function cutRun(run: Run): readonly Run[] {
  const { entries, bytes } = run;
  if (fitsChunk(entries.length, bytes)) return [run];
  let left = 0;
  let middle = 0;
  for (const entry of entries) {
    if (middle > 0 && left + entry.size / 2 > bytes / 2) break;
    left += entry.size + 1;
    middle++;
  }
  middle = Math.min(middle, entries.length - 1);
  const before = entries.slice(0, middle);
  const beforeBytes = packedLength(before);
  return [...cutRun({ entries: before, bytes: beforeBytes }), ...cutRun({ entries: entries.slice(middle), bytes: bytes - beforeBytes })];
}
