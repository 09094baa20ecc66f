/** Writes a long response to its connection in writes of the right size. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Of bytes that only this response holds, and where written bytes are copied or encrypted at once. */
const WRITE_BYTES = 128 * 1024;
/**
 * Of bytes that the cache holds as well: the connection always has something to send, and lists take half to two thirds
 * of the time.
 */
const LARGE_WRITE_BYTES = 2 * 1024 * 1024;
/** What slow readers may keep alive of objects that were replaced meanwhile; with small writes they keep less. */
const MAX_LARGE_UNSENT_BYTES = 64 * 1024 * 1024;

/** Bytes of large writes that the readers of all responses of the process have not taken yet. */
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
  /** Of them, those that only this response holds. */
  #ownBytes = 0;
  #lastWriteBytes = 0;

  constructor(writer: ResponseWriter, unsent: UnsentBudget) {
    this.#writer = writer;
    this.#unsent = unsent;
  }

  /** `isShared`: the cache holds the bytes as well. */
  add(bytes: Buffer, isShared: boolean): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.byteLength;
    if (!isShared) this.#ownBytes += bytes.byteLength;
  }

  /** Time to `flush`. */
  get isFull(): boolean {
    if (this.#bytes < WRITE_BYTES) return false;
    const mayGrow = this.#writer.keepsReferences === true && this.#ownBytes < WRITE_BYTES && this.#unsent.hasRoom;
    return !mayGrow || this.#bytes >= LARGE_WRITE_BYTES;
  }

  /** Writes what was added. False: wait for `drained` before writing more. */
  flush(): boolean {
    const { parts, bytes } = this.#take();
    const [first] = parts;
    if (first === undefined) return true;
    if (parts.length === 1) return this.#writer.write(first);
    return this.#writer.writeAll?.(parts, bytes) ?? this.#writer.write(Buffer.concat(parts, bytes));
  }

  /** Resolves when the reader has taken the last write, or is gone. */
  drained(): Promise<void> {
    const drained = this.#writer.drained();
    return this.#lastWriteBytes > WRITE_BYTES ? this.#unsent.hold(this.#lastWriteBytes, drained) : drained;
  }

  /** Writes the rest and resolves as `drained`: a response ends when its reader has taken it. */
  async finish(): Promise<void> {
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
