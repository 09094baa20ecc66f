/** One unary call on its way: what of it is still to be sent, and what has come back. */
import type { HeaderField } from './hpack-tables.ts';
import { decodeGrpcMessage, errorOfHttpStatus, GRPC, GrpcError } from './status.ts';

/** Of a message: whether it is compressed, and its length. */
const PREFIX_BYTES = 5;
/** The length of a message is an unsigned number of 32 bits; nobody sends that much. */
const MOST_MESSAGE_BYTES = 2 ** 31 - 1;

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const ownMemory = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

export interface StreamOptions {
  readonly path: string;
  readonly token: string | undefined;
  readonly message: Uint8Array;
  /** Where the answer goes. Absent: into memory of its own. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
  /** In the milliseconds of `performance.now()`. */
  readonly dueMs: number;
  /** The answer is there, and has a good status. May throw, which fails the call. */
  readonly answered: (message: Buffer) => void;
  readonly failed: (error: Error) => void;
}

export class UnaryStream {
  readonly path: string;
  readonly token: string | undefined;
  readonly dueMs: number;
  readonly #message: Uint8Array;
  readonly #allocate: (bytes: number) => Buffer;
  readonly #answered: (message: Buffer) => void;
  readonly #failed: (error: Error) => void;
  /** 0 until it is opened. */
  id = 0;
  /** How much the server still takes of this stream. */
  windowBytes = 0;
  #sentBytes = 0;
  #over = false;
  #httpStatus = '';
  /** Its first bytes may come in several frames. */
  readonly #prefix: number[] = [];
  #answer: Buffer | undefined;
  #answerBytes = 0;

  constructor({ path, token, message, allocate = ownMemory, dueMs, answered, failed }: StreamOptions) {
    this.path = path;
    this.token = token;
    this.dueMs = dueMs;
    this.#message = message;
    this.#allocate = allocate;
    this.#answered = answered;
    this.#failed = failed;
  }

  /** What is still to be sent. */
  get restBytes(): number {
    return PREFIX_BYTES + this.#message.length - this.#sentBytes;
  }

  /** The server has looked at it, whatever it says afterwards. */
  get answering(): boolean {
    return this.#httpStatus !== '';
  }

  /** Writes the next `count` bytes of the request, of which there must be as many. */
  take(into: Buffer, at: number, count: number): void {
    let position = at;
    let from = this.#sentBytes;
    for (; from < PREFIX_BYTES && position < at + count; from++) {
      into.writeUInt8(from === 0 ? 0 : (this.#message.length >>> (8 * (PREFIX_BYTES - 1 - from))) & 0xff, position++);
    }
    const start = from - PREFIX_BYTES;
    const left = at + count - position;
    if (left > 0) into.set(left === this.#message.length ? this.#message : this.#message.subarray(start, start + left), position);
    this.#sentBytes += count;
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
    if (status === '0') return this.#succeed();
    const code = Number(status);
    return this.fail(new GrpcError(Number.isInteger(code) ? code : GRPC.unknown, decodeGrpcMessage(message)));
  }

  /** Part of the answer. True: the call is over. */
  data(buffer: Buffer, start: number, end: number, last: boolean): boolean {
    // What comes with another status is a page for people.
    if (this.#httpStatus === '200') {
      let at = start;
      while (at < end && this.#answer === undefined) {
        this.#prefix.push(buffer.readUInt8(at++));
        if (this.#prefix.length === PREFIX_BYTES && this.#begin()) return true;
      }
      const answer = this.#answer;
      if (answer !== undefined) {
        if (end - at > answer.length - this.#answerBytes) return this.#refuse('the server sent more than one message');
        this.#answerBytes += buffer.copy(answer, this.#answerBytes, at, end);
      }
    }
    return last && this.#endWithout('Call ended without gRPC status');
  }

  /** Ends it. True, so that callers can say that it is over. Later ends change nothing. */
  fail(error: Error): true {
    if (!this.#over) this.#failed(error);
    this.#over = true;
    return true;
  }

  /** True: the message cannot be taken, and the call is over. */
  #begin(): boolean {
    const prefix = Buffer.from(this.#prefix);
    if (prefix.readUInt8(0) !== 0) return this.#refuse('the server sent a compressed message, which was not asked for');
    const length = prefix.readUInt32BE(1);
    if (length > MOST_MESSAGE_BYTES) return this.#refuse(`the server sent a message of ${length} bytes`);
    this.#answer = this.#allocate(length);
    return false;
  }

  /** Not `unimplemented` or any code that says that nothing was done: the server may well have done what it was asked to. */
  #refuse(details: string): true {
    return this.fail(new GrpcError(GRPC.internal, details));
  }

  #endWithout(details: string): true {
    if (this.#httpStatus === '200') return this.#refuse(details);
    return this.fail(errorOfHttpStatus(this.#httpStatus));
  }

  #succeed(): true {
    const answer = this.#answer;
    if (answer === undefined) return this.#refuse('the server sent no message');
    if (this.#answerBytes < answer.length) return this.#refuse('the message of the server is cut off');
    if (this.#over) return true;
    try {
      this.#answered(answer);
      this.#over = true;
      return true;
    } catch (error) {
      return this.fail(new GrpcError(GRPC.internal, `the answer cannot be decoded: ${text(error)}`, { cause: error }));
    }
  }
}
