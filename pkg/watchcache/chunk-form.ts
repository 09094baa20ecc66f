import type { Chunk } from './chunk.ts';
import type { DeflatedBlock } from './deflated-block.ts';
import type { Entry } from './entry.ts';
import type { MemoBudget } from './memo-budget.ts';
import type { DerivedForm, PreparedObject } from './watch-cache.ts';

/** What the array of prepared objects costs for each of them. */
const SLOT_BYTES = 8;

/** What a chunk remembers of its objects in one derived form: each prepared, and the gzip block of all of them as long as it is valid. */
export class ChunkForm {
  readonly #objects: (PreparedObject | undefined)[];
  #preparedBytes = 0;
  #block: DeflatedBlock | Promise<DeflatedBlock> | undefined;
  #blockBytes = 0;
  #validUntil = 0;

  constructor(objects: (PreparedObject | undefined)[]) {
    this.#objects = objects;
    for (const object of objects) if (object !== undefined) this.#preparedBytes += object.cost;
  }

  /** What it costs to remember. */
  get bytes(): number {
    return this.#objects.length * SLOT_BYTES + this.#preparedBytes + this.#blockBytes;
  }

  prepared(index: number): PreparedObject | undefined {
    return this.#objects[index];
  }

  prepare(index: number, object: PreparedObject): void {
    this.#objects[index] = object;
    this.#preparedBytes += object.cost;
  }

  /** The block of the whole chunk as it is at `at`. */
  blockAt(at: number): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    return at < this.#validUntil ? this.#block : undefined;
  }

  /** Undefined: there is none after all. */
  setBlock(block: DeflatedBlock | Promise<DeflatedBlock> | undefined, validUntil: number): void {
    this.#block = block;
    this.#validUntil = validUntil;
    this.#blockBytes = block === undefined || block instanceof Promise ? 0 : block.bytes.length;
  }

  /** True while nothing newer has taken the place of what was set. */
  hasBlock(block: DeflatedBlock | Promise<DeflatedBlock>): boolean {
    return this.#block === block;
  }
}

/** Keeps it within the budget; once it is forgotten, the chunk starts anew. Again after what it remembers has grown. */
export function keepForm(memos: MemoBudget, chunk: Chunk, form: DerivedForm, kept: ChunkForm): void {
  memos.keep(kept, kept.bytes, () => chunk.forgetForm(form, kept));
}

/** `chunks` take the place of `replaced`, in the same order of keys: what is known of an entry that is in both goes over. */
export function carryForms(replaced: readonly Chunk[], chunks: readonly Chunk[], memos: MemoBudget): void {
  const forms = new Set(replaced.flatMap((chunk) => [...chunk.forms.keys()]));
  for (const form of forms) {
    const known = replaced.flatMap((chunk) => knownOf(chunk, form));
    let at = 0;
    for (const chunk of chunks) {
      const objects = chunk.entries.map((entry) => {
        for (let next = known[at]; next !== undefined && next.entry !== entry && next.entry.key <= entry.key;) next = known[++at];
        const next = known[at];
        if (next?.entry !== entry) return undefined;
        at++;
        return next.object;
      });
      const carried = new ChunkForm(objects);
      chunk.setForm(form, carried);
      keepForm(memos, chunk, form, carried);
    }
  }
}

function knownOf(chunk: Chunk, form: DerivedForm): { readonly entry: Entry; readonly object: PreparedObject }[] {
  const kept = chunk.forms.get(form);
  if (kept === undefined) return [];
  const known: { readonly entry: Entry; readonly object: PreparedObject }[] = [];
  for (const [index, entry] of chunk.entries.entries()) {
    const object = kept.prepared(index);
    if (object !== undefined) known.push({ entry, object });
  }
  return known;
}
