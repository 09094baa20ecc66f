/**
 * What of the past may still be read, and when it goes. History ends after a time or at a number of bytes, whichever
 * comes first, or where `compact` says. It goes in small slices inside the transactions of the writes: dropping much at
 * once would stop the process.
 *
 * `oldest` is refused below as soon as it moves; the entries follow. A range that is under way pins its revision, and
 * nothing that it needs is dropped before it is done.
 */
import { toRevision, type Revision } from '../backend.ts';
import { StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
import type { Head } from './encoding.ts';
import type { HistoryRecord, Tables } from './tables.ts';

export interface HistoryLimits {
  readonly maxBytes: number;
  readonly ms: number;
}

export class History {
  readonly #tables: Tables;
  readonly #limits: HistoryLimits;
  #oldest: Revision;
  #dropped: Revision;
  #bytes: number;
  /** Everything up to this may go, however small the history. */
  #target: Revision;
  /**
   * When the store was seen at which revision, oldest first: the age of a revision. A restart makes all history new.
   */
  readonly #marks: { readonly time: number; readonly revision: Revision }[] = [];
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
      throw new StorageError('Compacted', `Revision ${revision} is gone: the oldest that can be read is ${this.#oldest}.`);
    }
  }

  /** A key's revision gave way to `head`. */
  superseded(before: Head | undefined, head: Head): void {
    if (head.deleted) this.#bytes += head.bytes;
    if (before !== undefined && !before.deleted) this.#bytes += before.bytes;
  }

  /** Until the returned function is called, all that a read at `revision` needs stays. */
  pin(revision: Revision): () => void {
    const pin = Symbol('pin');
    this.#pins.set(pin, revision);
    return () => void this.#pins.delete(pin);
  }

  compact(upTo: Revision): void {
    this.#oldest = toRevision(Math.max(this.#oldest, upTo));
    this.#target = toRevision(Math.max(this.#target, upTo));
  }

  /** To be called now and then: notes the time, and lets go what has become too old. */
  tick(now: number, published: Revision): void {
    if (this.#marks.at(-1)?.revision !== published) this.#marks.push({ time: now, revision: published });
    const fresh = this.#marks.findIndex(({ time }) => time > now - this.#limits.ms);
    const aged = this.#marks.splice(0, fresh === -1 ? this.#marks.length : fresh).at(-1);
    if (aged !== undefined) this.#target = toRevision(Math.max(this.#target, aged.revision));
  }

  /** Something may be dropped now. */
  isDue(published: Revision): boolean {
    return this.#dropped < this.#bound(published) && this.#mayGo(toRevision(this.#dropped + 1));
  }

  /** Drops at most `budget` revisions, within the transaction of this turn. */
  dropSlice(published: Revision, budget: number, heads: Map<Key, Head>): void {
    const bound = this.#bound(published);
    for (const { revision, bytes, entry } of this.#tables.logEntries(this.#dropped, bound, budget)) {
      if (!this.#mayGo(revision)) return;
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

  #mayGo(revision: Revision): boolean {
    return revision <= this.#target || this.#bytes > this.#limits.maxBytes;
  }

  #bound(published: Revision): Revision {
    return toRevision(Math.min(published, ...this.#pins.values()));
  }
}
