/** Writes a long response to its connection in writes of suitable size. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** For bytes that only this response holds, or that are copied or encrypted immediately. */
const WRITE_BYTES = 128 * 1024;
/** For bytes that the cache holds too. Large writes keep the connection busy: lists take a third to half less time. */
const LARGE_WRITE_BYTES = 2 * 1024 * 1024;
/** Limits the memory of replaced objects that slow readers retain; small writes retain less. */
const MAX_LARGE_UNSENT_BYTES = 64 * 1024 * 1024;

/** The bytes of large writes that were not sent yet, for all responses of the process. */
export class UnsentBudget {
  #bytes = 0;

  get hasRoom(): boolean {
    return this.#bytes + LARGE_WRITE_BYTES <= MAX_LARGE_UNSENT_BYTES;
  }

  /** Counts `bytes` until `sent` settles. */
  async hold(bytes: number, sent: Promise<void>): Promise<void> {
    this.#bytes += bytes;
    try {
      await sent;
    } finally {
      this.#bytes -= bytes;
    }
  }
}

export class BufferedWriter {
  readonly #writer: ResponseWriter;
  readonly #unsent: UnsentBudget;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The part of `#bytes` that only this response holds. */
  #ownBytes = 0;
  #lastWriteBytes = 0;

  constructor(writer: ResponseWriter, unsent: UnsentBudget) {
    this.#writer = writer;
    this.#unsent = unsent;
  }

  /** `isShared`: the cache holds the bytes too. */
  add(bytes: Buffer, isShared: boolean): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.byteLength;
    if (!isShared) this.#ownBytes += bytes.byteLength;
  }

  /** Whether to call `flush`. */
  get isFull(): boolean {
    if (this.#bytes < WRITE_BYTES) return false;
    const mayGrow = this.#writer.isZeroCopy === true && this.#ownBytes < WRITE_BYTES && this.#unsent.hasRoom;
    return !mayGrow || this.#bytes >= LARGE_WRITE_BYTES;
  }

  /** Writes what was added. If false, wait for `drained` before writing more. */
  flush(): boolean {
    const { parts, bytes } = this.#take();
    const [first] = parts;
    if (first === undefined) return true;
    if (parts.length === 1) return this.#writer.write(first);
    return this.#writer.writeAll?.(parts, bytes) ?? this.#writer.write(Buffer.concat(parts, bytes));
  }

  /** Resolves when the last write was sent or the connection is closed. */
  drained(): Promise<void> {
    const drained = this.#writer.drained();
    return this.#lastWriteBytes > WRITE_BYTES ? this.#unsent.hold(this.#lastWriteBytes, drained) : drained;
  }

  /** Writes the remaining bytes and resolves as `drained`: a response ends when its reader has received it. */
  async end(): Promise<void> {
    if (!this.#writeLast()) await this.drained();
  }

  #writeLast(): boolean {
    if (this.#writer.endWith === undefined) return this.flush();
    const { parts, bytes } = this.#take();
    return this.#writer.endWith(parts, bytes);
  }

  #take(): { readonly parts: readonly Buffer[]; readonly bytes: number } {
    const taken = { parts: this.#parts, bytes: this.#bytes };
    this.#lastWriteBytes = this.#bytes;
    this.#parts = [];
    this.#bytes = this.#ownBytes = 0;
    return taken;
  }
}
