/** One call on its way: what of it is still to be sent, and what comes back. */
import type { SendingStream } from '../../../http2/data-sender.ts';
import type { HeaderField } from '../../../http2/hpack-tables.ts';
import type { RequestHead } from './request-headers.ts';
import { decodeGrpcMessage, errorOfHttpStatus, GRPC, GrpcError } from './status.ts';

/** Of a message: whether it is compressed, and its length. */
export const PREFIX_BYTES = 5;
/** The length of a message is an unsigned number of 32 bits; nobody sends that much. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

const ownMemory = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

export interface GrpcStreamOptions {
  readonly head: RequestHead;
  /** In the milliseconds of `performance.now()`; `Infinity`: never. */
  readonly dueMs: number;
  /** Where a message goes. Absent: into memory of its own. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
}

export abstract class GrpcStream implements SendingStream {
  readonly head: RequestHead;
  readonly dueMs: number;
  readonly #allocate: (bytes: number) => Buffer;
  /** 0 until it is opened. */
  id = 0;
  /** How much the server still takes of this stream. */
  windowBytes = 0;
  /** What came and was not yet told to the server as taken, with the padding. */
  unreportedBytes = 0;
  #over = false;
  #httpStatus = '';
  /** Of the message that comes: it may come in several frames. */
  readonly #prefix: number[] = [];
  #message: Buffer | undefined;
  #messageBytes = 0;
  /** Begun. */
  #messages = 0;

  constructor({ head, dueMs, allocate = ownMemory }: GrpcStreamOptions) {
    this.head = head;
    this.dueMs = dueMs;
    this.#allocate = allocate;
  }

  abstract get queuedBytes(): number;

  abstract get ending(): boolean;

  /** More is not taken for now: the server is to be told of nothing. */
  abstract get paused(): boolean;

  /** How many the server may answer with. */
  abstract get maxMessages(): number;

  abstract take(into: Buffer, at: number, count: number): void;

  sentLast(): void {
    // The answer is what ends a call.
  }

  /** A whole message. True: the call is over. */
  protected abstract onMessage(message: Buffer): boolean;

  /** The server ended the call with a good status. */
  protected abstract onGoodEnd(): true;

  protected abstract onFailure(error: Error): void;

  /** The server has looked at it, whatever it says afterwards. */
  get answering(): boolean {
    return this.#httpStatus !== '';
  }

  get over(): boolean {
    return this.#over;
  }

  /** A header block, which at the end are the trailers. True: the call is over. */
  headers(fields: readonly HeaderField[], end: boolean): boolean {
    let status: string | undefined;
    let message = '';
    for (const { name, value } of fields) {
      if (name === ':status') this.#httpStatus = value;
      else if (name === 'grpc-status') status = value;
      else if (name === 'grpc-message') message = value;
    }
    if (!end) return false;
    if (status === undefined) return this.#endWithout('No status information received');
    if (status === '0') return this.#prefix.length === 0 ? this.onGoodEnd() : this.refuse('the message of the server is cut off');
    const code = Number(status);
    return this.fail(new GrpcError(Number.isInteger(code) ? code : GRPC.unknown, decodeGrpcMessage(message)));
  }

  /** Part of what is answered. True: the call is over. */
  data(buffer: Buffer, start: number, end: number, last: boolean): boolean {
    // What comes with another status is a page for people.
    if (this.#httpStatus === '200') {
      for (let at = start; at < end;) {
        if (this.#message === undefined) {
          this.#prefix.push(buffer.readUInt8(at++));
          if (this.#prefix.length === PREFIX_BYTES && this.#begin()) return true;
        } else {
          const copied = buffer.copy(this.#message, this.#messageBytes, at, end);
          at += copied;
          this.#messageBytes += copied;
        }
        if (this.#messageBytes === this.#message?.length && this.#emit(this.#message)) return true;
      }
    }
    return last && this.#endWithout('Call ended without gRPC status');
  }

  /** Ends it. True, so that callers can say that it is over. Later ends change nothing. */
  fail(error: Error): true {
    if (this.end()) this.onFailure(error);
    return true;
  }

  /** True, the first time. */
  protected end(): boolean {
    const first = !this.#over;
    this.#over = true;
    return first;
  }

  /**
   * Not `unimplemented` or any code that says that nothing was done: the server may well have done what it was asked
   * to.
   */
  protected refuse(details: string, cause?: unknown): true {
    return this.fail(new GrpcError(GRPC.internal, details, { cause }));
  }

  #emit(message: Buffer): boolean {
    this.#message = undefined;
    this.#prefix.length = 0;
    return this.onMessage(message);
  }

  /** True: the message cannot be taken, and the call is over. */
  #begin(): boolean {
    if (++this.#messages > this.maxMessages) return this.refuse('the server sent more than one message');
    const [compressed = 0, ...digits] = this.#prefix;
    if (compressed !== 0) return this.refuse('the server sent a compressed message, which was not asked for');
    const length = digits.reduce((number, digit) => number * 0x100 + digit, 0);
    if (length > MAX_MESSAGE_BYTES) return this.refuse(`the server sent a message of ${length} bytes`);
    this.#message = this.#allocate(length);
    this.#messageBytes = 0;
    return false;
  }

  #endWithout(details: string): true {
    if (this.#httpStatus === '200') return this.refuse(details);
    return this.fail(errorOfHttpStatus(this.#httpStatus));
  }
}
