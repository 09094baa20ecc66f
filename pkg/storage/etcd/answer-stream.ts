/** One raw gRPC stream of watch answers, as something to be awaited. Its listeners never throw and hold a bounded number of bytes. */
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { WatchAnswer } from './wire.ts';

/** While this much waits to be taken the stream is not read; etcd then holds back, and catches the watcher up later. */
const MOST_QUEUED_BYTES = 4 * 1024 * 1024;

export class AnswerStream {
  readonly #stream: ClientDuplexStream<Buffer, WatchAnswer>;
  #queue: WatchAnswer[] = [];
  #queuedBytes = 0;
  #over = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(stream: ClientDuplexStream<Buffer, WatchAnswer>) {
    this.#stream = stream;
    stream.on('data', (answer: WatchAnswer) => {
      if (this.#over) return;
      this.#queue.push(answer);
      this.#queuedBytes += answer.bytes;
      if (this.#queuedBytes >= MOST_QUEUED_BYTES) stream.pause();
      this.#wake?.();
    });
    stream.on('error', (error: Error) => this.#end(error));
    stream.on('end', () => this.#end(undefined));
    stream.on('close', () => this.#end(undefined));
  }

  send(message: Buffer): void {
    if (!this.#over) this.#stream.write(message);
  }

  /** Everything that has arrived, at least one answer. `undefined`: the stream is over. Throws when it broke. One caller at a time. */
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
    if (this.#stream.isPaused()) this.#stream.resume();
    return taken;
  }

  /** Ends the stream; what was not taken is dropped. May be called twice. */
  cancel(): void {
    this.#queue = [];
    this.#end(undefined);
    this.#stream.cancel();
  }

  #end(failure: Error | undefined): void {
    // An error that follows the cancellation is its echo.
    if (!this.#over) this.#failure = failure;
    this.#over = true;
    this.#wake?.();
  }
}
