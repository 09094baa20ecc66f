/** The body of an HTTP/2 answer as a ByteSink. Back-pressure is the stream's own: its window, its connection's, and the socket below them. */
import type { ServerHttp2Stream } from 'node:http2';
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';
import { StreamBrokenOff } from './request.ts';
import { MAX_WRITE_BYTES } from './transport-limits.ts';

export class Http2Sink implements ByteSink {
  readonly #stream: ServerHttp2Stream;
  #waiting: (() => void)[] = [];
  #ended = false;

  /** The head was already sent. */
  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    stream.on('drain', this.#wake);
    stream.on('close', this.#wake);
  }

  readonly #wake = (): void => {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };

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
    if (this.closed || !this.#stream.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
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
    this.#stream.off('drain', this.#wake);
    this.#stream.off('close', this.#wake);
    this.#wake();
  }
}
