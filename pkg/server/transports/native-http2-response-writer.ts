/**
 * The body of an HTTP/2 answer as a ResponseWriter. Back-pressure is the stream's own: its window, its connection's,
 * and the socket below them.
 */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { ERROR_CODE } from '../../http2/frames.ts';
import type { ServerStream } from '../../http2/server-stream.ts';

export class Http2ResponseWriter implements ResponseWriter {
  readonly keepsReferences = true;
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

  writeAll(pieces: readonly Uint8Array[]): boolean {
    return !this.#ended && this.#stream.writeAll(pieces);
  }

  endWith(pieces: readonly Uint8Array[]): boolean {
    if (this.#ended) return false;
    this.#stream.end(pieces);
    return this.#stream.queuedBytes === 0;
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#stream.drained();
  }

  /** Ends the answer in good order. */
  end(): void {
    this.#ended = true;
    this.#stream.end();
  }

  /** Resets the stream, so that the reader sees that the answer is not whole. What is still queued is dropped. */
  breakOff(): void {
    this.#ended = true;
    // CANCEL would let some clients, Node's among them, take half an answer for a whole one.
    this.#stream.reset(ERROR_CODE.internalError);
  }
}
