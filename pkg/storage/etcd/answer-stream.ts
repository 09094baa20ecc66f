/** One stream of watch answers, as something to be awaited. It holds a bounded number of bytes. */
import { GRPC, GrpcError } from './grpc/status.ts';
import type { EtcdStream, StreamListener } from './transport.ts';
import type { WatchAnswer } from './wire.ts';

/** While this much waits to be taken the stream is not read; etcd then holds back, and catches the watcher up later. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export class AnswerStream {
  readonly #stream: EtcdStream;
  readonly #decode: (message: Buffer) => WatchAnswer;
  #queue: WatchAnswer[] = [];
  #queuedBytes = 0;
  #over = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(open: (listener: StreamListener) => EtcdStream, decode: (message: Buffer) => WatchAnswer) {
    this.#decode = decode;
    this.#stream = open({ onMessage: (message) => this.#onMessage(message), onEnd: (error) => this.#end(error) });
  }

  send(message: Buffer): void {
    this.#stream.send(message);
  }

  /**
   * Everything that has arrived, at least one answer. `undefined`: the stream is over. Throws when it broke. One caller
   * at a time.
   */
  async take(): Promise<readonly WatchAnswer[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#over) return undefined;
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

  /** Ends the stream; what was not taken is dropped. May be called twice. */
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

  /** Ends the stream with what is no answer. */
  #decoded(message: Buffer): WatchAnswer | undefined {
    try {
      return this.#decode(message);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#end(new GrpcError(GRPC.internal, `the answer cannot be decoded: ${why}`, { cause: error }));
      this.#stream.cancel();
      return undefined;
    }
  }

  #end(failure: Error | undefined): void {
    // What follows the end is its echo.
    if (!this.#over) this.#failure = failure;
    this.#over = true;
    this.#wake?.();
  }
}
