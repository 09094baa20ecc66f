/** Strict reader of the protobuf wire format. Errors are StatusError BadRequest with an offset; nesting is bounded. */
import { isUtf8 } from 'node:buffer';
import { badRequest, type StatusError } from '../../apimachinery/status/status-error.ts';
import { END_GROUP, FIXED32, FIXED64, LENGTH_DELIMITED, START_GROUP, VARINT } from './wire-type.ts';

/** The limit of protobuf's own libraries. Deeper messages could overflow the stack. */
export const MAX_MESSAGE_DEPTH = 100;

const MAX_VARINT_BYTES = 10;
const TWO_POW_32 = 2 ** 32;
const REPLACEMENT = '\ufffd';
/** A longer slice is a V8 sliced string, which would keep the whole text in memory. */
const MAX_SLICED_BYTES = 12;

export class MessageReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** End of the innermost open message. */
  #end: number;
  #depth = 0;
  /** Both 32-bit halves of the last varint. */
  #low = 0;
  #high = 0;
  /** The whole message as a string: slicing it is faster than decoding bytes. */
  #latin1: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  /** Whether the innermost open message has more bytes. */
  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** Reads the length of a message and enters it. Returns the argument for `close`, to be called at its end. */
  open(): number {
    if (++this.#depth > MAX_MESSAGE_DEPTH) throw this.malformed(`messages are nested deeper than ${MAX_MESSAGE_DEPTH} levels`);
    const outer = this.#end;
    this.#end = this.#length();
    return outer;
  }

  close(outer: number): void {
    this.#depth--;
    this.#end = outer;
  }

  /** Field number and wire type. */
  tag(): number {
    const first = this.#bytes[this.#at] ?? 0;
    if (first < 0x80 && first > 7 && this.#at < this.#end) {
      this.#at++;
      return first;
    }
    this.#varint();
    const tag = this.#low >>> 0;
    if (this.#high !== 0 || tag < 8) throw this.malformed('a field has an invalid number');
    return tag;
  }

  /** Truncated to 32 bits, as in Go. */
  int32(): number {
    this.#varint();
    return this.#low;
  }

  /** A `bigint` if the double has another decimal text: 2^60 + 256 is a double, but is written differently. */
  int64(): number | bigint {
    this.#varint();
    const value = this.#high * TWO_POW_32 + (this.#low >>> 0);
    if (Number.isSafeInteger(value)) return value;
    const exact = (BigInt(this.#high) << 32n) | BigInt(this.#low >>> 0);
    return String(Number(exact)) === String(exact) ? Number(exact) : exact;
  }

  boolean(): boolean {
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  /** A view. */
  bytes(): Buffer {
    const end = this.#length();
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }

  /** Throws if it is not UTF-8. */
  text(): string {
    const end = this.#length();
    const start = this.#at;
    this.#at = end;
    if (end - start <= MAX_SLICED_BYTES && this.#isAscii(start, end)) {
      this.#latin1 ??= this.#bytes.toString('latin1');
      return this.#latin1.slice(start, end);
    }
    const text = this.#bytes.toString('utf8', start, end);
    if (text.includes(REPLACEMENT) && !isUtf8(this.#bytes.subarray(start, end))) {
      this.#at = start;
      throw this.malformed('a string is not UTF-8');
    }
    return text;
  }

  /** Skips the value after `tag`. Groups, which Kubernetes does not use, are skipped like other unknown fields. */
  skip(tag: number): void {
    for (let groups = 0, next = tag; ; next = this.tag()) {
      switch (next & 7) {
        case VARINT:
          this.#varint();
          break;
        case FIXED64:
          this.#advance(8);
          break;
        case LENGTH_DELIMITED:
          this.#at = this.#length();
          break;
        case START_GROUP:
          groups++;
          break;
        case END_GROUP:
          if (groups === 0) throw this.malformed('a group ends without a start');
          groups--;
          break;
        case FIXED32:
          this.#advance(4);
          break;
        default:
          throw this.malformed('a value has an unknown wire type');
      }
      if (groups === 0) return;
      if (!this.hasMore) throw this.#truncated();
    }
  }

  /** Skips the value after `tag`. Throws if it is one of `fields`, numbered from 1, with the wrong type. */
  skipUnknown(tag: number, fields: readonly string[]): void {
    const known = fields[Math.floor(tag / 8) - 1];
    if (known !== undefined) throw this.wrongWireType(tag, known);
    this.skip(tag);
  }

  malformed(why: string): StatusError {
    return badRequest(`invalid protobuf at offset ${this.#at}: ${why}`);
  }

  /** The error for a known field with the wrong wire type. */
  wrongWireType(tag: number, field: string): StatusError {
    return this.malformed(`the field ${field} has the wire type ${tag & 7}; another one is expected`);
  }

  #isAscii(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if ((this.#bytes[at] ?? 0) >= 0x80) return false;
    return true;
  }

  #truncated(): StatusError {
    return this.malformed('unexpected end of the message');
  }

  #advance(bytes: number): void {
    if (this.#end - this.#at < bytes) throw this.#truncated();
    this.#at += bytes;
  }

  /** Reads a length and returns the end offset. */
  #length(): number {
    this.#varint();
    const length = this.#low >>> 0;
    if (this.#high !== 0 || length > this.#end - this.#at) throw this.#truncated();
    return this.#at + length;
  }

  #varint(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    if (at >= end) throw this.#truncated();
    let byte = bytes[at++] ?? 0;
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (at >= end) throw this.#truncated();
      if (shift === 7 * MAX_VARINT_BYTES) throw this.malformed('a number has more than 64 bits');
      byte = bytes[at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
    }
    this.#at = at;
    this.#low = low;
    this.#high = high;
  }
}
