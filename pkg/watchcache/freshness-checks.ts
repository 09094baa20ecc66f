import { type Backend, NO_REVISION } from '../storage/backend.ts';
import type { Progress } from './progress.ts';

const MAX_IN_FLIGHT = 4;
/** A read reads the backend if the cache needs longer than this to catch up. */
export const FRESHNESS_TIMEOUT_MS = 3000;

interface Check {
  readonly promise: Promise<boolean>;
  readonly resolve: (isFresh: boolean) => void;
}

/**
 * Reads the newest revision of the store, for reads that must see all earlier acknowledged writes. Reads of one tick
 * share a check that starts after them. At most four checks run at once; meanwhile further reads share the next one.
 */
export class FreshnessChecks {
  readonly #backend: Pick<Backend, 'currentRevision'>;
  readonly #progress: Progress;
  #next: Check | undefined;
  #isDue = false;
  #inFlight = 0;

  constructor(backend: Pick<Backend, 'currentRevision'>, progress: Progress) {
    this.#backend = backend;
    this.#progress = progress;
  }

  /** False after 3 s, if the store does not answer, or if `signal` aborts. */
  isFresh(signal?: AbortSignal): Promise<boolean> {
    const check = this.#shared();
    return signal === undefined ? check : unlessAborted(check, signal);
  }

  /** The check of this tick. Never rejects. */
  #shared(): Promise<boolean> {
    if (this.#next === undefined) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#next = { promise, resolve };
      this.#isDue = false;
      setImmediate(() => {
        this.#isDue = true;
        this.#start();
      });
    }
    return this.#next.promise;
  }

  #start(): void {
    const check = this.#next;
    if (check === undefined || !this.#isDue || this.#inFlight >= MAX_IN_FLIGHT) return;
    this.#next = undefined;
    void this.#check().then(check.resolve);
  }

  async #check(): Promise<boolean> {
    this.#inFlight++;
    const shown = this.#progress.isLive ? this.#progress.revision : NO_REVISION;
    const revision = await this.#backend.currentRevision().catch(() => undefined);
    this.#inFlight--;
    this.#start();
    // A store whose revision decreased was replaced by an older state; the backend's watch will report it.
    return revision !== undefined && revision >= shown && this.#progress.reached(revision, FRESHNESS_TIMEOUT_MS);
  }
}

/** Releases an aborted reader before the check settles. */
function unlessAborted(check: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isFresh: boolean) => {
      signal.removeEventListener('abort', onAbort);
      resolve(isFresh);
    };
    const onAbort = () => settle(false);
    signal.addEventListener('abort', onAbort, { once: true });
    void check.then(settle);
  });
}
