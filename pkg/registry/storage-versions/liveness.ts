/**
 * Which servers are gone: those whose key did not change for their own timeout, on the clock of this observer alone.
 * Clocks of machines are never compared, and time in which the observer could not look does not count: then the others
 * may not have been able to write either.
 */
import type { Revision } from '../../storage/backend.ts';
import type { SeenServer } from './server-key.ts';

export interface LivenessOptions {
  /** How often `look` is called. */
  readonly everyMs: number;
  /** Respected for a server whose key does not say. */
  readonly timeoutMs: number;
}

export class Liveness {
  readonly #options: LivenessOptions;
  #seen = new Map<string, { readonly revision: Revision; readonly sinceMs: number }>();
  #lastMs: number | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** What is there now. `nowMs` comes from a clock that nobody sets. */
  look(servers: readonly SeenServer[], nowMs: number): readonly SeenServer[] {
    const before = this.#lastMs === undefined || nowMs - this.#lastMs > 2 * this.#options.everyMs ? undefined : this.#seen;
    this.#lastMs = nowMs;
    this.#seen = new Map();
    return servers.filter(({ id, revision, sign }) => {
      const known = before?.get(id);
      const sinceMs = known?.revision === revision ? known.sinceMs : nowMs;
      this.#seen.set(id, { revision, sinceMs });
      return nowMs - sinceMs >= (sign?.timeoutMs ?? this.#options.timeoutMs);
    });
  }
}
