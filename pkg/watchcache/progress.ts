import type { Clock } from '../apimachinery/time/clock.ts';
import { NO_REVISION, type Revision } from '../storage/backend.ts';

type ProgressWaiter = (reached: boolean) => void;

/** The revision that the cache has reached, and waiters for later ones. Lost history counts as not reached. */
export class Progress {
  readonly #clock: Clock;
  /** With the awaited revisions. */
  readonly #waiters = new Map<ProgressWaiter, Revision>();
  #revision = NO_REVISION;
  #isLive = false;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** All changes up to this revision are applied. */
  get revision(): Revision {
    return this.#revision;
  }

  /** Whether the cache shows the store's state at `revision`. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** `revision` may be lower than before if the store was replaced. */
  restart(revision: Revision): void {
    this.#isLive = true;
    this.advance(revision);
  }

  advance(revision: Revision): void {
    this.#revision = revision;
    if (!this.#isLive) return;
    for (const [settle, awaited] of this.#waiters) if (awaited <= revision) settle(true);
  }

  /** `isOtherStore`: waiters fail, because future revisions of another store are unrelated. */
  lose(isOtherStore = false): void {
    this.#isLive = false;
    if (isOtherStore) this.#giveUp();
  }

  close(): void {
    this.#isLive = false;
    this.#isClosed = true;
    this.#giveUp();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** False after `timeoutMs` (Infinity: never), or if `signal` aborts, the cache closes or the store is replaced. */
  reached(revision: Revision, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#isLive && revision <= this.#revision) return Promise.resolve(true);
    if (timeoutMs <= 0 || this.#isClosed || signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = new AbortController();
      const settle: ProgressWaiter = (reached) => {
        if (!this.#waiters.delete(settle)) return;
        timer.abort();
        signal?.removeEventListener('abort', onAbort);
        resolve(reached);
      };
      const onAbort = () => settle(false);
      this.#waiters.set(settle, revision);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (timeoutMs !== Infinity) void this.#clock.sleep(timeoutMs, timer.signal).then(() => settle(false));
    });
  }

  #giveUp(): void {
    for (const settle of this.#waiters.keys()) settle(false);
  }
}
