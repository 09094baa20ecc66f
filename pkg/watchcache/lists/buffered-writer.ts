/** Hands a long answer to its connection in writes of the right size. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Of bytes that only this answer holds, and where what is written is copied or encrypted at once. */
const WRITE_BYTES = 128 * 1024;
/** Of bytes that the cache holds as well. The connection always has something to send then: lists take half to two thirds of the time. */
export const LARGE_WRITE_BYTES = 2 * 1024 * 1024;
/** What slow readers may keep alive of objects that have been replaced meanwhile; with small writes they keep less. */
const MAX_LARGE_UNSENT_BYTES = 64 * 1024 * 1024;

/** What the answers of a process have handed out in large writes and readers have not taken. */
export class UnsentBudget {
  #bytes = 0;

  get hasRoom(): boolean {
    return this.#bytes + LARGE_WRITE_BYTES <= MAX_LARGE_UNSENT_BYTES;
  }

  /** Counts `bytes` until `sent` has settled. */
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
  #segments: Buffer[] = [];
  #bytes = 0;
  /** Of them, held by nobody else. */
  #ownBytes = 0;
  #lastWriteBytes = 0;

  constructor(writer: ResponseWriter, unsent: UnsentBudget) {
    this.#writer = writer;
    this.#unsent = unsent;
  }

  /** `isShared`: the cache holds the bytes as well. */
  add(bytes: Buffer, isShared: boolean): void {
    this.#segments.push(bytes);
    this.#bytes += bytes.byteLength;
    if (!isShared) this.#ownBytes += bytes.byteLength;
  }

  /** Time to `flush`. */
  get isFull(): boolean {
    if (this.#bytes < WRITE_BYTES) return false;
    const mayGrow = this.#writer.keepsReferences === true && this.#ownBytes < WRITE_BYTES && this.#unsent.hasRoom;
    return !mayGrow || this.#bytes >= LARGE_WRITE_BYTES;
  }

  /** Writes what was added. False: wait until `drained` before more is written. */
  flush(): boolean {
    const { segments, bytes } = this.#take();
    const [first] = segments;
    if (first === undefined) return true;
    if (segments.length === 1) return this.#writer.write(first);
    return this.#writer.writeAll?.(segments, bytes) ?? this.#writer.write(Buffer.concat(segments, bytes));
  }

  /** Resolves when the reader has taken the last write, or is gone. */
  drained(): Promise<void> {
    const drained = this.#writer.drained();
    return this.#lastWriteBytes > WRITE_BYTES ? this.#unsent.hold(this.#lastWriteBytes, drained) : drained;
  }

  /** Writes what was added last. Resolves as `drained`: an answer is not over before its reader has taken it. */
  async finish(): Promise<void> {
    if (!this.#flushLast()) await this.drained();
  }

  #flushLast(): boolean {
    if (this.#writer.endWith === undefined) return this.flush();
    const { segments, bytes } = this.#take();
    return this.#writer.endWith(segments, bytes);
  }

  #take(): { readonly segments: readonly Buffer[]; readonly bytes: number } {
    const taken = { segments: this.#segments, bytes: this.#bytes };
    this.#lastWriteBytes = this.#bytes;
    this.#segments = [];
    this.#bytes = this.#ownBytes = 0;
    return taken;
  }
}
