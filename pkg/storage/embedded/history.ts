/**
 * The retained history. It is limited by age, by size and by `compact`. Entries are dropped in small steps within the
 * transactions of writes, because dropping many at once would block the process.
 *
 * Reads below `oldest` fail as soon as it advances, before the entries are dropped. A running range pins its revision,
 * which keeps the entries that it needs.
 */
import { toRevision, type Revision } from '../backend.ts';
import { StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
import type { Head } from './encoding.ts';
import type { HistoryRecord, Tables } from './tables.ts';

interface HistoryLimits {
  readonly maxBytes: number;
  readonly ms: number;
}

export class History {
  readonly #tables: Tables;
  readonly #limits: HistoryLimits;
  #oldest: Revision;
  #dropped: Revision;
  #bytes: number;
  /** Revisions up to this one are dropped, even when the history is small. */
  #target: Revision;
  /** The published revision at past times, oldest first, which gives the age of history. Lost at a restart. */
  readonly #samples: { readonly time: number; readonly revision: Revision }[] = [];
  readonly #pins = new Map<symbol, Revision>();

  constructor(tables: Tables, limits: HistoryLimits) {
    this.#tables = tables;
    this.#limits = limits;
    const { oldest, dropped, bytes } = tables.historyRecord();
    this.#oldest = this.#target = oldest;
    this.#dropped = dropped;
    this.#bytes = bytes;
  }

  get oldest(): Revision {
    return this.#oldest;
  }

  get record(): HistoryRecord {
    return { oldest: this.#oldest, dropped: this.#dropped, bytes: this.#bytes };
  }

  /** Throws Compacted. */
  assertReadable(revision: Revision): void {
    if (revision < this.#oldest) {
      throw new StorageError('Compacted', `Revision ${revision} is compacted: the oldest readable one is ${this.#oldest}.`);
    }
  }

  /** Accounts for the replacement of `before` by `head`. */
  superseded(before: Head | undefined, head: Head): void {
    if (head.deleted) this.#bytes += head.bytes;
    if (before !== undefined && !before.deleted) this.#bytes += before.bytes;
  }

  /** Keeps everything that a read at `revision` needs, until the returned function is called. */
  pin(revision: Revision): () => void {
    const pin = Symbol('pin');
    this.#pins.set(pin, revision);
    return () => void this.#pins.delete(pin);
  }

  compact(upTo: Revision): void {
    this.#oldest = toRevision(Math.max(this.#oldest, upTo));
    this.#target = toRevision(Math.max(this.#target, upTo));
  }

  /** Called periodically: samples the revision, and marks history as expired. */
  tick(now: number, published: Revision): void {
    if (this.#samples.at(-1)?.revision !== published) this.#samples.push({ time: now, revision: published });
    const fresh = this.#samples.findIndex(({ time }) => time > now - this.#limits.ms);
    const aged = this.#samples.splice(0, fresh === -1 ? this.#samples.length : fresh).at(-1);
    if (aged !== undefined) this.#target = toRevision(Math.max(this.#target, aged.revision));
  }

  /** True when there are entries to drop. */
  isDue(published: Revision): boolean {
    return this.#dropped < this.#bound(published) && this.#isDroppable(toRevision(this.#dropped + 1));
  }

  /** Drops at most `budget` revisions, within the transaction of this tick. */
  drop(published: Revision, budget: number, heads: Map<Key, Head>): void {
    const bound = this.#bound(published);
    for (const { revision, bytes, entry } of this.#tables.logEntries(this.#dropped, bound, budget)) {
      if (!this.#isDroppable(revision)) return;
      if (entry.previous !== 0) {
        this.#tables.dropSuperseded(entry.id, entry.previous);
        this.#bytes -= entry.previousBytes;
      }
      if (entry.value === undefined && heads.get(entry.key)?.revision === revision) {
        this.#tables.dropDeleted(entry.key, revision);
        heads.delete(entry.key);
        this.#bytes -= bytes;
      }
      this.#dropped = revision;
      this.#oldest = toRevision(Math.max(this.#oldest, revision));
    }
  }

  #isDroppable(revision: Revision): boolean {
    return revision <= this.#target || this.#bytes > this.#limits.maxBytes;
  }

  #bound(published: Revision): Revision {
    return toRevision(Math.min(published, ...this.#pins.values()));
  }
}
