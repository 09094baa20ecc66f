/**
 * Reads protobuf's wire format, strictly: every refusal is a StatusError BadRequest that says where. Builds nothing but scalars; how deep
 * messages may lie in one another is bounded here.
 */
import { isUtf8 } from 'node:buffer';
import { badRequest, type StatusError } from '../../apimachinery/status/status-error.ts';
import { END_GROUP, FIXED32, FIXED64, LENGTH_DELIMITED, START_GROUP, VARINT } from './wire-type.ts';

/** Messages inside one another, as protobuf's own libraries have it. A deeper one could overflow the stack. */
export const MAX_MESSAGE_DEPTH = 100;

const MAX_VARINT_BYTES = 10;
const TWO_POW_32 = 2 ** 32;
const REPLACEMENT = '\ufffd';
/** A longer slice would keep the whole text alive for as long as it lives itself. */
const SHORT_TEXT = 12;

export class MessageReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Where the innermost open message ends. */
  #end: number;
  #depth = 0;
  /** Both halves of the last varint, as 32 bits each. */
  #low = 0;
  #high = 0;
  /** The whole message: slices of it are made faster than strings of bytes. */
  #latin1: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  /** Whether the innermost open message goes on. */
  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** Past the length of a message, to its first tag. Returns what `close` takes when it was read to its end. */
  open(): number {
    if (++this.#depth > MAX_MESSAGE_DEPTH) throw this.malformed(`messages lie deeper in one another than ${MAX_MESSAGE_DEPTH} levels`);
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
    if (this.#high !== 0 || tag < 8) throw this.malformed('a field has an impossible number');
    return tag;
  }

  /** 32 bits of it, as Go takes them. */
  int32(): number {
    this.#varint();
    return this.#low;
  }

  /** A `bigint` when a double, as it is written, does not reproduce it: 2^60 + 256 is a double, but one that is written otherwise. */
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

  /** Refused when it is not UTF-8. */
  text(): string {
    const end = this.#length();
    const start = this.#at;
    this.#at = end;
    if (end - start <= SHORT_TEXT && this.#isAscii(start, end)) {
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

  /** Past the value that `tag` announces. Groups, which no message of Kubernetes has, are passed over like everything unknown. */
  skip(tag: number): void {
    for (let groups = 0, next = tag; ; next = this.tag()) {
      switch (next & 7) {
        case VARINT:
          this.#varint();
          break;
        case FIXED64:
          this.#pass(8);
          break;
        case LENGTH_DELIMITED:
          this.#at = this.#length();
          break;
        case START_GROUP:
          groups++;
          break;
        case END_GROUP:
          if (groups === 0) throw this.malformed('a group ends that has not begun');
          groups--;
          break;
        case FIXED32:
          this.#pass(4);
          break;
        default:
          throw this.malformed('a value has an unknown wire type');
      }
      if (groups === 0) return;
      if (!this.hasMore) throw this.#truncated();
    }
  }

  /** Past the value that `tag` announces, in a message that knows `fields`, numbered from 1. Throws when it is one of them with another type. */
  skipUnknown(tag: number, fields: readonly string[]): void {
    const known = fields[Math.floor(tag / 8) - 1];
    if (known !== undefined) throw this.wrongWireType(tag, known);
    this.skip(tag);
  }

  malformed(why: string): StatusError {
    return badRequest(`invalid protobuf at offset ${this.#at}: ${why}`);
  }

  /** Of a field that is known under `tag`'s number, with another type. */
  wrongWireType(tag: number, field: string): StatusError {
    return this.malformed(`the field ${field} has the wire type ${tag & 7}, which is not its own`);
  }

  #isAscii(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if ((this.#bytes[at] ?? 0) >= 0x80) return false;
    return true;
  }

  #truncated(): StatusError {
    return this.malformed('the message ends too early');
  }

  #pass(bytes: number): void {
    if (this.#end - this.#at < bytes) throw this.#truncated();
    this.#at += bytes;
  }

  /** Past a length; the offset at which it ends. */
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
