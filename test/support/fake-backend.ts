/**
 * A backend in memory for tests of what reads it: writes take effect at once, history is kept per key, and a test can
 * hold the watch back, break it or compact under it.
 */
import {
  type Backend,
  NO_REVISION,
  type RangePage,
  type RangeQuery,
  type RevisedChange,
  type Revision,
  type StoredRecord,
  toRevision,
  type WatchBatch,
} from '../../pkg/storage/backend.ts';
import { StorageError } from '../../pkg/storage/errors.ts';
import type { Key } from '../../pkg/storage/keys.ts';
import { encodeRecord } from '../../pkg/storage/record.ts';

const MAX_BATCH = 1000;

export class FakeBackend implements Pick<Backend, 'range' | 'watch' | 'currentRevision' | 'freshness'> {
  freshness: 'whole-key-space' | 'progress' | 'backend' = 'whole-key-space';
  readonly #log: RevisedChange[] = [];
  readonly #versions = new Map<Key, RevisedChange[]>();
  #sortedKeys: Key[] | undefined;
  #revision = toRevision(1);
  #oldest = toRevision(0);
  #isHeld = false;
  #failure: Error | undefined;
  #rangeFailure: Error | undefined;
  #waiting: (() => void)[] = [];
  /** Questions for the newest revision so far. */
  revisionQuestions = 0;
  /** Running watches. */
  watches = 0;

  get revision(): Revision {
    return this.#revision;
  }

  /** Writes a value as it is; `undefined` deletes. */
  write(key: Key, value: Buffer | undefined): Revision {
    const revision = toRevision(this.#revision + 1);
    this.#revision = revision;
    const change: RevisedChange = { key, revision, ...(value === undefined ? {} : { record: { key, revision, value } }) };
    this.#log.push(change);
    const versions = this.#versions.get(key);
    if (versions === undefined) {
      this.#versions.set(key, [change]);
      this.#sortedKeys = undefined;
    } else {
      versions.push(change);
    }
    this.#wake();
    return revision;
  }

  put(key: Key, json: string, { token = '01234567', expiresAt }: { readonly token?: string; readonly expiresAt?: number } = {}): Revision {
    return this.write(key, encodeRecord({ token, json: Buffer.from(json), ...(expiresAt === undefined ? {} : { expiresAt }) }));
  }

  delete(key: Key): Revision {
    return this.write(key, undefined);
  }

  /** The watch delivers nothing until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#wake();
  }

  /** The running watch throws this. */
  breakWatch(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  /** Every range throws this, until it is taken back. */
  failRanges(error: Error | undefined): void {
    this.#rangeFailure = error;
  }

  /** The failure has not been met yet. */
  get isBreaking(): boolean {
    return this.#failure !== undefined;
  }

  compact(upTo: Revision): void {
    this.#oldest = upTo;
    this.#wake();
  }

  async currentRevision(): Promise<Revision> {
    this.revisionQuestions++;
    return this.#revision;
  }

  async range({ start, end, limit, maxBytes, revision = NO_REVISION }: RangeQuery): Promise<RangePage> {
    if (this.#rangeFailure !== undefined) throw this.#rangeFailure;
    const at = revision === NO_REVISION ? this.#revision : revision;
    if (at < this.#oldest) throw new StorageError('Compacted', 'compacted');
    this.#sortedKeys ??= [...this.#versions.keys()].sort();
    const keys = this.#sortedKeys;
    const records: StoredRecord[] = [];
    let bytes = 0;
    for (let i = firstAtOrBehind(keys, start); i < keys.length; i++) {
      const key = keys[i];
      if (key === undefined || key >= end) break;
      const record = this.#versions.get(key)?.findLast((version) => version.revision <= at)?.record;
      if (record === undefined) continue;
      if (records.length >= limit || bytes >= maxBytes) return { revision: at, records, more: true };
      records.push(record);
      bytes += record.value.length;
    }
    return { revision: at, records, more: false };
  }

  async *watch({ from, signal }: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    this.watches++;
    try {
      for (let last = from; !signal.aborted;) {
        const failure = this.#failure;
        this.#failure = undefined;
        if (failure !== undefined) throw failure;
        if (last < this.#oldest - 1) throw new StorageError('Compacted', 'compacted');
        if (this.#isHeld || last >= this.#revision) {
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
          continue;
        }
        // One change, one revision: the log's index follows from the revision.
        const changes = this.#log.slice(last - 1, last - 1 + MAX_BATCH);
        last = changes.at(-1)?.revision ?? this.#revision;
        yield { revision: last, changes };
      }
    } finally {
      this.watches--;
      signal.removeEventListener('abort', wake);
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

function firstAtOrBehind(keys: readonly Key[], key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? key) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
