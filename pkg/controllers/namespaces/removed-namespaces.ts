import type { Clock } from '../../apimachinery/time/clock.ts';

/** How long a server may take to see that a namespace was removed. */
const MAX_CACHE_LAG_MS = 600_000;

/** The namespaces that were removed so short a time ago that servers may still create objects in them. */
export class RemovedNamespaces {
  readonly #clock: Clock;
  /** In the order of their times. */
  readonly #removedMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#removedMs.size;
  }

  add(name: string): void {
    this.#removedMs.delete(name);
    this.#removedMs.set(name, this.#clock.now());
    for (const removed of this.#removedMs.keys()) {
      if (this.has(removed)) return;
      this.#removedMs.delete(removed);
    }
  }

  has(name: string): boolean {
    return this.#clock.now() - (this.#removedMs.get(name) ?? -Infinity) <= MAX_CACHE_LAG_MS;
  }
}
