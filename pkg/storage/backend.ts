/**
 * The storage backend: a small ordered key-value store with history. Everything above it neither knows nor asks whether
 * it is etcd or the embedded store.
 *
 * Invariants, held by every backend and by the contract suite in `contract/`:
 * - every commit makes exactly one new revision, larger than all before; revisions are numbers up to 2^53;
 * - nothing is visible to a reader, a watcher or the loser of a compare-and-set before it is durable;
 * - a watch delivers every change after its start, whole revisions, in order, exactly once, or throws `Compacted`.
 */
import type { Key } from './keys.ts';
import type { PageMemory } from './page-pool.ts';

declare const revisionBrand: unique symbol;
/** A point in the history of the whole store. Zero is "none" or "now", as the call says. */
export type Revision = number & { readonly [revisionBrand]: true };
export const toRevision = (value: number): Revision => value as Revision;
export const NO_REVISION = toRevision(0);

/** A value as it was written at `revision`. `value` may be a view into a larger buffer and is never written to. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  readonly value: Buffer;
}

export interface GetResult {
  /** The revision the answer is true at. */
  readonly revision: Revision;
  readonly record?: StoredRecord;
}

export interface RangeQuery {
  /** Inclusive. */
  readonly start: Key;
  /** Exclusive. */
  readonly end: Key;
  readonly limit: number;
  /** About: at least one record is returned whatever its size, and the page ends with the record that reaches this. */
  readonly maxBytes: number;
  /** Absent or 0: now, linearizable. */
  readonly revision?: Revision;
  /** Also count the keys left in the range after this page. */
  readonly count?: boolean;
  /** Where the values may lie: they are then read until it is released, and not kept. */
  readonly memory?: PageMemory;
}

export interface RangePage {
  readonly revision: Revision;
  readonly records: readonly StoredRecord[];
  /** More keys follow the last record. */
  readonly more: boolean;
  /** Keys left after this page; only when asked for. */
  readonly remaining?: number;
}

export interface Write {
  readonly key: Key;
  /** The revision the key must have now; 0: the key must be absent. */
  readonly ifRevision: Revision;
  /** `null` deletes. */
  readonly value: Uint8Array | null;
}

export type CommitResult =
  | { readonly outcome: 'committed'; readonly revision: Revision }
  /** Nothing was written. `current` absent: the key does not exist. `revision`: what the answer is true at. */
  | { readonly outcome: 'mismatch'; readonly revision: Revision; readonly current?: StoredRecord }
  /** Written or not: the reply was lost. The caller settles it; the backend never retries. */
  | { readonly outcome: 'unknown'; readonly cause: Error };

export interface Change {
  readonly key: Key;
  /** Absent: deleted. */
  readonly record?: StoredRecord;
}

/** Everything that happened in `(previous batch's revision, revision]`. No changes: complete up to `revision`. */
export interface WatchBatch {
  readonly revision: Revision;
  /**
   * In revision order; the changes of one revision are never split across batches. `record.revision` or the batch's
   * revision tells a change's own.
   */
  readonly changes: readonly RevisedChange[];
}

export interface RevisedChange extends Change {
  readonly revision: Revision;
}

export interface BackendStatus {
  readonly kind: 'etcd' | 'embedded';
  readonly version: string;
  /** Set when this version is past its end of life: one clause for readyz and the log. */
  readonly endOfLife?: string;
  readonly bytes: number;
  readonly alarms: readonly string[];
  readonly oldestRevision: Revision;
  readonly clusterId: string;
  /** Set when the store cannot take writes or lost its identity: one sentence for readyz. */
  readonly notReady?: string;
}

/**
 * How a reader of the watch learns that it has seen everything up to `currentRevision()`:
 * - `whole-key-space`: every revision passes the watch, so it gets there by itself;
 * - `progress`: as above, a little later: asking for the current revision makes running watches report how far they are
 *   complete;
 * - `backend`: the watch may never get there. A consistent read must read the backend.
 */
export type Freshness = 'whole-key-space' | 'progress' | 'backend';

export interface Backend {
  /**
   * May change while the backend runs: rights are only known once a watch has been refused. Absent: `whole-key-space`.
   */
  readonly freshness?: Freshness;
  /** One key, exactly. `revision` absent or 0: now, linearizable. Throws Compacted, Future, Unreachable. */
  get(key: Key, revision?: Revision): Promise<GetResult>;
  /** Keys in byte order. The same errors. Never holds a read transaction across an await. */
  range(query: RangeQuery): Promise<RangePage>;
  /**
   * One key, one revision. Resolves only when durable. A lost reply is `unknown`, never an exception, never retried
   * here. Throws only when it is certain that nothing was written: TooLarge, ReadOnly, Unreachable.
   */
  commit(write: Write): Promise<CommitResult>;
  /**
   * Every change after `from`. A `from` in the future waits. Ends without throwing when `signal` aborts; throws
   * Compacted (what follows `from` is gone) or Replaced (another store, or an older state of it, answers now).
   * Reconnects by itself.
   */
  watch(query: { readonly from: Revision; readonly signal: AbortSignal }): AsyncIterable<WatchBatch>;
  /** The newest revision, read linearizably; cheap enough to ask on every read. */
  currentRevision(): Promise<Revision>;
  /** Forgets history below `upTo`. States at `upTo` and later stay readable. Compacting twice is no error. */
  compact(upTo: Revision): Promise<void>;
  status(): Promise<BackendStatus>;
  /** Ends watches, waits for what runs. May be called twice. */
  close(): Promise<void>;
}
