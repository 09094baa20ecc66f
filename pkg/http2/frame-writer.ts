/** Writes the frames of a connection to its socket: those of one tick of the event loop as one write. */
import type { Socket } from 'node:net';
import { LARGE_PAGE_BYTES, type FramePage, type FramePagePool } from './page-pool.ts';
import { FRAME_HEADER_BYTES, writeFrameHeader } from './frames.ts';

/** Maximum delay of a deferred frame. */
const DEFERRED_MS = 5;

export class FrameWriter {
  readonly #socket: Socket;
  readonly #pool: FramePagePool;
  readonly #onTaken: (() => void) | undefined;
  /** Frames are written into it side by side, because a Buffer for each would cost garbage collection and a copy. */
  #page: FramePage | undefined;
  /** The unsent part of the page. */
  #start = 0;
  #end = 0;
  /** Unsent parts of earlier pages, in order. */
  readonly #parts: { readonly page: FramePage; readonly start: number; readonly end: number }[] = [];
  #scheduled = false;
  /** Sent with the next frame. */
  #deferred: Buffer | undefined;
  #deferral: NodeJS.Timeout | undefined;
  /** Running writes. */
  #writes = 0;
  #pendingBytes = 0;
  /** When the socket last completed a write, or had nothing to write. */
  #progressAt = 0;
  /** Size of the last write, as an estimate for the next. */
  #lastBytes = 0;

  /** `onTaken`: called when the socket has completed a write. */
  constructor(socket: Socket, pool: FramePagePool, onTaken?: () => void) {
    this.#socket = socket;
    this.#pool = pool;
    this.#onTaken = onTaken;
  }

  /** Bytes that the socket has not written yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Milliseconds without progress on pending bytes; 0 when there are none. */
  stalledMs(now: number): number {
    return this.#pendingBytes === 0 ? 0 : now - this.#progressAt;
  }

  /** Does not bound the memory used, which is up to the caller. */
  push(frame: Buffer): void {
    const at = this.#allocate(frame.byteLength);
    this.#page?.bytes.set(frame, at);
  }

  /** Sends a frame with the next one, or after some milliseconds, because a separate write would be expensive. */
  defer(frame: Buffer): void {
    if (this.#deferred !== undefined || this.#scheduled) {
      this.push(frame);
      return;
    }
    this.#deferred = frame;
    this.#deferral ??= setTimeout(this.#pushDeferred, DEFERRED_MS).unref();
  }

  /** Memory for a frame, which the caller must fill in the same tick. */
  reserve(bytes: number): Buffer {
    const at = this.#allocate(bytes);
    return this.#page?.bytes.subarray(at, at + bytes) ?? Buffer.alloc(bytes);
  }

  /** A frame whose payload is `payload` from `start` to `end`. */
  pushFrame(type: number, flags: number, stream: number, payload: Uint8Array, start: number, end: number): void {
    const at = this.#allocate(FRAME_HEADER_BYTES + end - start);
    const bytes = this.#page?.bytes;
    if (bytes === undefined) return;
    const to = writeFrameHeader(bytes, at, end - start, type, flags, stream);
    bytes.set(start === 0 && end === payload.byteLength ? payload : payload.subarray(start, end), to);
  }

  /** Passes everything to the socket. */
  flush(): void {
    this.#queuePart();
    while (this.#parts.length > 0 && !this.#socket.destroyed) this.#write();
  }

  /** Only one write at a time: a TLS socket copies what it is given during another write. */
  readonly #flushNext = (): void => {
    this.#scheduled = false;
    if (this.#writes > 0 || this.#socket.destroyed) return;
    if (this.#parts.length === 0) this.#queuePart();
    this.#write();
  };

  readonly #pushDeferred = (): void => {
    this.#deferral = undefined;
    const frame = this.#deferred;
    this.#deferred = undefined;
    if (frame !== undefined && !this.#socket.destroyed) this.push(frame);
  };

  #write(): void {
    const part = this.#parts.shift();
    if (part === undefined) return;
    const { page, start, end } = part;
    this.#writes++;
    this.#lastBytes = end - start;
    this.#socket.write(page.bytes.subarray(start, end), () => this.#written(page, end - start));
  }

  /** Reserves `bytes` in the page, and returns their position. */
  #allocate(bytes: number): number {
    if (this.#deferred !== undefined) {
      const frame = this.#deferred;
      this.#deferred = undefined;
      this.push(frame);
    }
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flushNext);
    }
    if (this.#pendingBytes === 0) this.#progressAt = performance.now();
    this.#pendingBytes += bytes;
    let page = this.#page;
    if (page === undefined || this.#end + bytes > page.bytes.byteLength) {
      this.#queuePart();
      const old = page;
      page = this.#page = this.#pool.take(
        Math.max(bytes, Math.min(old === undefined ? this.#lastBytes : LARGE_PAGE_BYTES, LARGE_PAGE_BYTES)),
      );
      page.users++;
      this.#start = this.#end = 0;
      if (old !== undefined) this.#release(old);
    }
    const at = this.#end;
    this.#end += bytes;
    return at;
  }

  /** Queues the unsent part of the page. */
  #queuePart(): void {
    if (this.#page === undefined || this.#end === this.#start) return;
    this.#parts.push({ page: this.#page, start: this.#start, end: this.#end });
    this.#page.users++;
    this.#start = this.#end;
  }

  #written(page: FramePage, bytes: number): void {
    this.#writes--;
    this.#pendingBytes -= bytes;
    this.#progressAt = performance.now();
    this.#release(page);
    // An idle connection holds no page.
    if (this.#page === page && page.users === 1 && this.#start === this.#end) {
      this.#page = undefined;
      this.#release(page);
    }
    this.#onTaken?.();
    this.#flushNext();
  }

  #release(page: FramePage): void {
    page.users--;
    if (page.users === 0) this.#pool.release(page);
  }
}
