/**
 * Whether it is still the same store that answers. Remembers the cluster id and the highest revision that etcd has
 * answered with or told a watch of; another id, a lower revision than was known when the question was asked, or another
 * history than a watch has seen, is a restored or replaced etcd: nothing read before may be true.
 *
 * Each such discovery starts a new *epoch*. Watches of an earlier epoch end with `Replaced`.
 */
import { StorageError } from '../errors.ts';
import type { EtcdLog } from './options.ts';
import type { Header } from './wire.ts';

/** What was known when a question was asked; its answer is held against it. */
export interface Known {
  readonly epoch: AbortSignal;
  readonly highest: number;
}

export class StoreIdentity {
  readonly #log: EtcdLog;
  #clusterId = '';
  #highest = 0;
  #epoch = new AbortController();
  #notReady: string | undefined;
  #untold: StorageError | undefined;
  /** Watches that run, and end when another store answers. */
  watchers = 0;

  constructor(log: EtcdLog) {
    this.#log = log;
  }

  get clusterId(): string {
    return this.#clusterId;
  }

  /** Set from the discovery of another store until a watch runs on it: what hangs on the watch was then read anew. */
  get notReady(): string | undefined {
    return this.#notReady;
  }

  /** Aborts, with a `Replaced` error as its reason, when another store answers. */
  get epoch(): AbortSignal {
    return this.#epoch.signal;
  }

  /**
   * The discovery of another store of which no watch could be told, because none ran. The next one must not start: what
   * it continues may have been read from the former store.
   */
  takeUntold(): StorageError | undefined {
    const untold = this.#untold;
    this.#untold = undefined;
    return untold;
  }

  known(): Known {
    return { epoch: this.#epoch.signal, highest: this.#highest };
  }

  /**
   * For answers that are linearizable: none may be older than what was known before the question. False when this one
   * is, which the caller then has confirmed by a new question. Throws Replaced.
   */
  accepts(known: Known, { clusterId, revision }: Header): boolean {
    if (known.epoch.aborted) throw toReplaced(known.epoch.reason);
    this.checkCluster(clusterId);
    if (revision < known.highest) return false;
    if (revision > this.#highest) this.#highest = revision;
    return true;
  }

  /**
   * A second answer was too old as well, so it is no member that lags but another state of the store. Throws Replaced.
   */
  confirm(known: Known, { clusterId, revision }: Header): never {
    if (known.epoch.aborted) throw toReplaced(known.epoch.reason);
    this.#replace(clusterId, revision, `its revision went back from ${known.highest} to ${revision}`);
  }

  /** A watch of this epoch has been told of what this store says never was. Throws Replaced. */
  contradict(epoch: AbortSignal, how: string): never {
    if (epoch.aborted) throw toReplaced(epoch.reason);
    this.#replace(this.#clusterId, 0, how);
  }

  /**
   * A watch of this epoch has told of everything up to `revision`: whoever asks from now on is answered with no less. A
   * server that only listens for a while would otherwise take a store that was restored meanwhile for its own.
   */
  heard(epoch: AbortSignal, revision: number): void {
    if (epoch === this.#epoch.signal && revision > this.#highest) this.#highest = revision;
  }

  /** For answers of one member that may lag behind the others. Throws Replaced. */
  checkCluster(clusterId: string): void {
    if (this.#clusterId === '') this.#clusterId = clusterId;
    else if (clusterId !== this.#clusterId) this.#replace(clusterId, 0, `its cluster id changed from ${this.#clusterId} to ${clusterId}`);
  }

  /** A watch of this epoch runs. */
  watched(epoch: AbortSignal): void {
    if (epoch === this.#epoch.signal) this.#notReady = undefined;
  }

  #replace(clusterId: string, revision: number, how: string): never {
    const error = new StorageError('Replaced', `etcd was restored or replaced: ${how}`);
    this.#clusterId = clusterId;
    this.#highest = revision;
    this.#notReady = `etcd was restored or replaced (${how}); reading everything anew`;
    this.#log.error(`etcd was restored or replaced: ${how}. All watches end and everything is read anew.`);
    this.#untold = this.watchers === 0 ? error : undefined;
    const before = this.#epoch;
    this.#epoch = new AbortController();
    before.abort(error);
    throw error;
  }
}

/** A fresh error per thrower, so that each has its own stack. */
export const toReplaced = (reason: unknown): StorageError =>
  new StorageError('Replaced', reason instanceof Error ? reason.message : 'etcd was restored or replaced', { cause: reason });
