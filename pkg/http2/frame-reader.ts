/** Splits received bytes into frames. */
import { DEFAULT_FRAME_BYTES, ERROR_CODE, FRAME_HEADER_BYTES, ProtocolError } from './frames.ts';

/** The payload is `buffer` from `start` to `end`, valid only during the call. */
type OnFrame = (type: number, flags: number, stream: number, buffer: Buffer, start: number, end: number) => void;

export class FrameReader {
  readonly #onFrame: OnFrame;
  /** An incomplete frame. */
  #partial = Buffer.alloc(0);
  #partialBytes = 0;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Emits all complete frames and copies the remaining bytes. Throws ProtocolError when a frame is too long. */
  push(chunk: Buffer): void {
    let at = this.#partialBytes > 0 ? this.#complete(chunk) : 0;
    while (chunk.length - at >= FRAME_HEADER_BYTES) {
      const end = at + frameBytes(chunk, at);
      if (end > chunk.length) break;
      this.#emit(chunk, at, end);
      at = end;
    }
    if (at === chunk.length) return;
    if (this.#partial.length === 0) this.#partial = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + DEFAULT_FRAME_BYTES);
    this.#partialBytes = chunk.copy(this.#partial, 0, at);
  }

  /** Continues the incomplete frame. Returns the position after its bytes. */
  #complete(chunk: Buffer): number {
    let at = this.#fill(chunk, 0, FRAME_HEADER_BYTES);
    if (this.#partialBytes < FRAME_HEADER_BYTES) return at;
    const bytes = frameBytes(this.#partial, 0);
    at = this.#fill(chunk, at, bytes);
    if (this.#partialBytes < bytes) return at;
    this.#partialBytes = 0;
    this.#emit(this.#partial, 0, bytes);
    return at;
  }

  #fill(chunk: Buffer, at: number, upTo: number): number {
    const end = Math.min(chunk.length, at + Math.max(0, upTo - this.#partialBytes));
    this.#partialBytes += chunk.copy(this.#partial, this.#partialBytes, at, end);
    return end;
  }

  #emit(buffer: Buffer, at: number, end: number): void {
    const stream = buffer.readUInt32BE(at + 5) & 0x7fff_ffff;
    this.#onFrame(buffer.readUInt8(at + 3), buffer.readUInt8(at + 4), stream, buffer, at + FRAME_HEADER_BYTES, end);
  }
}

/** The size including the header. */
function frameBytes(buffer: Buffer, at: number): number {
  const length = buffer.readUInt32BE(at) >>> 8;
  if (length > DEFAULT_FRAME_BYTES) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is longer than allowed');
  return FRAME_HEADER_BYTES + length;
}
