/** Sends requests within what the other side takes: its windows (RFC 9113 §5.2) and the size of its frames. */
import {
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW_BYTES,
  ERROR_CODE,
  FLAG,
  FRAME,
  FRAME_HEADER_BYTES,
  frame,
  MOST_WINDOW_BYTES,
  ProtocolError,
  writeFrameHeader,
} from '../../../http2/frames.ts';
import type { GrpcStream } from './grpc-stream.ts';
import type { Outbox } from '../../../http2/outbox.ts';
import type { RequestHeaders } from './request-headers.ts';

export class RequestSender {
  readonly #outbox: Outbox;
  readonly #headers: RequestHeaders;
  #frameBytes = DEFAULT_FRAME_BYTES;
  /** Of a stream at its beginning. */
  #initialWindowBytes = DEFAULT_WINDOW_BYTES;
  /** Of all streams together. */
  #windowBytes = DEFAULT_WINDOW_BYTES;
  /** With something that is not sent yet. The first of them are served first. */
  readonly #unsent = new Set<GrpcStream>();

  constructor(outbox: Outbox, headers: RequestHeaders) {
    this.#outbox = outbox;
    this.#headers = headers;
  }

  /** Opens the stream, which has its id, and sends as much as may be sent. */
  begin(stream: GrpcStream): void {
    const { id, head, restBytes, endsWithRest } = stream;
    const block = this.#headers.block(head);
    stream.windowBytes = this.#initialWindowBytes;
    const most = Math.min(this.#frameBytes, this.#initialWindowBytes, this.#windowBytes);
    if (this.#unsent.size > 0 || restBytes > most || block.length > this.#frameBytes || !endsWithRest) {
      this.#sendBlock(id, block);
      this.send(stream);
      return;
    }
    const bytes = this.#outbox.reserve(2 * FRAME_HEADER_BYTES + block.length + restBytes);
    let at = writeFrameHeader(bytes, 0, block.length, FRAME.headers, FLAG.endHeaders, id);
    at += block.copy(bytes, at);
    at = writeFrameHeader(bytes, at, restBytes, FRAME.data, FLAG.endStream, id);
    stream.take(bytes, at, restBytes);
    stream.windowBytes -= restBytes;
    this.#windowBytes -= restBytes;
  }

  /** There is more of a stream that was begun. */
  send(stream: GrpcStream): void {
    this.#unsent.add(stream);
    this.#sendRest();
  }

  /** Nothing more of it is sent. */
  forget(stream: GrpcStream): void {
    this.#unsent.delete(stream);
  }

  /** The other side takes more: of `stream`, or of all together. */
  widen(stream: GrpcStream | undefined, bytes: number): void {
    const wider = (stream?.windowBytes ?? this.#windowBytes) + bytes;
    if (wider > MOST_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, 'a window is wider than windows can be');
    if (stream === undefined) this.#windowBytes = wider;
    else stream.windowBytes = wider;
    this.#sendRest();
  }

  limitTable(bytes: number): void {
    this.#headers.limitTable(bytes);
  }

  limitFrames(bytes: number): void {
    if (bytes < DEFAULT_FRAME_BYTES || bytes >= 2 ** 24)
      throw new ProtocolError(ERROR_CODE.protocolError, 'a limit on frames that cannot be');
    this.#frameBytes = bytes;
  }

  /** Changes the windows of the streams that are open as well, which may leave less than nothing of them (§6.9.2). */
  limitStreams(bytes: number, open: Iterable<GrpcStream>): void {
    if (bytes > MOST_WINDOW_BYTES) throw new ProtocolError(ERROR_CODE.flowControlError, 'a window is wider than windows can be');
    for (const stream of open) stream.windowBytes += bytes - this.#initialWindowBytes;
    this.#initialWindowBytes = bytes;
    this.#sendRest();
  }

  #sendRest(): void {
    for (const stream of this.#unsent) {
      while (stream.restBytes > 0) {
        const count = Math.min(stream.restBytes, this.#frameBytes, this.#windowBytes, stream.windowBytes);
        if (count <= 0) break;
        const bytes = this.#outbox.reserve(FRAME_HEADER_BYTES + count);
        const end = stream.endsWithRest && count === stream.restBytes ? FLAG.endStream : 0;
        stream.take(bytes, writeFrameHeader(bytes, 0, count, FRAME.data, end, stream.id), count);
        stream.windowBytes -= count;
        this.#windowBytes -= count;
      }
      if (stream.restBytes === 0) this.#unsent.delete(stream);
      if (this.#windowBytes <= 0) return;
    }
  }

  /** A block longer than a frame goes on in others, with nothing in between. */
  #sendBlock(id: number, block: Buffer): void {
    for (let at = 0, type: number = FRAME.headers; at < block.length; type = FRAME.continuation) {
      const part = block.subarray(at, at + this.#frameBytes);
      at += part.length;
      this.#outbox.push(frame(type, at === block.length ? FLAG.endHeaders : 0, id, part));
    }
  }
}
