/**
 * The embedded store: a `Backend` on one LMDB file, for one process.
 *
 * `tables.ts` is the file. `commit-queue.ts` writes it, `reader.ts` and `watch.ts` read what is published, and
 * `history.ts` manages the retained history.
 */
import { mkdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { silentLog, type Log } from '../../observability/logging.ts';
import {
  toRevision,
  type Backend,
  type BackendStatus,
  type CommitResult,
  type GetResult,
  type RangePage,
  type RangeQuery,
  type Revision,
  type WatchBatch,
  type Write,
} from '../backend.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { prefixEnd, type Key } from '../keys.ts';
import { CommitQueue } from './commit-queue.ts';
import { decodeHead, type Head } from './encoding.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { freeBytes as systemFreeBytes } from './free-space.ts';
import { History } from './history.ts';
import { lockDirectory, type DirectoryLock } from './lock.ts';
import { Notifier } from './notifier.ts';
import { RecordReader } from './reader.ts';
import { MAX_KEY_BYTES, Tables } from './tables.ts';
import { watchLog } from './watch.ts';

/** Far above the largest object the server accepts. */
export const MAX_VALUE_BYTES = 16 << 20;
const DEFAULT_HISTORY_BYTES = 256 << 20;
const DEFAULT_HISTORY_MS = 5 * 60_000;
/** The resolution of the age of history. */
const AGE_STEPS = 60;

export interface EmbeddedBackendOptions {
  /** Created when missing, with access for this user only. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** Approximate limit for history, without current values. */
  readonly historyMaxBytes?: number;
  readonly historyMs?: number;
  /** Free bytes on the disk of the folder. Default: from the system. */
  readonly freeBytes?: (dir: string) => number;
  /** For the test that proves that a missing sync is detected. */
  readonly unsafeNoSync?: boolean;
}

/** Throws StorageError when the folder is in use or cannot be opened. */
export async function openEmbeddedBackend(options: EmbeddedBackendOptions): Promise<Backend> {
  const { dir } = options;
  let lock: DirectoryLock | undefined;
  try {
    makeFolder(resolve(dir));
    lock = lockDirectory(dir);
    return new EmbeddedBackend(options, lock, new Tables({ dir, noSync: options.unsafeNoSync === true }));
  } catch (error) {
    lock?.release();
    if (isStorageError(error)) throw error;
    throw new StorageError('Unreachable', `The store in ${dir} cannot be opened: ${errorMessage(error)}.`, { cause: error });
  }
}

/** Not `mkdirSync` with `recursive`, which loops forever where creating an entry fails with ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

class EmbeddedBackend implements Backend {
  readonly #dir: string;
  readonly #lock: DirectoryLock;
  readonly #tables: Tables;
  readonly #history: History;
  readonly #reader: RecordReader;
  readonly #queue: CommitQueue;
  readonly #notifier = new Notifier();
  readonly #stop = new AbortController();
  readonly #ageing: Promise<void>;
  #closing: Promise<void> | undefined;

  constructor({ dir, clock, log, historyMaxBytes, historyMs, freeBytes }: EmbeddedBackendOptions, lock: DirectoryLock, tables: Tables) {
    this.#dir = dir;
    this.#lock = lock;
    this.#tables = tables;
    const limits = { maxBytes: historyMaxBytes ?? DEFAULT_HISTORY_BYTES, ms: historyMs ?? DEFAULT_HISTORY_MS };
    this.#history = new History(tables, limits);
    const heads = readHeads(tables);
    this.#reader = new RecordReader({ tables, heads, assertOpen: () => this.#assertReadable() });
    this.#queue = new CommitQueue({
      dir,
      tables,
      heads,
      history: this.#history,
      log: log ?? silentLog,
      // The newest entry may have been dropped with the history, if it was a deletion.
      last: toRevision(Math.max(tables.lastRevision(), this.#history.record.dropped)),
      freeBytes: () => (freeBytes ?? systemFreeBytes)(dir),
      recordAt: (key, revision) => this.#reader.recordAt(key, revision),
      onPublished: () => this.#notifier.notify(),
    });
    this.#ageing = this.#age(clock, limits.ms);
  }

  async get(key: Key, revision?: Revision): Promise<GetResult> {
    this.#assertReadable();
    const at = this.#readable(revision);
    const record = key.length > MAX_KEY_BYTES ? undefined : this.#reader.recordAt(key, at);
    return { revision: at, ...(record === undefined ? {} : { record }) };
  }

  async range(query: RangeQuery): Promise<RangePage> {
    this.#assertOpen();
    const at = this.#readable(query.revision);
    const unpin = this.#history.pin(at);
    try {
      return await this.#reader.rangeAt({ ...query, start: shortStart(query.start), end: shortEnd(query.end) }, at);
    } finally {
      unpin();
    }
  }

  async commit(write: Write): Promise<CommitResult> {
    this.#assertOpen();
    if (write.key.length === 0 || write.key.length > MAX_KEY_BYTES) {
      throw new StorageError('TooLarge', `A key has 1 to ${MAX_KEY_BYTES} bytes; this one has ${write.key.length}.`);
    }
    if (write.value !== null && write.value.byteLength > MAX_VALUE_BYTES) {
      throw new StorageError('TooLarge', `A value has at most ${MAX_VALUE_BYTES} bytes; this one has ${write.value.byteLength}.`);
    }
    if (this.#queue.failure !== undefined) throw this.#queue.failure;
    return this.#queue.commit(write);
  }

  watch(query: { readonly from: Revision; readonly signal: AbortSignal }): AsyncIterable<WatchBatch> {
    return watchLog(
      {
        tables: this.#tables,
        history: this.#history,
        published: () => this.#queue.published,
        notifier: this.#notifier,
        isClosed: () => this.#closing !== undefined,
      },
      query,
    );
  }

  async currentRevision(): Promise<Revision> {
    this.#assertOpen();
    return this.#queue.published;
  }

  async compact(upTo: Revision): Promise<void> {
    this.#assertOpen();
    if (upTo > this.#queue.published) throw futureError(upTo, this.#queue.published);
    if (upTo <= this.#history.oldest) return;
    if (this.#queue.failure !== undefined) throw this.#queue.failure;
    this.#history.compact(upTo);
    await this.#queue.persistHistory();
  }

  async status(): Promise<BackendStatus> {
    this.#assertOpen();
    const { size } = await stat(join(this.#dir, 'store.mdb'));
    const failure = this.#queue.failure;
    return {
      kind: 'embedded',
      version: 'lmdb',
      bytes: size,
      alarms: failure === undefined ? [] : ['read-only'],
      oldestRevision: this.#history.oldest,
      clusterId: this.#tables.clusterId,
      ...(failure === undefined ? {} : { notReady: failure.message }),
    };
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    this.#notifier.notify();
    await this.#queue.drained();
    await this.#ageing;
    // After a failed transaction lmdb would wait forever for a sync. The file stays open until the process ends.
    if (this.#queue.failure === undefined) await this.#tables.close();
    this.#lock.release();
  }

  /** Expires history even without writes. */
  async #age(clock: Clock, historyMs: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#history.tick(clock.now(), this.#queue.published);
      this.#queue.schedule();
      await clock.sleep(historyMs / AGE_STEPS, signal);
    }
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StorageError('Closed', `The store in ${this.#dir} is closed.`);
  }

  #assertReadable(): void {
    this.#assertOpen();
    this.#tables.assertHealthy();
  }

  #readable(revision: Revision | undefined): Revision {
    const { published } = this.#queue;
    if (revision === undefined || revision === 0) return published;
    if (revision > published) throw futureError(revision, published);
    this.#history.assertReadable(revision);
    return revision;
  }
}

/** Bounds shortened to what LMDB accepts. No key is longer, so the range has the same keys. */
const shortStart = (start: Key): Key => start.slice(0, MAX_KEY_BYTES + 1) as Key;
const shortEnd = (end: Key): Key => (end.length <= MAX_KEY_BYTES ? end : prefixEnd(end.slice(0, MAX_KEY_BYTES) as Key));

const futureError = (revision: Revision, published: Revision) =>
  new StorageError('Future', `Revision ${revision} does not exist yet: the newest is ${published}.`);

/** Reads all heads. It takes a fraction of a second for 100,000 keys, because values are not read. */
function readHeads(tables: Tables): Map<Key, Head> {
  const heads = new Map<Key, Head>();
  for (const { key, value } of tables.heads('\0' as Key, '\xff'.repeat(MAX_KEY_BYTES) as Key, Number.MAX_SAFE_INTEGER)) {
    heads.set(key, decodeHead(value));
  }
  return heads;
}
