/** What chunks remember of derived forms: how it stays within the budget, and how it outlives a write. */
import { ChunkForm } from './chunk-form.ts';
import type { Chunk } from './chunk.ts';
import type { Entry } from './entry.ts';
import type { MemoBudget } from './memo-budget.ts';
import type { DerivedForm, PreparedObject } from './watch-cache.ts';

/** Keeps it within the budget; once it is forgotten, the chunk starts anew. Again after what it remembers has grown. */
export function keepForm(memos: MemoBudget, chunk: Chunk, form: DerivedForm, kept: ChunkForm): void {
  memos.keep(kept, kept.bytes, () => chunk.forgetForm(form, kept));
}

/** What the chunk remembers of the form, from now on; undefined when it has nothing and may begin nothing. */
export function formIn(chunk: Chunk, form: DerivedForm): ChunkForm | undefined {
  const kept = chunk.forms.get(form);
  if (kept !== undefined || chunk.isSuperseded) return kept;
  const begun = new ChunkForm(new Array<undefined>(chunk.entries.length).fill(undefined));
  chunk.setForm(form, begun);
  return begun;
}

/** One of its objects. */
export function preparedIn(memos: MemoBudget, chunk: Chunk, form: DerivedForm, index: number): PreparedObject | undefined {
  const kept = formIn(chunk, form);
  const known = kept?.prepared(index);
  if (kept !== undefined && known !== undefined) {
    memos.touch(kept);
    return known;
  }
  const entry = chunk.entries[index];
  if (kept === undefined || entry === undefined) return undefined;
  const object = form.prepare(entry.listForm);
  kept.prepare(index, object);
  keepForm(memos, chunk, form, kept);
  return object;
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
