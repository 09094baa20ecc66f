import type { ChunkForm } from './chunk-form.ts';
import type { Chunk } from './chunk.ts';
import { type DeflatedBlock, deflateBlock } from './deflated-block.ts';
import { formIn, keepForm } from './kept-forms.ts';
import type { MemoBudget } from './memo-budget.ts';
import type { Slice } from './slice.ts';
import type { CachedObject, DerivedForm, PreparedObject } from './watch-cache.ts';

const COMMA = 0x2c;
/** Objects outside of a chunk are put together up to these: their forms are made in one turn. */
const MAX_RUN_OBJECTS = 128;
const MAX_RUN_BYTES = 128 * 1024;

/** Neighbours in a list. */
export interface Run {
  readonly entries: readonly CachedObject[];
  readonly from: number;
  readonly to: number;
  /** Whose entries they are, when it may remember forms of them. */
  readonly chunk?: Chunk;
}

/** Pieces of at most one chunk each. */
export function* derivedPieces(runs: Iterable<Run>, form: DerivedForm, memos: MemoBudget): Generator<{ readonly derived: DerivedPiece }> {
  for (const run of runs) yield { derived: new DerivedPiece(run, form, memos) };
}

/** Objects from here and there, as runs that are not too large. */
export function* cutRuns(entries: readonly (CachedObject & { readonly size: number })[]): Generator<Run> {
  let from = 0;
  let bytes = 0;
  for (const [at, { size }] of entries.entries()) {
    if (at > from && (at - from >= MAX_RUN_OBJECTS || bytes + size > MAX_RUN_BYTES)) {
      yield { entries, from, to: at };
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < entries.length) yield { entries, from, to: entries.length };
}

/** A run of objects in a derived form. Made when it is asked for, from what its chunk remembers. */
export class DerivedPiece {
  readonly #run: Run;
  readonly #form: DerivedForm;
  readonly #memos: MemoBudget;
  #prepared: readonly PreparedObject[] | undefined;

  constructor(run: Run, form: DerivedForm, memos: MemoBudget) {
    this.#run = run;
    this.#form = form;
    this.#memos = memos;
  }

  /** Does what has to be done once for each object, in slices; `compose` and `deflate` would do it at once. */
  async prepare(slice: Slice): Promise<void> {
    if (this.#prepared !== undefined) return;
    const preparing = this.#preparing();
    for (let step = preparing.next(); ; step = preparing.next()) {
      if (step.done === true) {
        this.#prepared = step.value;
        return;
      }
      if (slice.due()) await slice.next();
    }
  }

  /** Of a bare form: the length of its objects. */
  async measure(slice: Slice): Promise<number> {
    const known = this.#isWhole ? this.#run.chunk?.bytesIn(this.#form) : undefined;
    if (known !== undefined) return known;
    await this.prepare(slice);
    const bytes = this.#all().reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    if (this.#isWhole) this.#run.chunk?.setBytesIn(this.#form, bytes);
    return bytes;
  }

  /** Bytes that it holds, whatever its chunk remembers. */
  get heldBytes(): number {
    return (this.#prepared ?? []).reduce((sum, { cost }) => sum + cost, 0);
  }

  /** Makes anew, when it is asked, what its chunk does not remember. */
  release(): void {
    this.#prepared = undefined;
  }

  /** Whether nothing stands between objects. */
  get isBare(): boolean {
    return this.#form.isBare === true;
  }

  /** `,a,b,c` as of now, or `abc` when it is bare. */
  compose(): Buffer {
    return compose(this.#run, this.#all(), this.#form);
  }

  /** What `deflate` would give, when it is known. */
  deflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    const kept = this.#isWhole ? this.#run.chunk?.forms.get(this.#form) : undefined;
    const block = kept?.blockAt(this.#form.now());
    if (kept !== undefined && block !== undefined) this.#memos.touch(kept);
    return block;
  }

  /** `a,b,c` as of now, or `abc`. The block of a whole chunk is made once and shared, as long as it would be the same. */
  deflate(): DeflatedBlock | Promise<DeflatedBlock> {
    const known = this.deflated();
    if (known !== undefined) return known;
    const { chunk } = this.#run;
    const prepared = this.#all();
    const at = this.#form.now();
    const made = deflateBlock(compose(this.#run, prepared, this.#form, at).subarray(this.isBare ? 0 : 1));
    const kept = this.#isWhole ? chunk?.forms.get(this.#form) : undefined;
    // A chunk that was replaced has given up its memos.
    if (chunk === undefined || kept === undefined || chunk.isSuperseded) return made;
    const validUntil = prepared.reduce((soonest, object) => Math.min(soonest, object.validUntil(at)), Infinity);
    kept.setBlock(made, validUntil);
    made.then(
      (block) => {
        if (!kept.hasBlock(made)) return;
        kept.setBlock(block, validUntil);
        this.#remember(kept);
      },
      () => {
        if (kept.hasBlock(made)) kept.setBlock(undefined, 0);
      },
    );
    return made;
  }

  get #isWhole(): boolean {
    const { chunk, entries, from, to } = this.#run;
    return chunk !== undefined && from === 0 && to === entries.length;
  }

  /** Of each object of the run. */
  #all(): readonly PreparedObject[] {
    if (this.#prepared !== undefined) return this.#prepared;
    const preparing = this.#preparing();
    for (let step = preparing.next(); ; step = preparing.next()) if (step.done === true) return (this.#prepared = step.value);
  }

  /** Yields after each object that was not known. */
  *#preparing(): Generator<undefined, readonly PreparedObject[], undefined> {
    const { entries, from, to } = this.#run;
    const kept = this.#kept();
    const prepared: PreparedObject[] = [];
    let isNew = false;
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const known = kept?.prepared(index);
      if (known !== undefined) {
        prepared.push(known);
        continue;
      }
      const object = this.#form.prepare(entry.listForm);
      kept?.prepare(index, object);
      prepared.push(object);
      isNew = true;
      yield undefined;
    }
    if (kept !== undefined) {
      if (isNew) this.#remember(kept);
      else this.#memos.touch(kept);
    }
    return prepared;
  }

  /** What the chunk remembers of this form, from now on; undefined when it has nothing and may begin nothing. */
  #kept(): ChunkForm | undefined {
    const { chunk } = this.#run;
    return chunk === undefined ? undefined : formIn(chunk, this.#form);
  }

  /** Unless the chunk was replaced meanwhile, or has let go of it. */
  #remember(kept: ChunkForm): void {
    const { chunk } = this.#run;
    if (chunk === undefined || chunk.isSuperseded || chunk.forms.get(this.#form) !== kept) return;
    keepForm(this.#memos, chunk, this.#form, kept);
  }
}

function compose({ entries, from }: Run, prepared: readonly PreparedObject[], form: DerivedForm, at = form.now()): Buffer {
  let maxBytes = prepared.length;
  for (const object of prepared) maxBytes += object.maxBytes;
  const target = Buffer.allocUnsafeSlow(maxBytes);
  let offset = 0;
  for (let i = 0; i < prepared.length; i++) {
    const entry = entries[from + i];
    const object = prepared[i];
    if (entry === undefined || object === undefined) continue;
    if (form.isBare !== true) target[offset++] = COMMA;
    offset = object.writeTo(target, offset, entry.listForm, at);
  }
  return target.subarray(0, offset);
}

/** The forms of a few objects, with a comma in front of each unless they are bare: for objects that are in no cache. */
export function composeObjects(objects: readonly CachedObject[], form: DerivedForm): Buffer {
  const prepared = objects.map(({ listForm }) => form.prepare(listForm));
  return compose({ entries: objects, from: 0, to: objects.length }, prepared, form);
}
