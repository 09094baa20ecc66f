/** The body of an HTTP/2 answer as a ByteSink. Back-pressure is the stream's own: its window, its connection's, and the socket below them. */
import type { ServerHttp2Stream } from 'node:http2';
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';
import { DrainWaiters } from './drain-waiters.ts';
import { StreamBrokenOff } from './request.ts';
import { MAX_WRITE_BYTES } from './transport-limits.ts';

export class Http2Sink implements ByteSink {
  readonly #stream: ServerHttp2Stream;
  readonly #waiters: DrainWaiters;
  #ended = false;

  /** The head was already sent. */
  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    this.#waiters = new DrainWaiters(stream);
  }

  get closed(): boolean {
    return this.#ended || this.#stream.closed || this.#stream.destroyed;
  }

  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    const { byteLength } = bytes;
    if (byteLength === 0) return true; // an empty frame says nothing, and peers count them as abuse
    if (byteLength <= MAX_WRITE_BYTES) return this.#stream.write(bytes);
    let more = true;
    for (let at = 0; at < byteLength; at += MAX_WRITE_BYTES) more = this.#stream.write(bytes.subarray(at, at + MAX_WRITE_BYTES));
    return more;
  }

  drained(): Promise<void> {
    return this.closed ? Promise.resolve() : this.#waiters.drained();
  }

  /** Ends the answer in good order. */
  end(): void {
    this.#release();
    this.#stream.end();
  }

  /** Resets the stream, so that the reader sees that the answer is not whole. What is still queued is dropped. */
  breakOff(): void {
    this.#release();
    // `close` would end the stream in good order first.
    this.#stream.destroy(new StreamBrokenOff());
  }

  #release(): void {
    this.#ended = true;
    this.#waiters.release();
  }
}
