import type { ChunkForm } from './chunk-form.ts';
import type { DeflatedBlock } from './deflated-block.ts';
import type { Entry } from './entry.ts';
import type { EntryBuffers } from './entry-buffers.ts';
import type { BareForm, DerivedForm } from './watch-cache.ts';

const COMMA = 0x2c;
const NO_FORMS: ReadonlyMap<DerivedForm, ChunkForm> = new Map();
export const MAX_CHUNK_ENTRIES = 128;
export const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * A run of neighbouring entries in key order, never changed: a write makes new chunks. Its list form, `,a,b,c`, is joined once on demand and the
 * entries then look into it. A superseded chunk lives on in snapshots as a list of entries only.
 */
export class Chunk {
  readonly entries: readonly Entry[];
  /** Of the joined form: every entry with a comma in front. */
  readonly bytes: number;
  readonly #buffers: EntryBuffers;
  #joined: Buffer | undefined;
  #superseded = false;
  #gzip: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #forms: Map<DerivedForm, ChunkForm> | undefined;
  #formBytes: Map<BareForm, number> | undefined;

  /** `bytes` is `joinedBytes(entries)`; `joined`, when given, is the list form into which the entries look already. */
  constructor(entries: readonly Entry[], bytes: number, buffers: EntryBuffers, joined?: Buffer) {
    this.entries = entries;
    this.bytes = bytes;
    this.#buffers = buffers;
    this.#joined = joined;
  }

  get isSuperseded(): boolean {
    return this.#superseded;
  }

  /** `,a,b,c` in one Buffer; undefined when superseded. */
  join(): Buffer | undefined {
    if (this.#superseded || this.#joined !== undefined) return this.#joined;
    const joined = this.#buffers.create(this.bytes);
    let offset = 0;
    for (const entry of this.entries) {
      joined.bytes[offset] = COMMA;
      entry.moveInto(joined, offset + 1);
      offset = entry.end;
    }
    joined.close();
    this.#joined = joined.bytes;
    return this.#joined;
  }

  /** New chunks took its place. */
  supersede(): void {
    this.#superseded = true;
    this.#joined = undefined;
    this.#gzip = undefined;
    this.#forms = undefined;
  }

  /** The memo of its gzip form. Setting it on a superseded chunk does nothing. */
  get gzip(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return this.#gzip;
  }
  set gzip(block: DeflatedBlock | Promise<DeflatedBlock> | undefined) {
    if (!this.#superseded) this.#gzip = block;
  }

  /** What is remembered of derived forms; of a superseded chunk nothing. */
  get forms(): ReadonlyMap<DerivedForm, ChunkForm> {
    return this.#forms ?? NO_FORMS;
  }

  /** The length of all its objects in the form, once that is known; kept as long as the chunk. */
  bytesIn(form: BareForm): number | undefined {
    return this.#formBytes?.get(form);
  }

  setBytesIn(form: BareForm, bytes: number): void {
    (this.#formBytes ??= new Map<BareForm, number>()).set(form, bytes);
  }

  /** Does nothing to a superseded chunk. */
  setForm(form: DerivedForm, kept: ChunkForm): void {
    if (!this.#superseded) (this.#forms ??= new Map<DerivedForm, ChunkForm>()).set(form, kept);
  }

  forgetForm(form: DerivedForm, kept: ChunkForm): void {
    if (this.#forms?.get(form) !== kept) return;
    this.#forms.delete(form);
    if (this.#forms.size === 0) this.#forms = undefined;
  }
}

export function joinedBytes(entries: readonly Entry[]): number {
  let bytes = entries.length;
  for (const entry of entries) bytes += entry.size;
  return bytes;
}

export const fitsChunk = (count: number, bytes: number): boolean => count <= 1 || (count <= MAX_CHUNK_ENTRIES && bytes <= MAX_CHUNK_BYTES);

export const isSmall = (chunk: Run): boolean => chunk.entries.length < MAX_CHUNK_ENTRIES / 4 && chunk.bytes < MAX_CHUNK_BYTES / 4;

/** Entries of one chunk, and their bytes joined. */
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
  const beforeBytes = joinedBytes(before);
  return [...cutRun({ entries: before, bytes: beforeBytes }), ...cutRun({ entries: entries.slice(middle), bytes: bytes - beforeBytes })];
}
