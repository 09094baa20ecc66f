/** A bidirectional streaming call. */
import { ByteQueue } from '../../../http2/byte-queue.ts';
import { GrpcStream, PREFIX_BYTES } from './grpc-stream.ts';
import type { EtcdStream, StreamHead, StreamListener } from '../transport.ts';

/** Callbacks into the connection. */
interface DuplexControl {
  /** Sends what is queued. */
  send(): void;
  /** Widens the receive window by what was received. */
  report(): void;
  /** Resets the stream at the server. */
  cancel(): void;
}

export class DuplexStream extends GrpcStream implements EtcdStream {
  readonly ending = false;
  readonly maxMessages = Infinity;
  readonly #listener: StreamListener;
  readonly #control: DuplexControl;
  /** Messages with their prefixes. */
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

  /** Queues a message. Does nothing after the end. */
  send(message: Uint8Array): void {
    if (this.over) return;
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    this.#unsent.push(prefix);
    this.#unsent.push(message);
    this.#control.send();
  }

  /** Stops widening the receive window. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.over) this.#control.report();
  }

  /** Ends the stream without calling the listener. Idempotent. */
  cancel(): void {
    if (this.end()) this.#control.cancel();
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
