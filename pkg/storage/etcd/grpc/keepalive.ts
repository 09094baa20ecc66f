/**
 * Detects a dead peer. Whatever it sends proves that it is alive, so a PING is sent only when calls wait and the peer
 * has been silent. An idle connection is pinged with its next call: etcd treats more pings than that as abuse.
 */
interface KeepaliveOptions {
  /** Silence after which a PING is due. */
  readonly afterMs: number;
  /** Further silence after which the peer is dead. */
  readonly timeoutMs: number;
}

/** Times are in milliseconds of `performance.now()`. */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #receivedMs: number;
  #pingedMs: number | undefined;

  constructor(options: KeepaliveOptions, nowMs: number) {
    this.#options = options;
    this.#receivedMs = nowMs;
  }

  received(nowMs: number): void {
    this.#receivedMs = nowMs;
    this.#pingedMs = undefined;
  }

  /** True when a PING is due, which counts as sent from then on. */
  startPing(nowMs: number): boolean {
    if (this.isPinging || nowMs < this.dueMs) return false;
    this.#pingedMs = nowMs;
    return true;
  }

  get isPinging(): boolean {
    return this.#pingedMs !== undefined;
  }

  isDead(nowMs: number): boolean {
    return this.isPinging && nowMs >= this.dueMs;
  }

  /** When the next PING is due, or the pending one times out. */
  get dueMs(): number {
    const { afterMs, timeoutMs } = this.#options;
    return this.#pingedMs === undefined ? this.#receivedMs + afterMs : this.#pingedMs + timeoutMs;
  }
}
