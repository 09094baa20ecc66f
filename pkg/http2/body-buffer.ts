/** Collects a request body in few blocks, because a Buffer for each small frame would take far more memory. */

/** The minimum size of all blocks except the first, which is enough for typical bodies. */
const MIN_BLOCK_BYTES = 16 * 1024;

export class BodyBuffer {
  readonly #full: Buffer[] = [];
  #last: Buffer = Buffer.alloc(0);
  #used = 0;
  #bytes = 0;

  get byteLength(): number {
    return this.#bytes;
  }

  append(from: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end) {
      if (this.#used === this.#last.byteLength) this.#grow(end - at);
      const copied = from.copy(this.#last, this.#used, at, end);
      this.#used += copied;
      at += copied;
    }
    this.#bytes += end - start;
  }

  /** Returns the body and clears the buffer. */
  take(): Buffer {
    const last = this.#last.subarray(0, this.#used);
    const body = this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#bytes);
    this.drop();
    return body;
  }

  drop(): void {
    this.#full.length = 0;
    this.#last = Buffer.alloc(0);
    this.#used = this.#bytes = 0;
  }

  #grow(bytes: number): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafe(this.#bytes === 0 && this.#full.length === 0 ? bytes : Math.max(bytes, MIN_BLOCK_BYTES));
    this.#used = 0;
  }
}
