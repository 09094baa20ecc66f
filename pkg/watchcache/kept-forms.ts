/** What chunks remember of derived forms: how it stays within the budget, and how it outlives a write. */
import { type ChunkForm, PreparedChunk } from './chunk-form.ts';
import type { Chunk } from './chunk.ts';
import { type DeflatedBlock, deflateBlock } from './deflated-block.ts';
import { Element } from './element.ts';
import { ElementChunk } from './element-chunk.ts';
import type { Entry } from './entry.ts';
import type { Memos } from './memo-budget.ts';
import type { BareForm, CachedObject, DerivedForm, PreparedForm, PreparedObject } from './watch-cache.ts';

/** Where an entry is. */
export interface EntryPlace {
  readonly chunk: Chunk;
  readonly index: number;
}

/**
 * Keeps it within the budget; once it is forgotten, the chunk starts anew. Again after what it remembers has grown. Does nothing when the chunk was
 * replaced meanwhile, or has let go of it.
 */
export function keepForm(memos: Memos, chunk: Chunk, form: DerivedForm, kept: ChunkForm): void {
  if (chunk.forms.get(form) === kept) memos.keep(kept, kept.bytes, () => chunk.forgetForm(form, kept));
}

/** What the chunk remembers of the form, from now on; undefined when it was replaced. */
export function preparedIn(chunk: Chunk, form: PreparedForm): PreparedChunk | undefined {
  const kept = chunk.forms.get(form);
  if (kept instanceof PreparedChunk) return kept;
  return chunk.isSuperseded ? undefined : begin(chunk, form, new PreparedChunk(nothingOf(chunk)));
}

/** The same of a bare form. */
export function elementsIn(chunk: Chunk, form: BareForm): ElementChunk | undefined {
  const kept = chunk.forms.get(form);
  if (kept instanceof ElementChunk) return kept;
  return chunk.isSuperseded ? undefined : begin(chunk, form, new ElementChunk(nothingOf(chunk)));
}

const nothingOf = ({ entries }: Chunk): undefined[] => new Array<undefined>(entries.length).fill(undefined);

function begin<Kept extends ChunkForm>(chunk: Chunk, form: DerivedForm, kept: Kept): Kept {
  chunk.setForm(form, kept);
  return kept;
}

/** Deflates what the chunk's objects are in the form, to be kept with them as long as it is valid. */
export function deflateChunk(
  chunk: Chunk,
  form: DerivedForm,
  kept: ChunkForm,
  made: DeflatedContent,
  memos: Memos,
): Promise<DeflatedBlock> {
  const { content, validUntil } = made;
  const deflating = deflateBlock(content);
  kept.block.set(deflating, validUntil);
  deflating.then(
    (block) => {
      if (!kept.block.has(deflating)) return;
      kept.block.set(block, validUntil);
      keepForm(memos, chunk, form, kept);
    },
    () => {
      if (kept.block.has(deflating)) kept.block.set(undefined, 0);
    },
  );
  return deflating;
}

export interface DeflatedContent {
  readonly content: Buffer;
  /** Milliseconds since the epoch; Infinity: for ever. */
  readonly validUntil: number;
}

/** The entry prepared, remembered where it is. `place` undefined: it is in the cache no more, and nothing is remembered. */
export function prepareEntry(entry: CachedObject, place: EntryPlace | undefined, form: PreparedForm, memos: Memos): PreparedObject {
  const kept = place === undefined ? undefined : preparedIn(place.chunk, form);
  if (place === undefined || kept === undefined) return form.prepare(entry.listForm);
  const known = kept.known(place.index);
  if (known !== undefined) {
    memos.touch(kept);
    return known;
  }
  const object = form.prepare(entry.listForm);
  kept.add(place.index, object);
  keepForm(memos, place.chunk, form, kept);
  return object;
}

/** The same in a bare form. */
export function elementOf(entry: CachedObject, place: EntryPlace | undefined, form: BareForm, memos: Memos): Element {
  const kept = place === undefined ? undefined : elementsIn(place.chunk, form);
  if (place === undefined || kept === undefined) return new Element(form.element(entry.listForm));
  const known = kept.known(place.index);
  if (known !== undefined) {
    memos.touch(kept);
    return known;
  }
  const element = new Element(form.element(entry.listForm));
  kept.add(place.index, element);
  keepForm(memos, place.chunk, form, kept);
  return element;
}

/** `chunks` take the place of `replaced`, in the same order of keys: what is known of an entry that is in both goes over. */
export function carryForms(replaced: readonly Chunk[], chunks: readonly Chunk[], memos: Memos): void {
  const forms = new Set(replaced.flatMap((chunk) => [...chunk.forms.keys()]));
  for (const form of forms) {
    if (form.isBare === true) {
      const elements = knownOf(replaced, (chunk) => elementsIn(chunk, form));
      for (const chunk of chunks) takeOver(chunk, form, new ElementChunk(elements(chunk)), memos);
    } else {
      const objects = knownOf(replaced, (chunk) => preparedIn(chunk, form));
      for (const chunk of chunks) takeOver(chunk, form, new PreparedChunk(objects(chunk)), memos);
    }
  }
}

function takeOver(chunk: Chunk, form: DerivedForm, kept: ChunkForm & { readonly isEmpty: boolean }, memos: Memos): void {
  if (kept.isEmpty) return;
  chunk.setForm(form, kept);
  keepForm(memos, chunk, form, kept);
}

/** What is known of the entries of each of the new chunks, which are asked for in their order. */
function knownOf<Known>(
  replaced: readonly Chunk[],
  keptIn: (chunk: Chunk) => { known(index: number): Known | undefined } | undefined,
): (chunk: Chunk) => (Known | undefined)[] {
  const known: { readonly entry: Entry; readonly object: Known }[] = [];
  for (const chunk of replaced) {
    const kept = keptIn(chunk);
    for (const [index, entry] of chunk.entries.entries()) {
      const object = kept?.known(index);
      if (object !== undefined) known.push({ entry, object });
    }
  }
  let at = 0;
  return ({ entries }) =>
    entries.map((entry) => {
      for (let next = known[at]; next !== undefined && next.entry !== entry && next.entry.key <= entry.key;) next = known[++at];
      const next = known[at];
      if (next?.entry !== entry) return undefined;
      at++;
      return next.object;
    });
}
