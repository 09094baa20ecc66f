import type { ResponseWriter } from '../../pkg/apimachinery/streams/response-writer.ts';

/** A reader in memory. It takes everything at once, until a test lets it pause. */
export class MemoryResponseWriter implements ResponseWriter {
  /** What was written, in the memory it was written from. Of use as long as the response is not done. */
  readonly writes: Buffer[] = [];
  /** The same as copies, since that memory may be used again. */
  readonly #copies: Buffer[] = [];
  /** Times that something was written, of one piece or several. */
  calls = 0;
  /** True: as an unencrypted connection. */
  readonly isZeroCopy: boolean;
  #isPaused = false;
  #queued = 0;
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(isZeroCopy = false) {
    this.isZeroCopy = isZeroCopy;
  }

  get queuedBytes(): number {
    return this.#queued;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: Uint8Array): boolean {
    return this.writeAll([bytes]);
  }

  writeAll(pieces: readonly Uint8Array[]): boolean {
    if (this.#closed) return false;
    this.calls++;
    for (const piece of pieces) this.#keep(piece);
    return !this.#isPaused;
  }

  #keep(bytes: Uint8Array): void {
    this.writes.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#copies.push(Buffer.from(bytes));
    if (this.#isPaused) this.#queued += bytes.byteLength;
  }

  drained(): Promise<void> {
    if (!this.#isPaused || this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#queued = 0;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  bytes(): Buffer {
    return Buffer.concat(this.#copies);
  }

  text(): string {
    return this.bytes().toString();
  }

  /** The JSON lines so far. */
  lines(): unknown[] {
    return this.text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
