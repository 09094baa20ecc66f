import { type Backend, NO_REVISION } from '../storage/backend.ts';
import type { Progress } from './progress.ts';

const MAX_IN_FLIGHT = 4;
/** A read whose cache does not catch up in this time reads the backend. */
export const FRESHNESS_TIMEOUT_MS = 3000;

interface Check {
  readonly promise: Promise<boolean>;
  readonly resolve: (isFresh: boolean) => void;
}

/**
 * Asks how new the store is, for reads that must see every write acknowledged before them. Reads of one turn of the
 * loop share a question, which is asked after they arrived; at most four are under way, and while they are, later reads
 * share the next one.
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

  /** False: not within 3 s, the store did not say, or `signal` aborted. */
  isFresh(signal?: AbortSignal): Promise<boolean> {
    const check = this.#shared();
    return signal === undefined ? check : unlessAborted(check, signal);
  }

  /** Of this turn of the loop. Never rejects. */
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
    void this.#ask().then(check.resolve);
  }

  async #ask(): Promise<boolean> {
    this.#inFlight++;
    const shown = this.#progress.isLive ? this.#progress.revision : NO_REVISION;
    const revision = await this.#backend.currentRevision().catch(() => undefined);
    this.#inFlight--;
    this.#start();
    // A store that went back was replaced by an older state of it, which the cache is about to hear.
    return revision !== undefined && revision >= shown && this.#progress.reached(revision, FRESHNESS_TIMEOUT_MS);
  }
}

/** A reader that has left is not kept for as long as the others wait. */
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
