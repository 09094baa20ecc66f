import type { WatchBatch } from '../storage/backend.ts';

/**
 * A watch of the backend that is opened before anybody reads it; what comes meanwhile waits in the backend's hands. For
 * the first fill: of a watch that begins in the past etcd thinks only every 100 ms, and the fill takes as long.
 */
export class PrefetchedWatch implements AsyncIterable<WatchBatch> {
  readonly #ending = new AbortController();
  readonly #batches: AsyncIterator<WatchBatch>;
  readonly #first: Promise<IteratorResult<WatchBatch>>;

  /** `open` is given the signal that ends it; `closing` does as well. */
  constructor(open: (signal: AbortSignal) => AsyncIterable<WatchBatch>, closing: AbortSignal) {
    this.#batches = open(AbortSignal.any([closing, this.#ending.signal]))[Symbol.asyncIterator]();
    this.#first = this.#batches.next();
    // Its failure is thrown where it is read.
    this.#first.catch(() => undefined);
  }

  /** To be read once. Throws what the watch throws; whoever stops reading ends it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WatchBatch> {
    try {
      for (let next = await this.#first; next.done !== true; next = await this.#batches.next()) yield next.value;
    } finally {
      await this.close();
    }
  }

  /** Whoever reads it sees the end. */
  end(): void {
    this.#ending.abort();
  }

  /** Ends it, read or not, and leaves nothing behind. May be called twice. */
  async close(): Promise<void> {
    this.end();
    await this.#first.catch(() => undefined);
    await this.#batches.return?.();
  }
}
