/**
 * Detects dead servers: those whose key did not change for their timeout, on the clock of the observer. Clocks are not
 * compared. Time in which the observer itself could not read the store does not count, since others may not have been
 * able to write either.
 */
import type { Revision } from '../../storage/backend.ts';
import type { SeenServer } from './server-key.ts';

export interface LivenessOptions {
  /** Interval of calls of `look`. */
  readonly everyMs: number;
  /** Default for keys without a timeout. */
  readonly timeoutMs: number;
}

export class Liveness {
  readonly #options: LivenessOptions;
  #seen = new Map<string, { readonly revision: Revision; readonly sinceMs: number }>();
  #lastMs: number | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** Returns the dead servers. `nowMs` must be monotonic. */
  look(servers: readonly SeenServer[], nowMs: number): readonly SeenServer[] {
    const before = this.#lastMs === undefined || nowMs - this.#lastMs > 2 * this.#options.everyMs ? undefined : this.#seen;
    this.#lastMs = nowMs;
    this.#seen = new Map();
    return servers.filter(({ id, revision, heartbeat }) => {
      const known = before?.get(id);
      const sinceMs = known?.revision === revision ? known.sinceMs : nowMs;
      this.#seen.set(id, { revision, sinceMs });
      return nowMs - sinceMs >= (heartbeat?.timeoutMs ?? this.#options.timeoutMs);
    });
  }
}
