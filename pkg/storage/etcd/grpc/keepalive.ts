/**
 * Whether the other side still lives. Whatever it sends is a sign of life, so it is asked for one only when calls wait
 * and it has been silent; a connection without calls is asked together with its next call. More than that etcd takes
 * for an attack.
 */
export interface KeepaliveOptions {
  /** Silence after which a sign of life is asked for. */
  readonly afterMs: number;
  /** How much longer it may take. */
  readonly timeoutMs: number;
}

/** Times are milliseconds of `performance.now()`. */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #heardMs: number;
  #askedMs: number | undefined;

  constructor(options: KeepaliveOptions, nowMs: number) {
    this.#options = options;
    this.#heardMs = nowMs;
  }

  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#askedMs = undefined;
  }

  /** True, once, when it is time to ask. */
  ask(nowMs: number): boolean {
    if (this.#askedMs !== undefined || nowMs < this.dueMs) return false;
    this.#askedMs = nowMs;
    return true;
  }

  get asked(): boolean {
    return this.#askedMs !== undefined;
  }

  /** It was asked, and did not answer in time. */
  isDead(nowMs: number): boolean {
    return this.#askedMs !== undefined && nowMs >= this.dueMs;
  }

  /** When it is to be asked, or has died. */
  get dueMs(): number {
    const { afterMs, timeoutMs } = this.#options;
    return this.#askedMs === undefined ? this.#heardMs + afterMs : this.#askedMs + timeoutMs;
  }
}
