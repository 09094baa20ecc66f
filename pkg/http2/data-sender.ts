/**
 * Sends what the streams of a connection write, within what the other side takes: windows (RFC 9113 §5.2), the size of
 * frames, and what is on its way already.
 */
import {
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW_BYTES,
  ERROR_CODE,
  FLAG,
  FRAME,
  FRAME_HEADER_BYTES,
  MAX_WINDOW_BYTES,
  ProtocolError,
  writeFrameHeader,
} from './frames.ts';
import type { Outbox } from './outbox.ts';
import { LARGE_PAGE_BYTES } from './page-pool.ts';

/** However large the other side takes them: others have their turn between two. */
const MAX_FRAME_BYTES = 32 * 1024;
/**
 * In frames and not taken by the socket, with one more frame a page. More waits in the streams, uncopied, so that the
 * next frame is of whose turn it is.
 */
const MAX_PENDING_BYTES = LARGE_PAGE_BYTES - MAX_FRAME_BYTES - 1024;

/** What the sender must know of a stream. */
export interface SendingStream {
  readonly id: number;
  /**
   * How much the other side takes; a changed setting may leave less than nothing of it (§6.9.2). Kept by the sender.
   */
  windowBytes: number;
  /** Written, and not sent yet. */
  readonly queuedBytes: number;
  /** Nothing comes behind what is queued. */
  readonly ending: boolean;
  /** Copies the next `count` bytes of the queue, of which there must be as many, to `into` from `at` on. */
  take(into: Buffer, at: number, count: number): void;
  /** The end went out with the last of the data. */
  sentLast(): void;
}

/** Which of the streams that wait is served next. Looked at again after each frame. */
export type SendingOrder = (waiting: ReadonlySet<SendingStream>) => Iterable<SendingStream>;

/** A frame of each: nobody who reads waits for what others are sent. */
export const inTurns: SendingOrder = (waiting) => waiting;

/**
 * The one with the least left: for calls that are worth nothing until they are whole, and that must be there in time.
 */
export function* shortestFirst(waiting: ReadonlySet<SendingStream>): Generator<SendingStream> {
  for (;;) {
    let shortest: SendingStream | undefined;
    for (const stream of waiting) if (shortest === undefined || stream.queuedBytes < shortest.queuedBytes) shortest = stream;
    if (shortest === undefined) return;
    yield shortest;
  }
}

export class DataSender {
  readonly #outbox: Outbox;
  readonly #order: SendingOrder;
  #frameBytes = DEFAULT_FRAME_BYTES;
  /** Of a stream at its beginning. */
  #initialWindowBytes = DEFAULT_WINDOW_BYTES;
  /** Of all streams together. */
  #windowBytes = DEFAULT_WINDOW_BYTES;
  /** With something queued that their own windows allow. */
  readonly #unsent = new Set<SendingStream>();

  constructor(outbox: Outbox, order: SendingOrder = inTurns) {
    this.#outbox = outbox;
    this.#order = order;
  }

  get initialWindowBytes(): number {
    return this.#initialWindowBytes;
  }

  /**
   * A header block. One that is longer than a frame goes on in others, with nothing in between. `last`: the stream ends
   * with it.
   */
  sendBlock(id: number, block: Buffer, last: boolean): void {
    for (let at = 0, type: number = FRAME.headers; at < block.length; type = FRAME.continuation) {
      const end = Math.min(block.length, at + this.#frameBytes);
      const flags = (end === block.length ? FLAG.endHeaders : 0) | (last && type === FRAME.headers ? FLAG.endStream : 0);
      this.#outbox.pushFrame(type, flags, id, block, at, end);
      at = end;
    }
  }

  /** Data of a stream, in one frame and without a copy in its queue. False: not now, it must be queued. */
  sendNow(stream: SendingStream, bytes: Uint8Array): boolean {
    const { byteLength } = bytes;
    if (
      stream.queuedBytes > 0 ||
      byteLength > this.#frameBytes ||
      byteLength > this.#windowBytes ||
      byteLength > stream.windowBytes ||
      this.#outbox.pendingBytes >= MAX_PENDING_BYTES
    )
      return false;
    const last = stream.ending;
    this.#outbox.pushFrame(FRAME.data, last ? FLAG.endStream : 0, stream.id, bytes, 0, byteLength);
    this.#count(stream, byteLength, last);
    return true;
  }

  /** There is something in its queue. */
  sendQueue(stream: SendingStream): void {
    // Most of it is one frame, which goes out without standing in line.
    if (this.#unsent.size === 0 && !this.#isFull() && (!this.#sendFrame(stream) || stream.queuedBytes === 0)) return;
    this.#unsent.add(stream);
    this.sendQueued();
  }

  /** As much as goes out now, of all. */
  sendQueued(): void {
    for (const stream of this.#order(this.#unsent)) {
      if (this.#isFull()) return;
      this.#unsent.delete(stream);
      if (this.#sendFrame(stream) && stream.queuedBytes > 0) this.#unsent.add(stream);
    }
  }

  /** Nothing more of it is sent. */
  forget(stream: SendingStream): void {
    this.#unsent.delete(stream);
  }

  /** The other side takes more of all together. */
  widen(bytes: number): void {
    this.#windowBytes = widened(this.#windowBytes, bytes);
    this.sendQueued();
  }

  /** The other side takes more of a stream. False: more than a window can be. */
  widenStream(stream: SendingStream, bytes: number): boolean {
    if (stream.windowBytes + bytes > MAX_WINDOW_BYTES) return false;
    stream.windowBytes += bytes;
    if (stream.queuedBytes > 0) this.#unsent.add(stream);
    this.sendQueued();
    return true;
  }

  limitFrames(bytes: number): void {
    if (bytes < DEFAULT_FRAME_BYTES || bytes >= 2 ** 24)
      throw new ProtocolError(ERROR_CODE.protocolError, 'a limit on frames that cannot be');
    this.#frameBytes = Math.min(bytes, MAX_FRAME_BYTES);
  }

  /**
   * Changes the windows of the streams that are open as well (§6.9.2). Nothing is sent yet: the other settings come
   * first, and then what tells the other side that they hold from here on (§6.5.3).
   */
  limitStreams(bytes: number, open: Iterable<SendingStream>): void {
    if (bytes > MAX_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, 'a window is wider than windows can be');
    for (const stream of open) {
      stream.windowBytes = widened(stream.windowBytes, bytes - this.#initialWindowBytes);
      if (stream.queuedBytes > 0) this.#unsent.add(stream);
    }
    this.#initialWindowBytes = bytes;
  }

  /** Nothing may be sent for now, of whatever stream. */
  #isFull(): boolean {
    return this.#windowBytes <= 0 || this.#outbox.pendingBytes >= MAX_PENDING_BYTES;
  }

  /** The next of its queue. False: its own window is used up; it comes back when that widens. */
  #sendFrame(stream: SendingStream): boolean {
    const count = Math.min(stream.queuedBytes, this.#frameBytes, this.#windowBytes, stream.windowBytes);
    if (count <= 0) return false;
    const last = stream.ending && count === stream.queuedBytes;
    const bytes = this.#outbox.reserve(FRAME_HEADER_BYTES + count);
    stream.take(bytes, writeFrameHeader(bytes, 0, count, FRAME.data, last ? FLAG.endStream : 0, stream.id), count);
    this.#count(stream, count, last);
    return true;
  }

  #count(stream: SendingStream, bytes: number, last: boolean): void {
    stream.windowBytes -= bytes;
    this.#windowBytes -= bytes;
    if (last) stream.sentLast();
  }
}

function widened(windowBytes: number, bytes: number): number {
  if (windowBytes + bytes > MAX_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, 'a window is wider than windows can be');
  return windowBytes + bytes;
}
