/** Spreads what is done in the background over time, so that it leaves the processor and the store to clients. */
import type { Clock } from '../apimachinery/time/clock.ts';

export class Pace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #freeAtMs = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
  }

  /** To be awaited after each: resolves when another may be done, or when `signal` aborts. */
  async rest(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#freeAtMs = Math.max(this.#freeAtMs, now) + this.#intervalMs;
    const leftMs = this.#freeAtMs - now;
    // Timers count in milliseconds. What is too early is made up for by the next.
    if (leftMs >= 1) await this.#clock.sleep(leftMs, signal);
  }
}
