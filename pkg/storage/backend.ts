/**
 * The storage backend: an ordered key-value store with history, either etcd or the embedded store.
 *
 * Invariants, tested by `test/storage/backend-contract.ts`:
 * - Every commit makes exactly one new revision, larger than all before. Revisions are numbers up to 2^53.
 * - Nothing is visible to a reader, a watcher or the loser of a compare-and-set before it is durable.
 * - A watch delivers every change after its start, in whole revisions, in order, exactly once, or throws `Compacted`.
 */
import type { Key } from './keys.ts';
import type { PageMemory } from './page-pool.ts';

declare const revisionBrand: unique symbol;
/** A point in the history of the whole store. Zero means "none" or "current", depending on the call. */
export type Revision = number & { readonly [revisionBrand]: true };
export const toRevision = (value: number): Revision => value as Revision;
export const NO_REVISION = toRevision(0);

/** `value` may be a view into a larger buffer, and must not be modified. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  readonly value: Buffer;
}

export interface GetResult {
  /** The revision that was read. */
  readonly revision: Revision;
  readonly record?: StoredRecord;
}

export interface RangeQuery {
  /** Inclusive. */
  readonly start: Key;
  /** Exclusive. */
  readonly end: Key;
  readonly limit: number;
  /** The page ends with the record that reaches this size, so it has at least one record. */
  readonly maxBytes: number;
  /** Absent or 0: the current one, linearizable. */
  readonly revision?: Revision;
  /** Also count the keys left in the range after this page. */
  readonly count?: boolean;
  /** Optional memory for the values, which are then valid only until it is released. */
  readonly memory?: PageMemory;
}

export interface RangePage {
  readonly revision: Revision;
  readonly records: readonly StoredRecord[];
  readonly more: boolean;
  /** Keys after this page, if `count` was set. */
  readonly remaining?: number;
}

export interface Write {
  readonly key: Key;
  /** The expected revision of the key. 0: the key must be absent. */
  readonly ifRevision: Revision;
  /** `null` deletes. */
  readonly value: Uint8Array | null;
}

export type CommitResult =
  | { readonly outcome: 'committed'; readonly revision: Revision }
  /** Nothing was written. `current` is the record at `revision`, absent when the key does not exist. */
  | { readonly outcome: 'mismatch'; readonly revision: Revision; readonly current?: StoredRecord }
  /** The reply was lost, so the write may or may not have happened. */
  | { readonly outcome: 'unknown'; readonly cause: Error };

export interface Change {
  readonly key: Key;
  /** Absent: deleted. */
  readonly record?: StoredRecord;
}

/** All changes after the previous batch up to `revision`. It may be empty. */
export interface WatchBatch {
  readonly revision: Revision;
  /** In revision order. The changes of one revision are never split across batches. */
  readonly changes: readonly RevisedChange[];
}

export interface RevisedChange extends Change {
  readonly revision: Revision;
}

export interface BackendStatus {
  readonly kind: 'etcd' | 'embedded';
  readonly version: string;
  /** Set when this version is past its end of life. A clause for readyz and the log. */
  readonly endOfLife?: string;
  readonly bytes: number;
  readonly alarms: readonly string[];
  readonly oldestRevision: Revision;
  readonly clusterId: string;
  /** Set when the store cannot take writes, or was replaced. A sentence for readyz. */
  readonly notReady?: string;
}

/**
 * Whether a watch reaches `currentRevision()`, even without changes under the prefix:
 * - `whole-key-space`: yes, because the watch sees every revision;
 * - `progress`: yes, because reading the current revision makes running watches request their progress;
 * - `backend`: not always, so a consistent read must read the backend.
 */
export type Freshness = 'whole-key-space' | 'progress' | 'backend';

export interface Backend {
  /** May change later, because missing rights are detected only by a watch. Default: `whole-key-space`. */
  readonly freshness?: Freshness;
  /** `revision` absent or 0: the current one, linearizable. Throws StorageError, for example Compacted or Future. */
  get(key: Key, revision?: Revision): Promise<GetResult>;
  /** In byte order of the keys. Throws the same errors. Never holds a read transaction across an await. */
  range(query: RangeQuery): Promise<RangePage>;
  /**
   * Writes one key. Resolves once durable. A lost reply is `unknown`, and not retried. Throws StorageError only when
   * certainly nothing was written, for example TooLarge, ReadOnly or Unreachable.
   */
  commit(write: Write): Promise<CommitResult>;
  /**
   * Delivers every change after `from`, which may be in the future. Reconnects by itself. Ends without an error when
   * `signal` aborts. Throws StorageError Compacted, Replaced or Denied.
   */
  watch(query: { readonly from: Revision; readonly signal: AbortSignal }): AsyncIterable<WatchBatch>;
  /** Linearizable, and cheap enough for every read. */
  currentRevision(): Promise<Revision>;
  /** Deletes the history before `upTo`, which itself stays readable. Idempotent. */
  compact(upTo: Revision): Promise<void>;
  status(): Promise<BackendStatus>;
  /** Ends watches and waits for running calls. Idempotent. */
  close(): Promise<void>;
}
