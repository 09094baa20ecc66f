/** A queue of bytes that stores chunks without copying them. */
export class ByteQueue {
  #chunks: Uint8Array[] = [];
  /** The number of chunks taken completely, and of bytes taken from the next one. */
  #taken = 0;
  #takenBytes = 0;
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#byteLength += chunk.byteLength;
  }

  /** Moves the next `count` bytes to position `at` of `into`. Throws when there are fewer. */
  take(into: Buffer, at: number, count: number): void {
    this.#byteLength -= count;
    for (let left = count; left > 0;) {
      const chunk = this.#chunks[this.#taken];
      if (chunk === undefined) throw new RangeError('the queue has fewer bytes');
      const bytes = Math.min(left, chunk.byteLength - this.#takenBytes);
      const part = bytes === chunk.byteLength ? chunk : chunk.subarray(this.#takenBytes, this.#takenBytes + bytes);
      into.set(part, at + count - left);
      left -= bytes;
      this.#takenBytes += bytes;
      if (this.#takenBytes < chunk.byteLength) continue;
      this.#taken++;
      this.#takenBytes = 0;
    }
    this.#dropTaken();
  }

  clear(): void {
    this.#chunks = [];
    this.#taken = this.#takenBytes = this.#byteLength = 0;
  }

  /** Drops taken chunks in bulk, because each time moves all others. */
  #dropTaken(): void {
    if (this.#byteLength === 0) this.clear();
    else if (this.#taken > this.#chunks.length / 2) {
      this.#chunks = this.#chunks.slice(this.#taken);
      this.#taken = 0;
    }
  }
}
