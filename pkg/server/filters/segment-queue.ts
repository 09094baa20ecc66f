/** A ResponseWriter whose segments are read one by one: a queue between a writing and a reading stream. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Writers wait above this. */
const HIGH_WATER_BYTES = 256 * 1024;

export class SegmentQueue implements ResponseWriter {
  /** The final target. It is closed when the client disconnects. */
  readonly #target: ResponseWriter;
  readonly #segments: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #failure: Error | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  constructor(target: ResponseWriter) {
    this.#target = target;
  }

  get closed(): boolean {
    return this.#ended || this.#target.closed;
  }
  get queuedBytes(): number {
    return this.#bytes + this.#target.queuedBytes;
  }
  /** Why the writer failed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    this.#segments.push(bytes);
    this.#bytes += bytes.byteLength;
    this.#wakeReader?.();
    return this.#bytes < HIGH_WATER_BYTES;
  }

  drained(): Promise<void> {
    if (this.closed || this.#bytes < HIGH_WATER_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  /** No more writes will follow. */
  end(failure?: Error): void {
    this.#ended = true;
    this.#failure = failure;
    this.#wakeReader?.();
    this.#wake();
  }

  /** No more reads will follow. */
  close(): void {
    this.#ended = true;
    this.#segments.length = 0;
    this.#wake();
  }

  /**
   * The next segment; undefined at the end. Rejects with the writer's failure. Supports one reader, one call at a time.
   */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#segments.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      this.#wakeReader = undefined;
    }
    if (this.#failure !== undefined) throw this.#failure;
    const segment = this.#segments.shift();
    this.#bytes -= segment?.byteLength ?? 0;
    if (this.#bytes < HIGH_WATER_BYTES) this.#wake();
    return segment;
  }

  #wake(): void {
    const writers = this.#wakeWriters;
    if (writers.length === 0) return;
    this.#wakeWriters = [];
    for (const resolve of writers) resolve();
  }
}
