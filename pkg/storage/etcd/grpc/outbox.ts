/** What a connection sends. All that comes in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';

export class Outbox {
  readonly #socket: Socket;
  #frames: Buffer[] = [];
  #scheduled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** In order. What the socket does not take waits in its memory, bounded by the windows of the other side and the few frames that need none. */
  push(frame: Buffer): void {
    this.#frames.push(frame);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  /** Sends now what waits. */
  readonly #flush = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  flush(): void {
    const [first] = this.#frames;
    if (first === undefined) return;
    const bytes = this.#frames.length === 1 ? first : Buffer.concat(this.#frames);
    this.#frames = [];
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }
}
