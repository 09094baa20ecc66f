/** The body of an HTTP/2 response. Backpressure comes from the windows and the socket. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { ERROR_CODE } from '../../http2/frames.ts';
import type { ServerStream } from '../../http2/server-stream.ts';

export class Http2ResponseWriter implements ResponseWriter {
  readonly isZeroCopy = true;
  readonly #stream: ServerStream;
  #ended = false;

  /** The head was already sent. */
  constructor(stream: ServerStream) {
    this.#stream = stream;
  }

  get closed(): boolean {
    return this.#ended || this.#stream.closed;
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  write(bytes: Uint8Array): boolean {
    return !this.#ended && this.#stream.write(bytes);
  }

  writeAll(parts: readonly Uint8Array[]): boolean {
    return !this.#ended && this.#stream.writeAll(parts);
  }

  endWith(parts: readonly Uint8Array[]): boolean {
    if (this.#ended) return false;
    this.#stream.end(parts);
    return this.#stream.queuedBytes === 0;
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#stream.drained();
  }

  /** Ends the response normally. */
  end(): void {
    this.#ended = true;
    this.#stream.end();
  }

  /** Resets the stream, so that the client sees that the response is incomplete. Drops queued bytes. */
  abort(): void {
    this.#ended = true;
    // After CANCEL some clients, such as Node's, take a partial response for a complete one.
    this.#stream.reset(ERROR_CODE.internalError);
  }
}
