import { indexableLabels, type ParsedLabelSelector } from '../../apimachinery/selectors/selector.ts';
import type { Entry } from './entry.ts';
import { labelOf } from '../selection.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';

/** Lists select by few labels. The limit prevents clients that use ever new labels from growing the index. */
const MAX_INDEXED_KEYS = 16;
/** Entries indexed between two checks of the clock. */
const WALK_STEP = 512;

type Postings = Map<string, Set<Entry>>;

export interface Candidates {
  readonly count: number;
  readonly sets: readonly ReadonlySet<Entry>[];
}

/**
 * Entries by label value, for labels used in selectors. A label is indexed on first use, by a scan that yields, and
 * then updated by every write. So the cost of a write depends only on the number of indexed labels.
 */
export class LabelIndex {
  /** In order of use. */
  readonly #keys = new Map<string, Postings>();
  /** Labels that are being indexed; writes update them too. */
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

  /** A superset of the matches, unordered. Undefined without an equality or `in`, or before labels are indexed. */
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

  /** Indexes the selector's labels. `entries` need not be a snapshot. */
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
