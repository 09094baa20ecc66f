/**
 * The one writer. Writes that wait are decided together, against the heads in memory, and put into the tables in one
 * turn: one transaction, one sync. Only when that is on disk is it published, in revision order; only then do winners
 * and losers hear of it. One transaction is under way at a time, so a failed one leaves nothing behind that rests on
 * it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../observability/logging.ts';
import { toRevision, type CommitResult, type Revision, type StoredRecord, type Write } from '../backend.ts';
import { StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
import type { Head } from './encoding.ts';
import { assertRoom } from './free-space.ts';
import type { History } from './history.ts';
import type { Tables } from './tables.ts';
import { describeWriteFailure, isFailedTransaction } from './write-failure.ts';

/** A transaction takes no more: it bounds the wait of the writers behind it. */
const BATCH_WRITES = 1_000;
const BATCH_BYTES = 32 << 20;
/**
 * History dropped with a transaction: more than the writes bring, so that it never falls behind, and little enough not
 * to be felt.
 */
const DROPS_PER_WRITE = 2;
const DROPS_PER_BATCH = 64;

export interface CommitQueueOptions {
  readonly dir: string;
  readonly tables: Tables;
  readonly heads: Map<Key, Head>;
  readonly history: History;
  readonly log: Log;
  readonly last: Revision;
  /** Asked before every transaction. */
  readonly freeBytes: () => number;
  readonly recordAt: (key: Key, revision: Revision) => StoredRecord | undefined;
  /** After `published` has moved, and after the store has become read-only. */
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
  /** The revision at which the write was refused; it may be one of the same transaction. */
  readonly at: Revision;
}

export class CommitQueue {
  readonly #options: CommitQueueOptions;
  /** Bounded by the callers: each has one write here, and the server bounds its requests. */
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

  /** The newest durable revision: all that readers and watchers may see. */
  get published(): Revision {
    return this.#published;
  }

  /** Set once a transaction has failed; the store takes no writes any more. */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  async commit(write: Write): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.nudge();
    });
  }

  /** Resolves when the history's record, as it is now, is on disk. */
  async persistHistory(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#barriers.push({ resolve, reject });
      this.nudge();
    });
  }

  /** There may be something to do: history to drop, for one. */
  nudge(): void {
    if (this.#running === undefined && this.#hasWork()) this.#running = this.#run();
  }

  /** Waits until all that was asked for has been answered. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #hasWork(): boolean {
    if (this.#waiting.length > 0 || this.#barriers.length > 0) return true;
    return this.#failure === undefined && this.#options.history.isDue(this.#published);
  }

  async #run(): Promise<void> {
    do {
      // Writers that were woken by the last transaction, or arrive in this turn, share the next one.
      await nextTurn();
      if (this.#failure !== undefined) this.#refuseAll(this.#failure);
      else await this.#runTransaction(this.#takeBatch(), this.#barriers.splice(0));
    } while (this.#hasWork());
    // In the same turn as the last look: a write that comes later starts anew.
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
      if (drops) history.dropSlice(this.#published, DROPS_PER_BATCH + DROPS_PER_WRITE * winners.length, heads);
      if (winners.length > 0 || barriers.length > 0 || drops) {
        await tables.putHistory(history.record);
        tables.refresh();
        tables.assertHealthy();
      }
    } catch (error) {
      await this.#fail(error, winners, losers);
      // Neither won nor lost: an exception, not a failed transaction, came between.
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
    while (count < this.#waiting.length && count < BATCH_WRITES && bytes < BATCH_BYTES) {
      bytes += this.#waiting[count]?.write.value?.byteLength ?? 0;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Puts the winners into the tables. Synchronous: a transaction is what one turn has put. */
  #decide(batch: readonly Waiting[], winners: Winner[], losers: Loser[]): void {
    const { tables, heads, history } = this.#options;
    for (const waiting of batch) {
      const { key, ifRevision, value } = waiting.write;
      const head = heads.get(key);
      const live = head === undefined || head.deleted ? 0 : head.revision;
      // There is nothing to delete where nothing is.
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
    const failure = new StorageError(
      'ReadOnly',
      `The store in ${dir} failed to write and takes no writes until it is restarted: ${reason}.`,
      {
        cause: error,
      },
    );
    this.#failure = failure;
    log.error(failure.message);
    tables.refresh();
    // Aborted as a whole: certainly nothing was written. Else it is in the file, synced or not, or may still get there.
    const aborted = isFailedTransaction(error) && isHealthy(tables) && tables.lastRevision() <= this.#published;
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

function isHealthy(tables: Tables): boolean {
  try {
    tables.assertHealthy();
    return true;
  } catch {
    return false;
  }
}
