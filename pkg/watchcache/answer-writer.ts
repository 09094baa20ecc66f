/** Hands a long answer to its connection in writes of the right size. */
import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';

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

export class AnswerWriter {
  readonly #sink: ByteSink;
  readonly #unsent: UnsentBudget;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Of them, held by nobody else. */
  #ownBytes = 0;
  #lastWriteBytes = 0;

  constructor(sink: ByteSink, unsent: UnsentBudget) {
    this.#sink = sink;
    this.#unsent = unsent;
  }

  /** `isShared`: the cache holds the bytes as well. */
  add(bytes: Buffer, isShared: boolean): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.byteLength;
    if (!isShared) this.#ownBytes += bytes.byteLength;
  }

  /** Time to `flush`. */
  get isFull(): boolean {
    if (this.#bytes < WRITE_BYTES) return false;
    const mayGrow = this.#sink.keepsReferences === true && this.#ownBytes < WRITE_BYTES && this.#unsent.hasRoom;
    return !mayGrow || this.#bytes >= LARGE_WRITE_BYTES;
  }

  /** Writes what was added. False: wait until `drained` before more is written. */
  flush(): boolean {
    const { pieces, bytes } = this.#take();
    const [first] = pieces;
    if (first === undefined) return true;
    if (pieces.length === 1) return this.#sink.write(first);
    return this.#sink.writeAll?.(pieces, bytes) ?? this.#sink.write(Buffer.concat(pieces, bytes));
  }

  /** Resolves when the reader has taken the last write, or is gone. */
  drained(): Promise<void> {
    const drained = this.#sink.drained();
    return this.#lastWriteBytes > WRITE_BYTES ? this.#unsent.hold(this.#lastWriteBytes, drained) : drained;
  }

  /** Writes what was added last. Resolves as `drained`: an answer is not over before its reader has taken it. */
  async finish(): Promise<void> {
    if (!this.#flushLast()) await this.drained();
  }

  #flushLast(): boolean {
    if (this.#sink.endWith === undefined) return this.flush();
    const { pieces, bytes } = this.#take();
    return this.#sink.endWith(pieces, bytes);
  }

  #take(): { readonly pieces: readonly Buffer[]; readonly bytes: number } {
    const taken = { pieces: this.#pieces, bytes: this.#bytes };
    this.#lastWriteBytes = this.#bytes;
    this.#pieces = [];
    this.#bytes = this.#ownBytes = 0;
    return taken;
  }
}
