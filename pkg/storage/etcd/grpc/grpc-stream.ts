/** One running call: the unsent part of the request, and the response so far. */
import type { SendingStream } from '../../../http2/data-sender.ts';
import type { HeaderField } from '../../../http2/hpack-tables.ts';
import type { RequestHead } from './request-headers.ts';
import { decodeGrpcMessage, errorOfHttpStatus, GRPC, GrpcError } from './status.ts';

/** Before each message: a compression flag and the length. */
export const PREFIX_BYTES = 5;
/** The format allows 32 bits, which is more than etcd sends and more than a Buffer should be. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

const ownMemory = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

export interface GrpcStreamOptions {
  readonly head: RequestHead;
  /** The deadline in milliseconds of `performance.now()`, or `Infinity`. */
  readonly dueMs: number;
  /** Memory for received messages. Default: new memory for each. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
}

export abstract class GrpcStream implements SendingStream {
  readonly head: RequestHead;
  readonly dueMs: number;
  readonly #allocate: (bytes: number) => Buffer;
  /** 0 until it is opened. */
  id = 0;
  /** The send window of this stream. */
  windowBytes = 0;
  /** Received bytes, including padding, that no WINDOW_UPDATE has returned yet. */
  unreportedBytes = 0;
  #over = false;
  #httpStatus = '';
  /** The message being received, which may span several frames. */
  readonly #prefix: number[] = [];
  #message: Buffer | undefined;
  #messageBytes = 0;
  #messageCount = 0;

  constructor({ head, dueMs, allocate = ownMemory }: GrpcStreamOptions) {
    this.head = head;
    this.dueMs = dueMs;
    this.#allocate = allocate;
  }

  abstract get queuedBytes(): number;
  abstract get ending(): boolean;
  /** While true the receive window is not widened. */
  abstract get paused(): boolean;
  /** The maximum number of messages in the response. */
  abstract get maxMessages(): number;
  abstract take(into: Buffer, at: number, count: number): void;

  sentLast(): void {
    // The response ends a call.
  }

  /** Receives a complete message. Returns true when the call is over. */
  protected abstract onMessage(message: Buffer): boolean;
  /** Called when the server ends the call with status OK. */
  protected abstract onGoodEnd(): true;
  protected abstract onFailure(error: Error): void;

  /** The response has begun, so the server has processed the call. */
  get answering(): boolean {
    return this.#httpStatus !== '';
  }

  get over(): boolean {
    return this.#over;
  }

  /** Receives headers, or trailers when `end` is set. Returns true when the call is over. */
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
    if (status === '0') return this.#prefix.length === 0 ? this.onGoodEnd() : this.refuse('the message of the server is truncated');
    const code = Number(status);
    return this.fail(new GrpcError(Number.isInteger(code) ? code : GRPC.unknown, decodeGrpcMessage(message)));
  }

  /** Receives a part of the response. Returns true when the call is over. */
  data(buffer: Buffer, start: number, end: number, last: boolean): boolean {
    // The body of any other status is an error page.
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

  /** Idempotent. Returns true for callers that report the end of the call. */
  fail(error: Error): true {
    if (this.end()) this.onFailure(error);
    return true;
  }

  /** Returns true the first time. */
  protected end(): boolean {
    const first = !this.#over;
    this.#over = true;
    return first;
  }

  /** Fails with INTERNAL, not with a code such as UNIMPLEMENTED: the server may have executed the call. */
  protected refuse(details: string, cause?: unknown): true {
    return this.fail(new GrpcError(GRPC.internal, details, { cause }));
  }

  #emit(message: Buffer): boolean {
    this.#message = undefined;
    this.#prefix.length = 0;
    return this.onMessage(message);
  }

  /** Returns true when the message is invalid and the call therefore over. */
  #begin(): boolean {
    if (++this.#messageCount > this.maxMessages) return this.refuse('the server sent more than one message');
    const [compressed = 0, ...digits] = this.#prefix;
    if (compressed !== 0) return this.refuse('the server sent a compressed message without being asked to');
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
