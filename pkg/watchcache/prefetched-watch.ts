import type { WatchBatch } from '../storage/backend.ts';

/**
 * A watch of the backend that is opened before it is read; the backend buffers its batches. Hides latency of the first
 * fill: etcd checks watches that start at an old revision only every 100 ms.
 */
export class PrefetchedWatch implements AsyncIterable<WatchBatch> {
  readonly #ending = new AbortController();
  readonly #batches: AsyncIterator<WatchBatch>;
  readonly #first: Promise<IteratorResult<WatchBatch>>;

  /** `open` receives the signal that ends the watch; `closing` ends it as well. */
  constructor(open: (signal: AbortSignal) => AsyncIterable<WatchBatch>, closing: AbortSignal) {
    this.#batches = open(AbortSignal.any([closing, this.#ending.signal]))[Symbol.asyncIterator]();
    this.#first = this.#batches.next();
    // A failure is thrown where the batch is read.
    this.#first.catch(() => undefined);
  }

  /** To be read once. Throws the watch's errors; the watch ends when the reader stops. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WatchBatch> {
    try {
      for (let next = await this.#first; next.done !== true; next = await this.#batches.next()) yield next.value;
    } finally {
      await this.close();
    }
  }

  /** Ends the watch; the reader sees the end. */
  end(): void {
    this.#ending.abort();
  }

  /** Ends the watch, whether it was read or not, and releases it. Idempotent. */
  async close(): Promise<void> {
    this.end();
    await this.#first.catch(() => undefined);
    await this.#batches.return?.();
  }
}
