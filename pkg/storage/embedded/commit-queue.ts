/**
 * The single writer. Queued writes are compared with the heads in memory, and written in one transaction with one sync.
 * Its revisions are published, and its callers notified, only once it is on disk. Only one transaction runs at a time,
 * so nothing depends on one that fails.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Log } from '../../observability/logging.ts';
import { toRevision, type CommitResult, type Revision, type StoredRecord, type Write } from '../backend.ts';
import { StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
import type { Head } from './encoding.ts';
import { assertRoom } from './free-space.ts';
import type { History } from './history.ts';
import type { Tables } from './tables.ts';
import { describeWriteFailure, isFailedTransaction } from './write-failure.ts';

/** Limits of a transaction, which bound the wait of later writers. */
const MAX_BATCH_WRITES = 1_000;
const MAX_BATCH_BYTES = 32 << 20;
/** History entries dropped in a transaction: more than its writes add, but few enough to stay fast. */
const DROPS_PER_WRITE = 2;
const DROPS_PER_BATCH = 64;

interface CommitQueueOptions {
  readonly dir: string;
  readonly tables: Tables;
  readonly heads: Map<Key, Head>;
  readonly history: History;
  readonly log: Log;
  readonly last: Revision;
  /** Called before every transaction. */
  readonly freeBytes: () => number;
  readonly recordAt: (key: Key, revision: Revision) => StoredRecord | undefined;
  /** Called after `published` has advanced, and after the store has become read-only. */
  readonly onPublished: () => void;
}

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

type Barrier = Pick<Waiting, 'reject'> & { readonly resolve: () => void };

interface Winner {
  readonly waiting: Waiting;
  readonly revision: Revision;
}

interface Loser {
  readonly waiting: Waiting;
  /** The revision at which the write was refused, possibly one of the same transaction. */
  readonly at: Revision;
}

export class CommitQueue {
  readonly #options: CommitQueueOptions;
  /** Bounded, because every caller has one write here, and the server limits its requests. */
  readonly #waiting: Waiting[] = [];
  readonly #barriers: Barrier[] = [];
  #assigned: Revision;
  #published: Revision;
  #running: Promise<void> | undefined;
  #failure: StorageError | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
    this.#assigned = this.#published = options.last;
  }

  /** The newest durable revision, which readers and watchers must not exceed. */
  get published(): Revision {
    return this.#published;
  }

  /** Set once a transaction has failed. The store then refuses writes. */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  async commit(write: Write): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when the current history record is on disk. */
  async persistHistory(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#barriers.push({ resolve, reject });
      this.schedule();
    });
  }

  /** Starts to work if there is any, such as history to drop. */
  schedule(): void {
    if (this.#running === undefined && this.#hasWork()) this.#running = this.#run();
  }

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #hasWork(): boolean {
    if (this.#waiting.length > 0 || this.#barriers.length > 0) return true;
    return this.#failure === undefined && this.#options.history.isDue(this.#published);
  }

  async #run(): Promise<void> {
    do {
      // Writers that resume after the last transaction, or arrive in this tick, share the next one.
      await nextTick();
      if (this.#failure !== undefined) this.#refuseAll(this.#failure);
      else await this.#runTransaction(this.#takeBatch(), this.#barriers.splice(0));
    } while (this.#hasWork());
    // In the same tick as the last check, so that a later write starts a new run.
    this.#running = undefined;
  }

  async #runTransaction(batch: readonly Waiting[], barriers: readonly Barrier[]): Promise<void> {
    const { tables, history, heads, onPublished } = this.#options;
    const winners: Winner[] = [];
    const losers: Loser[] = [];
    try {
      tables.assertHealthy();
      assertRoom(
        this.#options.freeBytes(),
        batch.reduce((sum, { write }) => sum + (write.value?.byteLength ?? 0), 0),
      );
      this.#decide(batch, winners, losers);
      const drops = history.isDue(this.#published);
      if (drops) history.drop(this.#published, DROPS_PER_BATCH + DROPS_PER_WRITE * winners.length, heads);
      if (winners.length > 0 || barriers.length > 0 || drops) {
        await tables.putHistory(history.record);
        tables.refresh();
        tables.assertHealthy();
      }
    } catch (error) {
      await this.#fail(error, winners, losers);
      // These were not decided, because of an exception.
      for (const waiting of batch.slice(winners.length + losers.length)) waiting.reject(this.#failure);
      for (const { reject } of barriers) reject(this.#failure);
      return;
    }
    this.#published = this.#assigned;
    if (winners.length > 0) onPublished();
    for (const { waiting, revision } of winners) waiting.resolve({ outcome: 'committed', revision });
    for (const { waiting, at } of losers) this.#answerLoser(waiting, at);
    for (const { resolve } of barriers) resolve();
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && count < MAX_BATCH_WRITES && bytes < MAX_BATCH_BYTES) {
      bytes += this.#waiting[count]?.write.value?.byteLength ?? 0;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Writes the winners. Synchronous, because a transaction consists of the writes of one tick. */
  #decide(batch: readonly Waiting[], winners: Winner[], losers: Loser[]): void {
    const { tables, heads, history } = this.#options;
    for (const waiting of batch) {
      const { key, ifRevision, value } = waiting.write;
      const head = heads.get(key);
      const live = head === undefined || head.deleted ? 0 : head.revision;
      // Deleting an absent key is a mismatch.
      if (live !== ifRevision || (value === null && live === 0)) {
        losers.push({ waiting, at: this.#assigned });
        continue;
      }
      const revision = toRevision(this.#assigned + 1);
      const next = tables.append(revision, key, value, head);
      this.#assigned = revision;
      heads.set(key, next);
      history.superseded(head, next);
      winners.push({ waiting, revision });
    }
  }

  #answerLoser({ write, resolve, reject }: Waiting, at: Revision): void {
    try {
      this.#options.tables.assertHealthy();
      const current = this.#options.recordAt(write.key, at);
      resolve({ outcome: 'mismatch', revision: at, ...(current === undefined ? {} : { current }) });
    } catch (error) {
      reject(error);
    }
  }

  async #fail(error: unknown, winners: readonly Winner[], losers: readonly Loser[]): Promise<void> {
    const { dir, tables, log, onPublished } = this.#options;
    const reason = await describeWriteFailure(error);
    const message = `The store in ${dir} failed to write and takes no writes until it is restarted: ${reason}.`;
    const failure = (this.#failure = new StorageError('ReadOnly', message, { cause: error }));
    log.error(message);
    tables.refresh();
    // True when certainly nothing was written. Otherwise it may be in the file, synced or not.
    const aborted = isFailedTransaction(error) && tables.problem() === undefined && tables.lastRevision() <= this.#published;
    for (const { waiting } of winners) {
      if (aborted) waiting.reject(failure);
      else waiting.resolve({ outcome: 'unknown', cause: failure });
    }
    for (const { waiting, at } of losers) {
      if (at <= this.#published) this.#answerLoser(waiting, at);
      else waiting.reject(failure);
    }
    onPublished();
  }

  #refuseAll(failure: StorageError): void {
    const waiting = this.#waiting.splice(0);
    const barriers = this.#barriers.splice(0);
    for (const { reject } of [...waiting, ...barriers]) reject(failure);
  }
}
