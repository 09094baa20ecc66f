/** What one stream writes and another reads: a ResponseWriter whose bytes are taken out piece by piece. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Above this the writer is asked to wait. */
const MARK_BYTES = 256 * 1024;

export class SegmentQueue implements ResponseWriter {
  /** Where the bytes go in the end: its reader is the one that may be gone. */
  readonly #behind: ResponseWriter;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #over = false;
  #failure: Error | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  constructor(behind: ResponseWriter) {
    this.#behind = behind;
  }

  get closed(): boolean {
    return this.#over || this.#behind.closed;
  }
  get queuedBytes(): number {
    return this.#bytes + this.#behind.queuedBytes;
  }
  /** Why the writer broke off. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    this.#pieces.push(bytes);
    this.#bytes += bytes.byteLength;
    this.#wakeReader?.();
    return this.#bytes < MARK_BYTES;
  }

  drained(): Promise<void> {
    if (this.closed || this.#bytes < MARK_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  /** The writer has written everything, or broken off. */
  end(failure?: Error): void {
    this.#over = true;
    this.#failure = failure;
    this.#wakeReader?.();
    this.#wake();
  }

  /** The reader takes nothing more. */
  close(): void {
    this.#over = true;
    this.#pieces.length = 0;
    this.#wake();
  }

  /** The next piece; undefined at the end. Rejects with what the writer broke off with. One reader, one call at a time. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#pieces.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      this.#wakeReader = undefined;
    }
    if (this.#failure !== undefined) throw this.#failure;
    const piece = this.#pieces.shift();
    this.#bytes -= piece?.byteLength ?? 0;
    if (this.#bytes < MARK_BYTES) this.#wake();
    return piece;
  }

  #wake(): void {
    const writers = this.#wakeWriters;
    if (writers.length === 0) return;
    this.#wakeWriters = [];
    for (const resolve of writers) resolve();
  }
}
