/** A clock that stands still until a test moves it. */
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** How many wait. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { dueMs: this.#nowMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Moves time on and wakes who is due, in order. What they do next needs ticks of the event loop. */
  advance(ms: number): void {
    this.#nowMs += ms;
    for (const sleeper of [...this.#sleepers].sort((a, b) => a.dueMs - b.dueMs)) {
      if (sleeper.dueMs <= this.#nowMs) sleeper.wake();
    }
  }
}
