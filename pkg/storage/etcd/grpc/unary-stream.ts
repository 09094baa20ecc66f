/** A unary call. */
import { errorMessage } from '../../../apimachinery/status/error-message.ts';
import { GrpcStream, PREFIX_BYTES, type GrpcStreamOptions } from './grpc-stream.ts';

interface UnaryStreamOptions extends GrpcStreamOptions {
  readonly message: Uint8Array;
  /** Called with the response of a successful call. An exception fails the call. */
  readonly answered: (message: Buffer) => void;
  readonly failed: (error: Error) => void;
}

export class UnaryStream extends GrpcStream {
  readonly ending = true;
  readonly paused = false;
  readonly maxMessages = 1;
  readonly #message: Uint8Array;
  readonly #answered: (message: Buffer) => void;
  readonly #failed: (error: Error) => void;
  #sentBytes = 0;
  #answer: Buffer | undefined;

  constructor({ message, answered, failed, ...options }: UnaryStreamOptions) {
    super(options);
    this.#message = message;
    this.#answered = answered;
    this.#failed = failed;
  }

  get queuedBytes(): number {
    return PREFIX_BYTES + this.#message.length - this.#sentBytes;
  }

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

  protected onMessage(message: Buffer): boolean {
    this.#answer = message;
    return false;
  }

  protected onGoodEnd(): true {
    if (this.#answer === undefined) return this.refuse('the server sent no message');
    if (this.over) return true;
    try {
      this.#answered(this.#answer);
      this.end();
      return true;
    } catch (error) {
      return this.refuse(`the response cannot be decoded: ${errorMessage(error)}`, error);
    }
  }

  protected onFailure(error: Error): void {
    this.#failed(error);
  }
}
