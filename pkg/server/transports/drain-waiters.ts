import type { Writable } from 'node:stream';

/** Callers that wait until a connection or stream has drained or closed. */
export class DrainWaiters {
  readonly #connection: Writable;
  #waiting: (() => void)[] = [];

  constructor(connection: Writable) {
    this.#connection = connection;
    connection.on('drain', this.#wake);
    connection.on('close', this.#wake);
  }

  readonly #wake = (): void => {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };

  /** Resolves immediately when no drain is needed. */
  drained(): Promise<void> {
    if (this.#connection.destroyed || !this.#connection.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves all waiting callers. */
  release(): void {
    this.#connection.off('drain', this.#wake);
    this.#connection.off('close', this.#wake);
    this.#wake();
  }
}
