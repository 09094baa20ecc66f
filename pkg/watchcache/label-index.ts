import { indexableLabels, type LabelSelector } from '../apimachinery/selectors/selector.ts';
import type { Entry } from './entry.ts';
import { labelOf } from './selection.ts';

/** Labels by which lists really select are few; a client that asks for ever new ones cannot make the index grow beyond this. */
const MAX_INDEXED_KEYS = 16;

type Postings = Map<string, Set<Entry>>;

/**
 * Entries by label value, for the labels that lists have asked for: a label is indexed when it is first asked for (one walk over all entries,
 * as the list without index would have cost) and kept up with every write from then on. A write costs only as much as labels are indexed.
 */
export class LabelIndex {
  /** In order of use. */
  readonly #keys = new Map<string, Postings>();

  get indexedKeys(): number {
    return this.#keys.size;
  }

  add(entry: Entry): void {
    for (const [key, postings] of this.#keys) addTo(postings, key, entry);
  }

  remove(entry: Entry): void {
    for (const [key, postings] of this.#keys) {
      const value = labelOf(entry, key);
      if (value === undefined) continue;
      const set = postings.get(value);
      set?.delete(entry);
      if (set?.size === 0) postings.delete(value);
    }
  }

  /**
   * Entries among which all matches are, in no order; undefined when the selector has no equality and no `in`. `all` is walked when
   * the label is asked for the first time.
   */
  candidates(
    selector: LabelSelector,
    all: () => Iterable<Entry>,
  ): { readonly count: number; readonly sets: readonly ReadonlySet<Entry>[] } | undefined {
    let best: { readonly count: number; readonly sets: readonly ReadonlySet<Entry>[] } | undefined;
    for (const { key, values } of indexableLabels(selector)) {
      const postings = this.#postings(key, all);
      const sets = values.flatMap((value) => postings.get(value) ?? []);
      const count = sets.reduce((sum, { size }) => sum + size, 0);
      if (best === undefined || count < best.count) best = { count, sets };
    }
    return best;
  }

  #postings(key: string, all: () => Iterable<Entry>): Postings {
    let postings = this.#keys.get(key);
    if (postings === undefined) {
      postings = new Map();
      for (const entry of all()) addTo(postings, key, entry);
      for (const oldest of this.#keys.keys()) {
        if (this.#keys.size < MAX_INDEXED_KEYS) break;
        this.#keys.delete(oldest);
      }
    } else {
      this.#keys.delete(key);
    }
    this.#keys.set(key, postings);
    return postings;
  }
}

function addTo(postings: Postings, key: string, entry: Entry): void {
  const value = labelOf(entry, key);
  if (value === undefined) return;
  const set = postings.get(value);
  if (set === undefined) postings.set(value, new Set([entry]));
  else set.add(entry);
}
