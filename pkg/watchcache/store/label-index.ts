import { indexableLabels, type ParsedLabelSelector } from '../../apimachinery/selectors/selector.ts';
import type { Entry } from './entry.ts';
import { labelOf } from '../selection.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';

/** Lists select by few labels; a client that asks for ever new ones cannot make the index grow beyond this. */
const MAX_INDEXED_KEYS = 16;
/** Entries indexed between two looks at the clock. */
const WALK_STEP = 512;

type Postings = Map<string, Set<Entry>>;

export interface Candidates {
  readonly count: number;
  readonly sets: readonly ReadonlySet<Entry>[];
}

/**
 * Entries by label value, for labels that lists have selected by. A label is indexed when it is first asked for, by one
 * walk over all entries that yields, and updated by every write from then on. The cost of a write grows with the number
 * of indexed labels only.
 */
export class LabelIndex {
  /** In order of use. */
  readonly #keys = new Map<string, Postings>();
  /** Labels whose walk is in progress; writes update them too. */
  readonly #inProgress = new Map<string, { readonly postings: Postings; readonly done: Promise<void> }>();

  get indexedKeys(): number {
    return this.#keys.size;
  }

  add(entry: Entry): void {
    for (const [key, postings] of this.#keys) addTo(postings, key, entry);
    for (const [key, { postings }] of this.#inProgress) addTo(postings, key, entry);
  }

  remove(entry: Entry): void {
    for (const [key, postings] of this.#keys) removeFrom(postings, key, entry);
    for (const [key, { postings }] of this.#inProgress) removeFrom(postings, key, entry);
  }

  /**
   * A superset of the matching entries, in no order. Undefined when the selector has no equality and no `in`, or its
   * labels are not indexed yet.
   */
  candidates(selector: ParsedLabelSelector): Candidates | undefined {
    let best: Candidates | undefined;
    for (const { key, values } of indexableLabels(selector)) {
      const postings = this.#keys.get(key);
      if (postings === undefined) continue;
      this.#keys.delete(key);
      this.#keys.set(key, postings);
      const sets = values.flatMap((value) => postings.get(value) ?? []);
      const count = sets.reduce((sum, { size }) => sum + size, 0);
      if (best === undefined || count < best.count) best = { count, sets };
    }
    return best;
  }

  /** Indexes the selector's labels. Iteration of `entries` need not be a snapshot. */
  async prepare(selector: ParsedLabelSelector, entries: () => Iterable<Entry>, scheduler?: Scheduler): Promise<void> {
    for (const { key } of indexableLabels(selector)) {
      if (this.#keys.has(key)) continue;
      await (this.#inProgress.get(key)?.done ?? this.#index(key, entries(), scheduler));
    }
  }

  #index(key: string, entries: Iterable<Entry>, scheduler: Scheduler | undefined): Promise<void> {
    const postings: Postings = new Map();
    const walk = async () => {
      const task = new ScheduledTask(scheduler);
      let indexed = 0;
      for (const entry of entries) {
        addTo(postings, key, entry);
        if (++indexed % WALK_STEP === 0 && task.shouldYield()) await task.yield();
      }
      this.#inProgress.delete(key);
      for (const oldest of this.#keys.keys()) {
        if (this.#keys.size < MAX_INDEXED_KEYS) break;
        this.#keys.delete(oldest);
      }
      this.#keys.set(key, postings);
    };
    const done = Promise.resolve().then(walk);
    this.#inProgress.set(key, { postings, done });
    return done;
  }
}

function addTo(postings: Postings, key: string, entry: Entry): void {
  const value = labelOf(entry, key);
  if (value === undefined) return;
  const set = postings.get(value);
  if (set === undefined) postings.set(value, new Set([entry]));
  else set.add(entry);
}

function removeFrom(postings: Postings, key: string, entry: Entry): void {
  const value = labelOf(entry, key);
  if (value === undefined) return;
  const set = postings.get(value);
  set?.delete(entry);
  if (set?.size === 0) postings.delete(value);
}
