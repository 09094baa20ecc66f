/**
 * Detects that etcd was restored or replaced, which invalidates everything read before: its cluster id changed, its
 * revision is lower than one already seen, or its history differs from what a watch delivered.
 *
 * Each detection starts a new epoch. Watches of an earlier epoch end with `Replaced`.
 */
import { StorageError } from '../errors.ts';
import type { EtcdLog } from './options.ts';
import type { Header } from './wire.ts';

/** The state at the time of a request, which its response is checked against. */
export interface Baseline {
  readonly epoch: AbortSignal;
  readonly highest: number;
}

export class StoreIdentity {
  readonly #log: EtcdLog;
  #clusterId = '';
  #highest = 0;
  #epoch = new AbortController();
  #notReady: string | undefined;
  #undelivered: StorageError | undefined;
  /** Running watches, which `Replaced` can be delivered to. */
  watchers = 0;

  constructor(log: EtcdLog) {
    this.#log = log;
  }

  get clusterId(): string {
    return this.#clusterId;
  }

  /** Set from the detection until a watch runs on the new store, by which time everything was read again. */
  get notReady(): string | undefined {
    return this.#notReady;
  }

  /** Aborts, with a `Replaced` error as its reason, when another store is detected. */
  get epoch(): AbortSignal {
    return this.#epoch.signal;
  }

  /** A detection while no watch ran. The next watch fails with it: its start may come from the old store. */
  takeUndelivered(): StorageError | undefined {
    const error = this.#undelivered;
    this.#undelivered = undefined;
    return error;
  }

  baseline(): Baseline {
    return { epoch: this.#epoch.signal, highest: this.#highest };
  }

  /**
   * Checks a linearizable response. False when it is older than the baseline, which the caller must confirm with
   * another request. Throws Replaced.
   */
  accepts(baseline: Baseline, { clusterId, revision }: Header): boolean {
    if (baseline.epoch.aborted) throw toReplaced(baseline.epoch.reason);
    this.checkCluster(clusterId);
    if (revision < baseline.highest) return false;
    if (revision > this.#highest) this.#highest = revision;
    return true;
  }

  /** Called when a second response is too old as well, so it is not just one member that lags. Throws Replaced. */
  confirm(baseline: Baseline, { clusterId, revision }: Header): never {
    if (baseline.epoch.aborted) throw toReplaced(baseline.epoch.reason);
    this.#replace(clusterId, revision, `its revision went back from ${baseline.highest} to ${revision}`);
  }

  /** Called when the store lacks a value that a watch of this epoch delivered. Throws Replaced. */
  historyDiffers(epoch: AbortSignal, how: string): never {
    if (epoch.aborted) throw toReplaced(epoch.reason);
    this.#replace(this.#clusterId, 0, how);
  }

  /**
   * A watch of this epoch has delivered everything up to `revision`, so no later response may be older. Without this a
   * server that only watches would not detect a store restored to an older state.
   */
  delivered(epoch: AbortSignal, revision: number): void {
    if (epoch === this.#epoch.signal && revision > this.#highest) this.#highest = revision;
  }

  /** For responses that are not linearizable. Throws Replaced. */
  checkCluster(clusterId: string): void {
    if (this.#clusterId === '') this.#clusterId = clusterId;
    else if (clusterId !== this.#clusterId) this.#replace(clusterId, 0, `its cluster id changed from ${this.#clusterId} to ${clusterId}`);
  }

  watchStarted(epoch: AbortSignal): void {
    if (epoch === this.#epoch.signal) this.#notReady = undefined;
  }

  #replace(clusterId: string, revision: number, how: string): never {
    const error = new StorageError('Replaced', `etcd was restored or replaced: ${how}`);
    this.#clusterId = clusterId;
    this.#highest = revision;
    this.#notReady = `etcd was restored or replaced (${how}); reading everything again`;
    this.#log.error(`etcd was restored or replaced: ${how}. All watches end and everything is read again.`);
    this.#undelivered = this.watchers === 0 ? error : undefined;
    const before = this.#epoch;
    this.#epoch = new AbortController();
    before.abort(error);
    throw error;
  }
}

/** A new error each time, so that its stack is that of the thrower. */
export const toReplaced = (reason: unknown): StorageError =>
  new StorageError('Replaced', reason instanceof Error ? reason.message : 'etcd was restored or replaced', { cause: reason });
