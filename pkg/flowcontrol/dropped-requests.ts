/**
 * When a client whose request was dropped should come again. Doubled while many are dropped, and lowered step by step
 * when few are.
 */
const MAX_SECONDS = 32;
/** Drops per second that are many. */
const MANY = 3;

interface Second {
  readonly second: number;
  readonly drops: number;
}

export class DroppedRequests {
  #second = 0;
  #drops = 0;
  #history: Second[] = [];
  #retryAfter = 1;
  #raisedAt = 0;

  /** Seconds. */
  get retryAfter(): number {
    return this.#retryAfter;
  }

  /** `nowMs`: since the epoch. */
  add(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) {
      this.#drops++;
      return;
    }
    this.#history.push({ second: this.#second, drops: this.#drops });
    this.#history = this.#history.filter((past) => second - past.second <= Math.min(2 * this.#retryAfter, MAX_SECONDS));
    this.#second = second;
    this.#drops = 1;
    this.#adapt(second);
  }

  #adapt(second: number): void {
    const drops = this.#history.filter((past) => second - past.second <= this.#retryAfter).reduce((sum, past) => sum + past.drops, 0);
    if (second - this.#raisedAt >= this.#retryAfter && drops >= MANY * this.#retryAfter) {
      this.#retryAfter = Math.min(2 * this.#retryAfter, MAX_SECONDS);
      this.#raisedAt = second;
    } else if (drops < this.#retryAfter && this.#retryAfter > 1) this.#retryAfter--;
  }
}
