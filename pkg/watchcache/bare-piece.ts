import type { DerivedPiece, Remembered, Run } from './derived-piece.ts';
import { madeAtOnce, madeInSlices, wholeChunk } from './derived-piece.ts';
import { type DeflatedBlock, deflateBlock } from './deflated-block.ts';
import { Element } from './element.ts';
import type { ElementChunk } from './element-chunk.ts';
import { deflateChunk, elementOf, elementsIn, keepForm } from './kept-forms.ts';
import type { Slice } from './slice.ts';
import type { BareForm } from './watch-cache.ts';

/** A run of objects in a bare form. Of a whole chunk that is known it is what the chunk remembers, as it is. */
export class BarePiece implements DerivedPiece {
  readonly isBare = true;
  readonly #run: Run;
  readonly #form: BareForm;
  readonly #remembered: Remembered;
  #bytes: Buffer | undefined;

  constructor(run: Run, form: BareForm, remembered: Remembered) {
    this.#run = run;
    this.#form = form;
    this.#remembered = remembered;
  }

  async prepare(slice: Slice): Promise<void> {
    this.#bytes ??= await madeInSlices(this.#making(), slice);
  }

  /** Its length, when that is known without making it. */
  get knownLength(): number | undefined {
    return wholeChunk(this.#run)?.bytesIn(this.#form);
  }

  /** Makes it for its length, which is known from then on. */
  async measure(slice: Slice): Promise<number> {
    await this.prepare(slice);
    const { byteLength } = this.compose();
    wholeChunk(this.#run)?.setBytesIn(this.#form, byteLength);
    return byteLength;
  }

  /** Bytes that it holds, whatever is remembered. */
  get heldBytes(): number {
    return this.#bytes?.byteLength ?? 0;
  }

  release(): void {
    this.#bytes = undefined;
  }

  compose(): Buffer {
    return (this.#bytes ??= madeAtOnce(this.#making()));
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
    const content = this.compose();
    const chunk = wholeChunk(this.#run);
    const kept = chunk === undefined ? undefined : elementsIn(chunk, this.#form);
    if (chunk === undefined || kept === undefined) return deflateBlock(content);
    return deflateChunk(chunk, this.#form, kept, { content, validUntil: Infinity }, this.#remembered.memos);
  }

  /** Yields after each object that was not known. */
  *#making(): Generator<undefined, Buffer, undefined> {
    const { chunk, entries, from, to } = this.#run;
    const { memos, find } = this.#remembered;
    const form = this.#form;
    const kept = chunk === undefined ? undefined : elementsIn(chunk, form);
    const joined = kept?.joinedRun(from, to);
    if (kept !== undefined && joined !== undefined) {
      memos.touch(kept);
      return joined;
    }
    const elements: Element[] = [];
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const known = kept?.known(index);
      const element =
        known ?? (kept === undefined ? elementOf(entry, find(entry), form, memos) : new Element(form.element(entry.listForm)));
      elements.push(element);
      if (known !== undefined) continue;
      kept?.add(index, element);
      yield undefined;
    }
    return this.#joined(kept) ?? Buffer.concat(elements.map(({ bytes }) => bytes));
  }

  /** Of all the chunk's elements side by side, unless one is unknown; what has become known is remembered. */
  #joined(kept: ElementChunk | undefined): Buffer | undefined {
    const { chunk, from, to } = this.#run;
    // Elements of a chunk that was replaced belong to another one now.
    if (chunk === undefined || kept === undefined || chunk.forms.get(this.#form) !== kept) return undefined;
    kept.join();
    keepForm(this.#remembered.memos, chunk, this.#form, kept);
    return kept.joinedRun(from, to);
  }
}
