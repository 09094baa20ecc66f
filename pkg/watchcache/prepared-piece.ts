import type { DerivedPiece, Remembered, Run } from './derived-piece.ts';
import { madeAtOnce, madeInSlices, wholeChunk } from './derived-piece.ts';
import { type DeflatedBlock, deflateBlock } from './deflated-block.ts';
import { deflateChunk, keepForm, prepareEntry, preparedIn } from './kept-forms.ts';
import type { Slice } from './slice.ts';
import type { CachedObject, PreparedForm, PreparedObject } from './watch-cache.ts';

const COMMA = 0x2c;

/** A run of objects in a form that is put together for each answer. */
export class PreparedPiece implements DerivedPiece {
  readonly isBare = false;
  readonly #run: Run;
  readonly #form: PreparedForm;
  readonly #remembered: Remembered;
  #prepared: readonly PreparedObject[] | undefined;

  constructor(run: Run, form: PreparedForm, remembered: Remembered) {
    this.#run = run;
    this.#form = form;
    this.#remembered = remembered;
  }

  async prepare(slice: Slice): Promise<void> {
    this.#prepared ??= await madeInSlices(this.#preparing(), slice);
  }

  release(): void {
    this.#prepared = undefined;
  }

  compose(): Buffer {
    return this.#composeAt(this.#form.now());
  }

  deflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    const kept = wholeChunk(this.#run)?.forms.get(this.#form);
    const block = kept?.block.at(this.#form.now());
    if (kept !== undefined && block !== undefined) this.#remembered.memos.touch(kept);
    return block;
  }

  deflate(): DeflatedBlock | Promise<DeflatedBlock> {
    const known = this.deflated();
    if (known !== undefined) return known;
    const prepared = this.#all();
    const at = this.#form.now();
    const content = this.#composeAt(at).subarray(1);
    const chunk = wholeChunk(this.#run);
    const kept = chunk === undefined ? undefined : preparedIn(chunk, this.#form);
    if (chunk === undefined || kept === undefined) return deflateBlock(content);
    const validUntil = prepared.reduce((soonest, object) => Math.min(soonest, object.validUntil(at)), Infinity);
    return deflateChunk(chunk, this.#form, kept, { content, validUntil }, this.#remembered.memos);
  }

  #composeAt(at: number): Buffer {
    const { entries, from, to } = this.#run;
    return composeAll(entries.slice(from, to), this.#all(), at);
  }

  /** Of each object of the run. */
  #all(): readonly PreparedObject[] {
    return (this.#prepared ??= madeAtOnce(this.#preparing()));
  }

  /** Yields after each object that was not known. */
  *#preparing(): Generator<undefined, readonly PreparedObject[], undefined> {
    const { chunk, entries, from, to } = this.#run;
    const { memos, find } = this.#remembered;
    const form = this.#form;
    const kept = chunk === undefined ? undefined : preparedIn(chunk, form);
    const prepared: PreparedObject[] = [];
    let isNew = false;
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const known = kept?.known(index);
      if (known !== undefined) {
        prepared.push(known);
        continue;
      }
      if (kept === undefined) {
        prepared.push(prepareEntry(entry, find(entry), form, memos));
      } else {
        const object = form.prepare(entry.listForm);
        kept.add(index, object);
        prepared.push(object);
        isNew = true;
      }
      yield undefined;
    }
    if (chunk !== undefined && kept !== undefined) {
      if (isNew) keepForm(memos, chunk, form, kept);
      else memos.touch(kept);
    }
    return prepared;
  }
}

/** Each with a comma in front. */
export function composeAll(objects: readonly CachedObject[], prepared: readonly PreparedObject[], at: number): Buffer {
  const target = Buffer.allocUnsafeSlow(prepared.reduce((sum, { maxBytes }) => sum + 1 + maxBytes, 0));
  let offset = 0;
  for (const [index, object] of prepared.entries()) {
    const shown = objects[index];
    if (shown === undefined) continue;
    target[offset++] = COMMA;
    offset = object.writeTo(target, offset, shown.listForm, at);
  }
  return target.subarray(0, offset);
}
