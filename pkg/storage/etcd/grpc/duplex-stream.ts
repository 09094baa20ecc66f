/** A call with any number of messages each way, until one of the sides ends it. */
import { ByteQueue } from '../../../http2/byte-queue.ts';
import { GrpcStream, PREFIX_BYTES } from './grpc-stream.ts';
import type { EtcdStream, StreamHead, StreamListener } from '../transport.ts';

/** What the connection does for a stream. */
export interface DuplexControl {
  /** There is more to be sent. */
  send(stream: DuplexStream): void;
  /** What has come may be reported as taken. */
  report(stream: DuplexStream): void;
  /** It is over, and the server is to know. */
  cancel(stream: DuplexStream): void;
}

export class DuplexStream extends GrpcStream implements EtcdStream {
  readonly ending = false;
  readonly maxMessages = Infinity;
  readonly #listener: StreamListener;
  readonly #control: DuplexControl;
  /** With their prefixes. */
  readonly #unsent = new ByteQueue();
  #paused = false;

  constructor(head: StreamHead, listener: StreamListener, control: DuplexControl) {
    super({ head, dueMs: Infinity });
    this.#listener = listener;
    this.#control = control;
  }

  get queuedBytes(): number {
    return this.#unsent.byteLength;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Sends one more message, which is kept until its turn has come, unless it is over. */
  send(message: Uint8Array): void {
    if (this.over) return;
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    this.#unsent.push(prefix);
    this.#unsent.push(message);
    this.#control.send(this);
  }

  /** The server may send what still fits its window, and no more. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.over) this.#control.report(this);
  }

  /** Ends it. The listener is told nothing more. May be called again. */
  cancel(): void {
    if (this.end()) this.#control.cancel(this);
  }

  take(into: Buffer, at: number, count: number): void {
    this.#unsent.take(into, at, count);
  }

  protected onMessage(message: Buffer): boolean {
    this.#listener.onMessage(message);
    return this.over;
  }

  protected onGoodEnd(): true {
    if (this.end()) this.#listener.onEnd(undefined);
    return true;
  }

  protected onFailure(error: Error): void {
    this.#listener.onEnd(error);
  }
}
