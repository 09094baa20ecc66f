/** Header blocks, put together of the frames that they come in (RFC 9113 §6.2, §6.10). */
import { ERROR_CODE, FLAG, FRAME, ProtocolError } from './frames.ts';
import { HpackDecoder, type HeaderLimits } from './hpack-decoder.ts';
import type { ReceivedField } from './received-field.ts';

/** How long a block may be, in frames. */
const MAX_FRAMES = 64;
/** A frame may say, before its content, what its stream is less urgent than. */
export const PRIORITY_BYTES = 5;

/** `fields`: undefined when there are too many of them. `last`: the stream ends with it. */
export type OnFields = (stream: number, fields: readonly ReceivedField[] | undefined, last: boolean) => void;

/** Of one connection. Must see every frame of header blocks, in order, whoever it is for. */
export class HeaderBlocks {
  readonly #onFields: OnFields;
  readonly #decoder: HpackDecoder;
  readonly #maxBytes: number;
  /** It goes on in the next frame. */
  #begun: { readonly stream: number; readonly last: boolean; readonly parts: Buffer[] } | undefined;

  constructor(onFields: OnFields, limits?: HeaderLimits) {
    this.#onFields = onFields;
    this.#decoder = new HpackDecoder(limits);
    this.#maxBytes = limits?.maxBytes ?? Infinity;
  }

  /** Throws ProtocolError when this frame may not come now. */
  check(type: number, stream: number): void {
    if ((type === FRAME.continuation ? stream : undefined) !== this.#begun?.stream)
      throw new ProtocolError(ERROR_CODE.protocolError, 'a header block is interrupted, or goes on without a beginning');
  }

  /** The payload of a HEADERS frame. */
  begin(flags: number, stream: number, buffer: Buffer, start: number, end: number): void {
    const [from, to] = withoutPadding(flags, buffer, start, end);
    const at = from + ((flags & FLAG.priority) === 0 ? 0 : PRIORITY_BYTES);
    if (at > to) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is too short');
    if (at > from) checkPriority(stream, buffer, from);
    const last = (flags & FLAG.endStream) !== 0;
    if ((flags & FLAG.endHeaders) !== 0) this.#onFields(stream, this.#decoder.decode(buffer, at, to), last);
    else this.#begun = { stream, last, parts: [Buffer.from(buffer.subarray(at, to))] };
  }

  /** The payload of a CONTINUATION frame. */
  continue(flags: number, buffer: Buffer, start: number, end: number): void {
    if (this.#begun === undefined) return;
    const { stream, last, parts } = this.#begun;
    parts.push(Buffer.from(buffer.subarray(start, end)));
    if (parts.length > MAX_FRAMES || parts.reduce((sum, { length }) => sum + length, 0) > this.#maxBytes)
      throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'a header block is too long');
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#begun = undefined;
    const block = Buffer.concat(parts);
    this.#onFields(stream, this.#decoder.decode(block, 0, block.length), last);
  }
}

/** Says what a stream is less urgent than, which counts for nothing (RFC 9113 §5.3.2), but cannot be itself. */
export function checkPriority(stream: number, buffer: Buffer, at: number): void {
  if ((buffer.readUInt32BE(at) & 0x7fff_ffff) === stream)
    throw new ProtocolError(ERROR_CODE.protocolError, 'a stream is to come after itself');
}

/** Where the content of a frame is, whose first byte may say how many bytes of nothing follow it. */
export function withoutPadding(flags: number, buffer: Buffer, start: number, end: number): readonly [start: number, end: number] {
  if ((flags & FLAG.padded) === 0) return [start, end];
  const to = start < end ? end - buffer.readUInt8(start) : start;
  if (to <= start) throw new ProtocolError(ERROR_CODE.protocolError, 'a frame is padded with more than it has');
  return [start + 1, to];
}
