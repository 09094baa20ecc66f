/**
 * The embedded store: the whole `Backend` on one LMDB file, for one process. Durable before it acknowledges, and before
 * any reader, watcher or loser of a compare-and-set sees it.
 *
 * `commit-queue.ts` writes, `reader.ts` and `watch.ts` read what it has published, `history.ts` says how much of the
 * past there is, `tables.ts` is the file.
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
import { errorText } from './error-text.ts';
import { freeBytes as systemFreeBytes } from './free-space.ts';
import { History } from './history.ts';
import { lockDirectory, type DirectoryLock } from './lock.ts';
import { Pulse } from './pulse.ts';
import { RecordReader } from './reader.ts';
import { MAX_KEY_BYTES, Tables } from './tables.ts';
import { watchLog } from './watch.ts';

/** Far above any object the server takes; one value must not fill a transaction. */
export const MAX_VALUE_BYTES = 16 << 20;
const DEFAULT_HISTORY_BYTES = 256 << 20;
const DEFAULT_HISTORY_MS = 5 * 60_000;
/** How finely the age of history is known. */
const AGE_STEPS = 60;

export interface EmbeddedBackendOptions {
  /** Made when missing, for this user alone. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** History that is not current data takes at most about this. */
  readonly historyMaxBytes?: number;
  readonly historyMs?: number;
  /** Bytes left on the disk of the folder; default: asks the system. */
  readonly freeBytes?: (dir: string) => number;
  /** Only for the test that shows that a store which does not sync is found out. */
  readonly unsafeNoSync?: boolean;
}

/** Throws a StorageError with one sentence when the folder is in use, or cannot be opened. */
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
    throw new StorageError('Unreachable', `The store in ${dir} cannot be opened: ${errorText(error)}.`, { cause: error });
  }
}

/**
 * Made one by one: Node's own `recursive` never returns from a parent that takes no new entries but says ENOENT, such
 * as /proc.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
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
  readonly #pulse = new Pulse();
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
      // Dropped history may have taken the newest entry with it, when that was a deletion.
      last: toRevision(Math.max(tables.lastRevision(), this.#history.record.dropped)),
      freeBytes: () => (freeBytes ?? systemFreeBytes)(dir),
      recordAt: (key, revision) => this.#reader.recordAt(key, revision),
      onPublished: () => this.#pulse.beat(),
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
        pulse: this.#pulse,
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
    this.#pulse.beat();
    await this.#queue.drained();
    await this.#ageing;
    // After a failed transaction lmdb waits for ever for what will never be synced; the kernel closes the file with the
    // process.
    if (this.#queue.failure === undefined) await this.#tables.close();
    this.#lock.release();
  }

  /** Lets history age also while nobody writes. */
  async #age(clock: Clock, historyMs: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#history.tick(clock.now(), this.#queue.published);
      this.#queue.nudge();
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

/** Bounds that LMDB takes: no key is as long, so with these a range holds the same keys. */
const shortStart = (start: Key): Key => start.slice(0, MAX_KEY_BYTES + 1) as Key;
const shortEnd = (end: Key): Key => (end.length <= MAX_KEY_BYTES ? end : prefixEnd(end.slice(0, MAX_KEY_BYTES) as Key));

const futureError = (revision: Revision, published: Revision) =>
  new StorageError('Future', `Revision ${revision} has not happened yet: the newest is ${published}.`);

/** All keys and where they stand; values are not touched, so this takes a fraction of a second for 100,000. */
function readHeads(tables: Tables): Map<Key, Head> {
  const heads = new Map<Key, Head>();
  for (const { key, value } of tables.heads('\0' as Key, '\xff'.repeat(MAX_KEY_BYTES) as Key, Number.MAX_SAFE_INTEGER)) {
    heads.set(key, decodeHead(value));
  }
  return heads;
}
