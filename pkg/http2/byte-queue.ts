/** What was written and waits: pieces as they are, copied when their turn has come. */
export class ByteQueue {
  #pieces: Uint8Array[] = [];
  /** Of the pieces, how many are sent, and how much of the next. */
  #sent = 0;
  #sentBytes = 0;
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#byteLength += piece.byteLength;
  }

  /** Moves the next `count` bytes, of which there must be as many, to `into` from `at` on. */
  take(into: Buffer, at: number, count: number): void {
    this.#byteLength -= count;
    for (let left = count; left > 0;) {
      const piece = this.#pieces[this.#sent];
      if (piece === undefined) throw new RangeError('more is taken than waits');
      const bytes = Math.min(left, piece.byteLength - this.#sentBytes);
      const part = bytes === piece.byteLength ? piece : piece.subarray(this.#sentBytes, this.#sentBytes + bytes);
      into.set(part, at + count - left);
      left -= bytes;
      this.#sentBytes += bytes;
      if (this.#sentBytes < piece.byteLength) continue;
      this.#sent++;
      this.#sentBytes = 0;
    }
    this.#forgetSent();
  }

  clear(): void {
    this.#pieces = [];
    this.#sent = this.#sentBytes = this.#byteLength = 0;
  }

  /** Not after each of them: that would move all the others each time. */
  #forgetSent(): void {
    if (this.#byteLength === 0) this.clear();
    else if (this.#sent > this.#pieces.length / 2) {
      this.#pieces = this.#pieces.slice(this.#sent);
      this.#sent = 0;
    }
  }
}
