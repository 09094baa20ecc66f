/** An awaitable queue of the responses of one watch stream, bounded in bytes. */
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import type { EtcdStream, StreamListener } from './transport.ts';
import type { WatchAnswer } from './wire.ts';

/** The stream is paused at this size. etcd then buffers, and synchronizes the watcher later. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export class AnswerStream {
  readonly #stream: EtcdStream;
  readonly #decode: (message: Buffer) => WatchAnswer;
  #queue: WatchAnswer[] = [];
  #queuedBytes = 0;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(open: (listener: StreamListener) => EtcdStream, decode: (message: Buffer) => WatchAnswer) {
    this.#decode = decode;
    this.#stream = open({ onMessage: (message) => this.#onMessage(message), onEnd: (error) => this.#end(error) });
  }

  send(message: Buffer): void {
    this.#stream.send(message);
  }

  /** Waits for responses. Undefined at the end of the stream; throws when it failed. One caller at a time. */
  async take(): Promise<readonly WatchAnswer[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const taken = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#stream.resume();
    return taken;
  }

  /** Ends the stream and drops what is queued. Idempotent. */
  cancel(): void {
    this.#queue = [];
    this.#end(undefined);
    this.#stream.cancel();
  }

  #onMessage(message: Buffer): void {
    const answer = this.#decoded(message);
    if (answer === undefined) return;
    this.#queue.push(answer);
    this.#queuedBytes += answer.bytes;
    if (this.#queuedBytes >= MAX_QUEUED_BYTES) this.#stream.pause();
    this.#wake?.();
  }

  /** Ends the stream when the message is malformed. */
  #decoded(message: Buffer): WatchAnswer | undefined {
    try {
      return this.#decode(message);
    } catch (error) {
      this.#end(new GrpcError(GRPC.internal, `the response cannot be decoded: ${errorMessage(error)}`, { cause: error }));
      this.#stream.cancel();
      return undefined;
    }
  }

  #end(failure: Error | undefined): void {
    // Only the first end counts: cancelling causes another.
    if (!this.#ended) this.#failure = failure;
    this.#ended = true;
    this.#wake?.();
  }
}
