/** For bytes that the cache holds too. Large writes keep the connection busy: lists take a third to half less time. */
export const LARGE_WRITE_BYTES = 2 * 1024 * 1024;
/** Limits the memory of replaced objects that slow readers retain; small writes retain less. */
const MAX_LARGE_UNSENT_BYTES = 64 * 1024 * 1024;

/** Copies up to this size are made in Buffers that are used again. */
export const COPY_BYTES = 128 * 1024;
const MAX_SPARE_BUFFERS = 16;

/** Memory of the responses that are being written, for the whole process. */
export class ResponseMemory {
  #largeUnsentBytes = 0;
  /** New Buffers for each list would cost page faults, and garbage collections that external memory triggers. */
  readonly #spare: Buffer[] = [];

  /** Whether another large write is allowed. */
  get hasRoom(): boolean {
    return this.#largeUnsentBytes + LARGE_WRITE_BYTES <= MAX_LARGE_UNSENT_BYTES;
  }

  /** Counts `bytes` of a large write until `sent` settles. */
  async hold(bytes: number, sent: Promise<void>): Promise<void> {
    this.#largeUnsentBytes += bytes;
    try {
      await sent;
    } finally {
      this.#largeUnsentBytes -= bytes;
    }
  }

  /** A Buffer of at least `bytes`, with old content. */
  take(bytes: number): Buffer {
    return (bytes <= COPY_BYTES ? this.#spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(bytes, COPY_BYTES));
  }

  /** Nobody may read `buffer` any more: it will be overwritten. Without a call, it is left to the garbage collector. */
  release(buffer: Buffer): void {
    if (buffer.byteLength === COPY_BYTES && this.#spare.length < MAX_SPARE_BUFFERS) this.#spare.push(buffer);
  }
}
