/** What a connection sends. All that comes in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';
import { LARGE_PAGE_BYTES, type FramePage, type FramePagePool } from './page-pool.ts';
import { FRAME_HEADER_BYTES, writeFrameHeader } from './frames.ts';

/** So long a frame that is in no hurry waits for another one. */
const DEFERRED_MS = 5;

export class Outbox {
  readonly #socket: Socket;
  readonly #pool: FramePagePool;
  readonly #onTaken: (() => void) | undefined;
  /**
   * Frames lie side by side in it: a small Buffer for each would be garbage that is dear to collect, and would have to
   * be copied once more.
   */
  #page: FramePage | undefined;
  /** Where in the page the frames begin that wait, and where they end. */
  #start = 0;
  #end = 0;
  /** In pages before, in order, and not yet given to the socket. */
  readonly #frames: { readonly page: FramePage; readonly start: number; readonly end: number }[] = [];
  #scheduled = false;
  /** Goes with the next frame. */
  #deferred: Buffer | undefined;
  #deferral: NodeJS.Timeout | undefined;
  /** Under way. */
  #writes = 0;
  #pendingBytes = 0;
  /** When the socket took something, or there was nothing to take. */
  #takenAt = 0;
  /** Of the last write: the next one may be as large. */
  #lastBytes = 0;

  /** `onTaken`: the socket has taken some of what was pending. */
  constructor(socket: Socket, pool: FramePagePool, onTaken?: () => void) {
    this.#socket = socket;
    this.#pool = pool;
    this.#onTaken = onTaken;
  }

  /** Not taken by the socket yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Of what is pending, nothing was taken for so many milliseconds; 0 when nothing is. */
  stalledMs(now: number): number {
    return this.#pendingBytes === 0 ? 0 : now - this.#takenAt;
  }

  /** In order. What the socket does not take waits in its memory: who pushes bounds it. */
  push(frame: Buffer): void {
    const at = this.#room(frame.byteLength);
    this.#page?.bytes.set(frame, at);
  }

  /**
   * Goes out with what is pushed next, or in some milliseconds by itself: a write of its own would cost more than the
   * call that made the other side ask.
   */
  defer(frame: Buffer): void {
    if (this.#deferred !== undefined || this.#scheduled) {
      this.push(frame);
      return;
    }
    this.#deferred = frame;
    this.#deferral ??= setTimeout(this.#pushDeferred, DEFERRED_MS).unref();
  }

  /** Room for a frame in the same order, to be filled in this turn. */
  reserve(bytes: number): Buffer {
    const at = this.#room(bytes);
    return this.#page?.bytes.subarray(at, at + bytes) ?? Buffer.alloc(bytes);
  }

  /** A frame whose payload is `payload` from `start` to `end`. */
  pushFrame(type: number, flags: number, stream: number, payload: Uint8Array, start: number, end: number): void {
    const at = this.#room(FRAME_HEADER_BYTES + end - start);
    const bytes = this.#page?.bytes;
    if (bytes === undefined) return;
    const to = writeFrameHeader(bytes, at, end - start, type, flags, stream);
    bytes.set(start === 0 && end === payload.byteLength ? payload : payload.subarray(start, end), to);
  }

  /** Gives all that waits to the socket: nothing comes behind it. */
  flush(): void {
    this.#setAside();
    while (this.#frames.length > 0 && !this.#socket.destroyed) this.#write();
  }

  /**
   * One write after the other: of what a TLS socket is given meanwhile it makes copies, each in new memory. What comes
   * meanwhile goes out together.
   */
  readonly #flushInTurn = (): void => {
    this.#scheduled = false;
    if (this.#writes > 0 || this.#socket.destroyed) return;
    if (this.#frames.length === 0) this.#setAside();
    this.#write();
  };

  readonly #pushDeferred = (): void => {
    this.#deferral = undefined;
    const frame = this.#deferred;
    this.#deferred = undefined;
    if (frame !== undefined && !this.#socket.destroyed) this.push(frame);
  };

  #write(): void {
    const frames = this.#frames.shift();
    if (frames === undefined) return;
    const { page, start, end } = frames;
    this.#writes++;
    this.#lastBytes = end - start;
    this.#socket.write(page.bytes.subarray(start, end), () => this.#written(page, end - start));
  }

  /** Where in the page so many bytes begin, which count as sent from now on. */
  #room(bytes: number): number {
    if (this.#deferred !== undefined) {
      const frame = this.#deferred;
      this.#deferred = undefined;
      this.push(frame);
    }
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flushInTurn);
    }
    if (this.#pendingBytes === 0) this.#takenAt = performance.now();
    this.#pendingBytes += bytes;
    let page = this.#page;
    if (page === undefined || this.#end + bytes > page.bytes.byteLength) {
      this.#setAside();
      const old = page;
      page = this.#page = this.#pool.take(
        Math.max(bytes, Math.min(old === undefined ? this.#lastBytes : LARGE_PAGE_BYTES, LARGE_PAGE_BYTES)),
      );
      page.users++;
      this.#start = this.#end = 0;
      if (old !== undefined) this.#leave(old);
    }
    const at = this.#end;
    this.#end += bytes;
    return at;
  }

  /** What is in the page and waits. */
  #setAside(): void {
    if (this.#page === undefined || this.#end === this.#start) return;
    this.#frames.push({ page: this.#page, start: this.#start, end: this.#end });
    this.#page.users++;
    this.#start = this.#end;
  }

  #written(page: FramePage, bytes: number): void {
    this.#writes--;
    this.#pendingBytes -= bytes;
    this.#takenAt = performance.now();
    this.#leave(page);
    // Nothing waits in the page: who has nothing to send holds none.
    if (this.#page === page && page.users === 1 && this.#start === this.#end) {
      this.#page = undefined;
      this.#leave(page);
    }
    this.#onTaken?.();
    this.#flushInTurn();
  }

  #leave(page: FramePage): void {
    page.users--;
    if (page.users === 0) this.#pool.give(page);
  }
}
