/** What a connection sends. All that comes in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';

/** Frames lie side by side in pages of this size: a small Buffer for each would be garbage that is dear to collect, and would have to be copied once more. */
const PAGE_BYTES = 128 * 1024;

/** One page of frames, and how many writes of it the socket has not done yet. */
class Page {
  readonly bytes: Buffer;
  writes = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }
}

export class Outbox {
  readonly #socket: Socket;
  #page = new Page(0);
  /** A page that the socket is done with, to be written to next: new ones at this rate would have the garbage collector at work all the time. */
  #spare: Page | undefined;
  /** Where in the page the frames begin that wait, and where they end. */
  #start = 0;
  #end = 0;
  /** In pages, in order, and not yet given to the socket. */
  readonly #frames: { readonly page: Page; readonly start: number; readonly end: number }[] = [];
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
    if (this.#end + bytes > this.#page.bytes.byteLength) this.#turnPage(bytes);
    const from = this.#end;
    this.#end += bytes;
    return this.#page.bytes.subarray(from, this.#end);
  }

  /** Sends now what waits. */
  readonly #flush = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  flush(): void {
    this.#setAside();
    const frames = this.#frames.splice(0);
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    for (const { page, start, end } of frames) {
      page.writes++;
      this.#socket.write(page.bytes.subarray(start, end), () => {
        page.writes--;
        this.#keep(page);
      });
    }
    this.#socket.uncork();
  }

  /** Of the old page some is still to be written, or waits in the socket: it is not written to before that is over. */
  #turnPage(bytes: number): void {
    const old = this.#page;
    this.#setAside();
    this.#page = bytes <= PAGE_BYTES && this.#spare !== undefined ? this.#spare : new Page(Math.max(PAGE_BYTES, bytes));
    if (this.#page === this.#spare) this.#spare = undefined;
    this.#start = this.#end = 0;
    this.#keep(old);
  }

  /** What is in the page and waits. */
  #setAside(): void {
    if (this.#end > this.#start) this.#frames.push({ page: this.#page, start: this.#start, end: this.#end });
    this.#start = this.#end;
  }

  #keep(page: Page): void {
    if (page === this.#page || page.writes > 0 || page.bytes.byteLength !== PAGE_BYTES) return;
    if (this.#frames.some((frames) => frames.page === page)) return;
    this.#spare = page;
  }
}
