/** Assembles header blocks from HEADERS and CONTINUATION frames (RFC 9113 §6.2, §6.10). */
import { ERROR_CODE, FLAG, FRAME, ProtocolError } from './frames.ts';
import { HpackDecoder, type HeaderLimits } from './hpack-decoder.ts';
import type { ReceivedField } from './received-field.ts';

const MAX_FRAMES = 64;
/** The size of the optional priority fields. */
export const PRIORITY_BYTES = 5;

/** `fields`: undefined when they exceed the limits. `last`: the stream ends with the block. */
type OnFields = (stream: number, fields: readonly ReceivedField[] | undefined, last: boolean) => void;

/** One per connection. Must receive all HEADERS and CONTINUATION frames in order, because HPACK is stateful. */
export class HeaderBlocks {
  readonly #onFields: OnFields;
  readonly #decoder: HpackDecoder;
  readonly #maxBytes: number;
  /** An incomplete block. */
  #partial: { readonly stream: number; readonly last: boolean; readonly parts: Buffer[] } | undefined;

  constructor(onFields: OnFields, limits?: HeaderLimits) {
    this.#onFields = onFields;
    this.#decoder = new HpackDecoder(limits);
    this.#maxBytes = limits?.maxBytes ?? Infinity;
  }

  /** Throws ProtocolError when this frame is not allowed now. */
  check(type: number, stream: number): void {
    if ((type === FRAME.continuation ? stream : undefined) !== this.#partial?.stream)
      throw new ProtocolError(ERROR_CODE.protocolError, 'a header block is interrupted, or a CONTINUATION frame has no HEADERS frame');
  }

  /** The payload of a HEADERS frame. */
  begin(flags: number, stream: number, buffer: Buffer, start: number, end: number): void {
    const [from, to] = withoutPadding(flags, buffer, start, end);
    const at = from + ((flags & FLAG.priority) === 0 ? 0 : PRIORITY_BYTES);
    if (at > to) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is too short');
    if (at > from) checkPriority(stream, buffer, from);
    const last = (flags & FLAG.endStream) !== 0;
    if ((flags & FLAG.endHeaders) !== 0) this.#onFields(stream, this.#decoder.decode(buffer, at, to), last);
    else this.#partial = { stream, last, parts: [Buffer.from(buffer.subarray(at, to))] };
  }

  /** The payload of a CONTINUATION frame. */
  continue(flags: number, buffer: Buffer, start: number, end: number): void {
    if (this.#partial === undefined) return;
    const { stream, last, parts } = this.#partial;
    parts.push(Buffer.from(buffer.subarray(start, end)));
    if (parts.length > MAX_FRAMES || parts.reduce((sum, { length }) => sum + length, 0) > this.#maxBytes)
      throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'a header block is too long');
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#partial = undefined;
    const block = Buffer.concat(parts);
    this.#onFields(stream, this.#decoder.decode(block, 0, block.length), last);
  }
}

/** Priorities are ignored (RFC 9113 §5.3.2), but a stream must not depend on itself. */
export function checkPriority(stream: number, buffer: Buffer, at: number): void {
  if ((buffer.readUInt32BE(at) & 0x7fff_ffff) === stream) throw new ProtocolError(ERROR_CODE.protocolError, 'a stream depends on itself');
}

/** The position of the content of a frame that may be padded. */
export function withoutPadding(flags: number, buffer: Buffer, start: number, end: number): readonly [start: number, end: number] {
  if ((flags & FLAG.padded) === 0) return [start, end];
  const to = start < end ? end - buffer.readUInt8(start) : start;
  if (to <= start) throw new ProtocolError(ERROR_CODE.protocolError, 'the padding exceeds the frame');
  return [start + 1, to];
}
