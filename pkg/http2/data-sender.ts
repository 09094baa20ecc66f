/** Sends the data of the streams of a connection, within flow-control windows (RFC 9113 §5.2) and frame sizes. */
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
import type { FrameWriter } from './frame-writer.ts';
import { LARGE_PAGE_BYTES } from './page-pool.ts';

const WINDOW_OVERFLOW = 'a flow-control window exceeds its maximum';
/** Upper limit regardless of the peer's setting, so that streams alternate. */
const MAX_FRAME_BYTES = 32 * 1024;
/**
 * Limit of bytes that the socket has not written, such that one more frame still fits the page. Further data stays in
 * the streams, uncopied, so that the order of streams is decided late.
 */
const MAX_PENDING_BYTES = LARGE_PAGE_BYTES - MAX_FRAME_BYTES - 1024;

export interface SendingStream {
  readonly id: number;
  /** The send window, updated by the sender. A changed setting may make it negative (§6.9.2). */
  windowBytes: number;
  readonly queuedBytes: number;
  /** Nothing follows the queued data. */
  readonly ending: boolean;
  /** Moves the next `count` bytes of the queue to position `at` of `into`. */
  take(into: Buffer, at: number, count: number): void;
  /** The last data was sent with END_STREAM. */
  sentLast(): void;
}

/** The order in which blocked streams are served, evaluated again after each frame. */
export type SendingOrder = (waiting: ReadonlySet<SendingStream>) => Iterable<SendingStream>;

/** One frame of each stream in turn. */
export const roundRobin: SendingOrder = (waiting) => waiting;

/** For calls that are useful only when complete, and have a deadline. */
export function* shortestFirst(waiting: ReadonlySet<SendingStream>): Generator<SendingStream> {
  for (;;) {
    let shortest: SendingStream | undefined;
    for (const stream of waiting) if (shortest === undefined || stream.queuedBytes < shortest.queuedBytes) shortest = stream;
    if (shortest === undefined) return;
    yield shortest;
  }
}

export class DataSender {
  readonly #frameWriter: FrameWriter;
  readonly #order: SendingOrder;
  #frameBytes = DEFAULT_FRAME_BYTES;
  #initialWindowBytes = DEFAULT_WINDOW_BYTES;
  /** The window of the connection. */
  #windowBytes = DEFAULT_WINDOW_BYTES;
  /** Streams with queued data that their own windows allow. */
  readonly #unsent = new Set<SendingStream>();

  constructor(frameWriter: FrameWriter, order: SendingOrder = roundRobin) {
    this.#frameWriter = frameWriter;
    this.#order = order;
  }

  get initialWindowBytes(): number {
    return this.#initialWindowBytes;
  }

  /** Sends a header block as HEADERS and CONTINUATION frames. `last`: the stream ends with it. */
  sendBlock(id: number, block: Buffer, last: boolean): void {
    for (let at = 0, type: number = FRAME.headers; at < block.length; type = FRAME.continuation) {
      const end = Math.min(block.length, at + this.#frameBytes);
      const flags = (end === block.length ? FLAG.endHeaders : 0) | (last && type === FRAME.headers ? FLAG.endStream : 0);
      this.#frameWriter.pushFrame(type, flags, id, block, at, end);
      at = end;
    }
  }

  /** Sends data in one frame, bypassing the queue. False when that is not possible, and it must be queued. */
  sendNow(stream: SendingStream, bytes: Uint8Array): boolean {
    const { byteLength } = bytes;
    if (
      stream.queuedBytes > 0 ||
      byteLength > this.#frameBytes ||
      byteLength > this.#windowBytes ||
      byteLength > stream.windowBytes ||
      this.#frameWriter.pendingBytes >= MAX_PENDING_BYTES
    )
      return false;
    const last = stream.ending;
    this.#frameWriter.pushFrame(FRAME.data, last ? FLAG.endStream : 0, stream.id, bytes, 0, byteLength);
    this.#sent(stream, byteLength, last);
    return true;
  }

  /** Sends what is queued in `stream`, as far as possible. */
  sendQueue(stream: SendingStream): void {
    // Fast path: usually it is one frame and no other stream waits.
    if (this.#unsent.size === 0 && !this.#isFull() && (!this.#sendFrame(stream) || stream.queuedBytes === 0)) return;
    this.#unsent.add(stream);
    this.sendQueued();
  }

  /** Sends what is queued in all streams, as far as possible. */
  sendQueued(): void {
    for (const stream of this.#order(this.#unsent)) {
      if (this.#isFull()) return;
      this.#unsent.delete(stream);
      if (this.#sendFrame(stream) && stream.queuedBytes > 0) this.#unsent.add(stream);
    }
  }

  remove(stream: SendingStream): void {
    this.#unsent.delete(stream);
  }

  /** Widens the window of the connection. */
  widen(bytes: number): void {
    this.#windowBytes = widened(this.#windowBytes, bytes);
    this.sendQueued();
  }

  /** Widens the window of a stream. False when it would exceed the maximum. */
  widenStream(stream: SendingStream, bytes: number): boolean {
    if (stream.windowBytes + bytes > MAX_WINDOW_BYTES) return false;
    stream.windowBytes += bytes;
    if (stream.queuedBytes > 0) this.#unsent.add(stream);
    this.sendQueued();
    return true;
  }

  limitFrames(bytes: number): void {
    if (bytes < DEFAULT_FRAME_BYTES || bytes >= 2 ** 24)
      throw new ProtocolError(ERROR_CODE.protocolError, 'invalid SETTINGS_MAX_FRAME_SIZE');
    this.#frameBytes = Math.min(bytes, MAX_FRAME_BYTES);
  }

  /** Also changes the windows of open streams (§6.9.2). Sends nothing: the SETTINGS ACK must come first (§6.5.3). */
  limitStreams(bytes: number, open: Iterable<SendingStream>): void {
    if (bytes > MAX_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, WINDOW_OVERFLOW);
    for (const stream of open) {
      stream.windowBytes = widened(stream.windowBytes, bytes - this.#initialWindowBytes);
      if (stream.queuedBytes > 0) this.#unsent.add(stream);
    }
    this.#initialWindowBytes = bytes;
  }

  /** No stream may send now. */
  #isFull(): boolean {
    return this.#windowBytes <= 0 || this.#frameWriter.pendingBytes >= MAX_PENDING_BYTES;
  }

  /** Sends the next frame of the queue. False when the window of the stream is used up. */
  #sendFrame(stream: SendingStream): boolean {
    const count = Math.min(stream.queuedBytes, this.#frameBytes, this.#windowBytes, stream.windowBytes);
    if (count <= 0) return false;
    const last = stream.ending && count === stream.queuedBytes;
    const bytes = this.#frameWriter.reserve(FRAME_HEADER_BYTES + count);
    stream.take(bytes, writeFrameHeader(bytes, 0, count, FRAME.data, last ? FLAG.endStream : 0, stream.id), count);
    this.#sent(stream, count, last);
    return true;
  }

  #sent(stream: SendingStream, bytes: number, last: boolean): void {
    stream.windowBytes -= bytes;
    this.#windowBytes -= bytes;
    if (last) stream.sentLast();
  }
}

function widened(windowBytes: number, bytes: number): number {
  if (windowBytes + bytes > MAX_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, WINDOW_OVERFLOW);
  return windowBytes + bytes;
}
