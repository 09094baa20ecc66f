/** Writes a long response to its connection in writes of suitable size. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { LARGE_WRITE_BYTES, type ResponseMemory } from './response-memory.ts';

/** For bytes that only this response holds, or that are copied or encrypted immediately. */
const WRITE_BYTES = 128 * 1024;

export class BufferedWriter {
  readonly #writer: ResponseWriter;
  readonly #memory: ResponseMemory;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The part of `#bytes` that only this response holds. */
  #ownBytes = 0;
  #lastWriteBytes = 0;
  /** Bytes passed to the writer so far. */
  #writtenBytes = 0;
  /** Buffers from `allocate` that the writer may still read, in order. `end`: `#writtenBytes` after their write. */
  #copies: { readonly buffer: Buffer; end: number }[] = [];

  constructor(writer: ResponseWriter, memory: ResponseMemory) {
    this.#writer = writer;
    this.#memory = memory;
  }

  /** Memory for bytes to add before the next `flush`; used again after they were sent. */
  readonly allocate = (bytes: number): Buffer => {
    const buffer = this.#memory.take(bytes);
    this.#copies.push({ buffer, end: Infinity });
    return buffer.subarray(0, bytes);
  };

  /** `isShared`: the cache holds the bytes too. */
  add(bytes: Buffer, isShared: boolean): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.byteLength;
    if (!isShared) this.#ownBytes += bytes.byteLength;
  }

  /** Whether to call `flush`. */
  get isFull(): boolean {
    if (this.#bytes < WRITE_BYTES) return false;
    const mayGrow = this.#writer.isZeroCopy === true && this.#ownBytes < WRITE_BYTES && this.#memory.hasRoom;
    return !mayGrow || this.#bytes >= LARGE_WRITE_BYTES;
  }

  /** Writes what was added. If false, wait for `drained` before writing more. */
  flush(): boolean {
    const { parts, bytes } = this.#take();
    const [first] = parts;
    if (first === undefined) return true;
    const isDrained =
      parts.length === 1
        ? this.#writer.write(first)
        : (this.#writer.writeAll?.(parts, bytes) ?? this.#writer.write(Buffer.concat(parts, bytes)));
    this.#releaseSent();
    return isDrained;
  }

  /** Resolves when the last write was sent or the connection is closed. */
  async drained(): Promise<void> {
    const drained = this.#writer.drained();
    await (this.#lastWriteBytes > WRITE_BYTES ? this.#memory.hold(this.#lastWriteBytes, drained) : drained);
    this.#releaseSent();
  }

  /** Writes the remaining bytes and resolves as `drained`: a response ends when its reader has received it. */
  async end(): Promise<void> {
    if (!this.#writeLast()) await this.drained();
  }

  #writeLast(): boolean {
    if (this.#writer.endWith === undefined) return this.flush();
    const { parts, bytes } = this.#take();
    const isDrained = this.#writer.endWith(parts, bytes);
    this.#releaseSent();
    return isDrained;
  }

  #take(): { readonly parts: readonly Buffer[]; readonly bytes: number } {
    const taken = { parts: this.#parts, bytes: this.#bytes };
    this.#lastWriteBytes = this.#bytes;
    this.#writtenBytes += this.#bytes;
    for (const copy of this.#copies) copy.end = Math.min(copy.end, this.#writtenBytes);
    this.#parts = [];
    this.#bytes = this.#ownBytes = 0;
    return taken;
  }

  /** A writer queues in order and without copying, so what is not among its last `queuedBytes` was sent. */
  #releaseSent(): void {
    const sentBytes = this.#writtenBytes - this.#writer.queuedBytes;
    for (;;) {
      const [first] = this.#copies;
      if (first === undefined || first.end > sentBytes) return;
      this.#copies.shift();
      this.#memory.release(first.buffer);
    }
  }
}
