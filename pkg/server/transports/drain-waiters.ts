import type { Writable } from 'node:stream';

/** Those who wait until a connection, or a stream of one, has taken what was written, or is gone. */
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

  /** At once when nothing is waited for. */
  drained(): Promise<void> {
    if (this.#connection.destroyed || !this.#connection.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Nobody waits any longer. */
  release(): void {
    this.#connection.off('drain', this.#wake);
    this.#connection.off('close', this.#wake);
    this.#wake();
  }
}
