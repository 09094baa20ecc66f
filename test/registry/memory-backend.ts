/** A backend in memory, as small as the contract allows: for tests that are about what stands above a backend. */
import {
  type Backend,
  type BackendStatus,
  type CommitResult,
  type GetResult,
  NO_REVISION,
  type RangePage,
  type RangeQuery,
  type RevisedChange,
  type Revision,
  type StoredRecord,
  toRevision,
  type WatchBatch,
  type Write,
} from '../../pkg/storage/backend.ts';
import { Notifier } from '../../pkg/storage/embedded/notifier.ts';
import { StorageError } from '../../pkg/storage/errors.ts';
import type { Key } from '../../pkg/storage/keys.ts';

export class MemoryBackend implements Backend {
  /** One change for each revision from 2 on. */
  readonly #log: RevisedChange[] = [];
  readonly #newest = new Map<Key, StoredRecord>();
  readonly #changes = new Notifier();
  #revision = toRevision(1);
  #oldest = toRevision(1);
  #closed = false;

  async get(key: Key, revision = NO_REVISION): Promise<GetResult> {
    const at = this.#at(revision);
    const record = this.#state(at).get(key);
    return { revision: at, ...(record === undefined ? {} : { record }) };
  }

  async range({ start, end, limit, revision = NO_REVISION, count = false }: RangeQuery): Promise<RangePage> {
    const at = this.#at(revision);
    const all = [...this.#state(at).values()].filter(({ key }) => key >= start && key < end).sort((a, b) => (a.key < b.key ? -1 : 1));
    const records = all.slice(0, limit);
    const left = all.length - records.length;
    return { revision: at, records, more: left > 0, ...(count ? { remaining: left } : {}) };
  }

  async commit({ key, ifRevision, value }: Write): Promise<CommitResult> {
    if (this.#closed) throw new StorageError('Closed', 'closed');
    const current = this.#state(this.#revision).get(key);
    if ((current?.revision ?? NO_REVISION) !== ifRevision || (current === undefined && value === null)) {
      return { outcome: 'mismatch', revision: this.#revision, ...(current === undefined ? {} : { current }) };
    }
    const revision = toRevision(this.#revision + 1);
    this.#revision = revision;
    const record = value === null ? undefined : { key, revision, value: Buffer.from(value) };
    this.#log.push({ key, revision, ...(record && { record }) });
    if (record === undefined) this.#newest.delete(key);
    else this.#newest.set(key, record);
    this.#changes.notify();
    return { outcome: 'committed', revision };
  }

  async *watch({ from, signal }: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    for (let last = from; !signal.aborted && !this.#closed;) {
      if (last < this.#oldest - 1) throw new StorageError('Compacted', 'compacted');
      const upTo = this.#revision;
      if (upTo > last) {
        yield { revision: upTo, changes: this.#log.slice(Math.max(0, last - 1)) };
        last = upTo;
      } else await this.#changes.next(signal);
    }
  }

  async currentRevision(): Promise<Revision> {
    return this.#revision;
  }

  async compact(upTo: Revision): Promise<void> {
    if (upTo > this.#oldest) this.#oldest = upTo;
  }

  async status(): Promise<BackendStatus> {
    return { kind: 'embedded', version: 'memory', bytes: 0, alarms: [], oldestRevision: this.#oldest, clusterId: 'memory' };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#changes.notify();
  }

  #at(revision: Revision): Revision {
    if (this.#closed) throw new StorageError('Closed', 'closed');
    if (revision > this.#revision) throw new StorageError('Future', 'future');
    if (revision !== NO_REVISION && revision < this.#oldest) throw new StorageError('Compacted', 'compacted');
    return revision === NO_REVISION ? this.#revision : revision;
  }

  #state(at: Revision): ReadonlyMap<Key, StoredRecord> {
    if (at === this.#revision) return this.#newest;
    const state = new Map<Key, StoredRecord>();
    for (const { key, revision, record } of this.#log) {
      if (revision > at) break;
      if (record === undefined) state.delete(key);
      else state.set(key, record);
    }
    return state;
  }
}
