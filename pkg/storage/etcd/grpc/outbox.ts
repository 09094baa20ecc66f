/** What a connection sends. All that comes in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';

/** Frames lie side by side in pages of this size: a small Buffer for each would be garbage that is dear to collect, and would have to be copied once more. */
const PAGE_BYTES = 128 * 1024;

export class Outbox {
  readonly #socket: Socket;
  #page = Buffer.alloc(0);
  /** Where in the page the frames begin that wait, and where they end. */
  #start = 0;
  #end = 0;
  /** What waits before them. */
  #full: Buffer[] = [];
  #scheduled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** In order. What the socket does not take waits in its memory, bounded by the windows of the other side and the few frames that need none. */
  push(frame: Buffer): void {
    frame.copy(this.reserve(frame.byteLength));
  }

  /** Room for a frame in the same order, to be filled in this turn. */
  reserve(bytes: number): Buffer {
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flush);
    }
    if (this.#end + bytes > this.#page.byteLength) this.#turnPage(bytes);
    const from = this.#end;
    this.#end += bytes;
    return this.#page.subarray(from, this.#end);
  }

  /** Sends now what waits. */
  readonly #flush = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  flush(): void {
    const waiting = this.#full;
    if (this.#end > this.#start) waiting.push(this.#page.subarray(this.#start, this.#end));
    this.#start = this.#end;
    this.#full = [];
    if (waiting.length === 0 || this.#socket.destroyed) return;
    this.#socket.cork();
    for (const bytes of waiting) this.#socket.write(bytes);
    this.#socket.uncork();
  }

  /** What was sent of the old one may still wait in the socket, so it is not written to again. */
  #turnPage(bytes: number): void {
    if (this.#end > this.#start) this.#full.push(this.#page.subarray(this.#start, this.#end));
    this.#page = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, bytes));
    this.#start = this.#end = 0;
  }
}
