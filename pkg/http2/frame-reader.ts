/** Cuts what a connection brings into frames. */
import { DEFAULT_FRAME_BYTES, ERROR_CODE, FRAME_HEADER_BYTES, ProtocolError } from './frames.ts';

/** The payload is `buffer` from `start` to `end`, and of use during the call only. */
export type OnFrame = (type: number, flags: number, stream: number, buffer: Buffer, start: number, end: number) => void;

export class FrameReader {
  readonly #onFrame: OnFrame;
  /** The beginning of a frame whose rest has not come yet. */
  #begun = Buffer.alloc(0);
  #begunBytes = 0;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /**
   * Hands on every frame that is complete. Keeps no part of `chunk`. Throws ProtocolError at a frame longer than was
   * allowed.
   */
  push(chunk: Buffer): void {
    let at = this.#begunBytes > 0 ? this.#complete(chunk) : 0;
    while (chunk.length - at >= FRAME_HEADER_BYTES) {
      const end = at + frameBytes(chunk, at);
      if (end > chunk.length) break;
      this.#emit(chunk, at, end);
      at = end;
    }
    if (at === chunk.length) return;
    if (this.#begun.length === 0) this.#begun = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + DEFAULT_FRAME_BYTES);
    this.#begunBytes = chunk.copy(this.#begun, 0, at);
  }

  /** Adds to the frame that has begun. Returns where the next one starts, or the end. */
  #complete(chunk: Buffer): number {
    let at = this.#fill(chunk, 0, FRAME_HEADER_BYTES);
    if (this.#begunBytes < FRAME_HEADER_BYTES) return at;
    const bytes = frameBytes(this.#begun, 0);
    at = this.#fill(chunk, at, bytes);
    if (this.#begunBytes < bytes) return at;
    this.#begunBytes = 0;
    this.#emit(this.#begun, 0, bytes);
    return at;
  }

  #fill(chunk: Buffer, at: number, upTo: number): number {
    const end = Math.min(chunk.length, at + Math.max(0, upTo - this.#begunBytes));
    this.#begunBytes += chunk.copy(this.#begun, this.#begunBytes, at, end);
    return end;
  }

  #emit(buffer: Buffer, at: number, end: number): void {
    const stream = buffer.readUInt32BE(at + 5) & 0x7fff_ffff;
    this.#onFrame(buffer.readUInt8(at + 3), buffer.readUInt8(at + 4), stream, buffer, at + FRAME_HEADER_BYTES, end);
  }
}

/** With its header. */
function frameBytes(buffer: Buffer, at: number): number {
  const length = buffer.readUInt32BE(at) >>> 8;
  if (length > DEFAULT_FRAME_BYTES) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is longer than allowed');
  return FRAME_HEADER_BYTES + length;
}
