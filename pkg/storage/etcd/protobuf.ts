/**
 * The little of the protobuf encoding that etcd's messages need. Measured against the codec that the `etcd3` package
 * generates: see `wire.ts` for why it stands here.
 *
 * Numbers are read as JavaScript numbers: exact to 2^53, which is all that revisions, sizes and counts use.
 */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const LOW_32 = 0x1_0000_0000;

/** Reads one message inside `buffer`. Nothing is copied: `view` returns a window into it. */
export class ProtobufReader {
  readonly buffer: Buffer;
  #at: number;
  readonly #end: number;
  #wireType = 0;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  /** The number of the next field, 0 at the end of the message. Its value must then be read, or skipped. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.number();
    this.#wireType = tag & 7;
    return tag >>> 3;
  }

  /** Where the reader stands, for `reset`. */
  mark(): number {
    return this.#at;
  }

  reset(mark: number): void {
    this.#at = mark;
  }

  number(): number {
    let byte = this.#byte();
    if (byte < 0x80) return byte;
    let low = byte & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return low;
    }
    // From bit 28 on the bit operators would overflow. Beyond 2^53 the last digits are lost, which only ids have.
    let value = low;
    for (let scale = 2 ** 28, left = 6; left > 0; left--, scale *= 0x80) {
      byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('protobuf: a varint of more than ten bytes');
  }

  /** An unsigned 64-bit number, all digits, as hexadecimal text. */
  id(): string {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value.toString(16);
    }
    throw new RangeError('protobuf: a varint of more than ten bytes');
  }

  bool(): boolean {
    return this.number() !== 0;
  }

  view(): Buffer {
    const length = this.number();
    const start = this.#at;
    this.#advance(length);
    return this.buffer.subarray(start, this.#at);
  }

  latin1(): string {
    const length = this.number();
    const start = this.#at;
    this.#advance(length);
    return this.buffer.toString('latin1', start, this.#at);
  }

  text(): string {
    return this.view().toString('utf8');
  }

  message(): ProtobufReader {
    const length = this.number();
    const start = this.#at;
    this.#advance(length);
    return new ProtobufReader(this.buffer, start, this.#at);
  }

  /** Passes over the value of a field that is of no interest here. */
  skip(): void {
    switch (this.#wireType) {
      case VARINT:
        while (this.#byte() >= 0x80);
        return;
      case FIXED64:
        this.#advance(8);
        return;
      case BYTES:
        this.#advance(this.number());
        return;
      case FIXED32:
        this.#advance(4);
        return;
      default:
        throw new RangeError(`protobuf: unknown wire type ${this.#wireType}`);
    }
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.buffer[this.#at] : undefined;
    if (byte === undefined) throw new RangeError('protobuf: the message is cut off');
    this.#at++;
    return byte;
  }

  #advance(length: number): void {
    if (this.#at + length > this.#end) throw new RangeError('protobuf: the message is cut off');
    this.#at += length;
  }
}

/** Part of a message: how many bytes it takes, and how to write them. */
export interface ProtobufPart {
  readonly size: number;
  write(into: Buffer, at: number): number;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function writeVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let position = at;
  while (rest >= LOW_32) {
    into[position++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  while (rest >= 0x80) {
    into[position++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[position++] = rest;
  return position;
}

/** A whole number from 0 to 2^53. Field numbers up to 15, which is all that is used, take one byte. */
export const numberField = (field: number, value: number): ProtobufPart => ({
  size: 1 + varintSize(value),
  write(into, at) {
    into[at] = (field << 3) | VARINT;
    return writeVarint(into, at + 1, value);
  },
});

export const flagField = (field: number, value: boolean): ProtobufPart => numberField(field, value ? 1 : 0);

export const latin1Field = (field: number, value: string): ProtobufPart => ({
  size: 1 + varintSize(value.length) + value.length,
  write(into, at) {
    into[at] = (field << 3) | BYTES;
    const start = writeVarint(into, at + 1, value.length);
    into.write(value, start, 'latin1');
    return start + value.length;
  },
});

export const bytesField = (field: number, value: Uint8Array): ProtobufPart => ({
  size: 1 + varintSize(value.length) + value.length,
  write(into, at) {
    into[at] = (field << 3) | BYTES;
    const start = writeVarint(into, at + 1, value.length);
    into.set(value, start);
    return start + value.length;
  },
});

export function messageField(field: number, parts: readonly ProtobufPart[]): ProtobufPart {
  const body = sizeOf(parts);
  return {
    size: 1 + varintSize(body) + body,
    write(into, at) {
      into[at] = (field << 3) | BYTES;
      return writeParts(parts, into, writeVarint(into, at + 1, body));
    },
  };
}

export function encodeMessage(parts: readonly ProtobufPart[]): Buffer {
  const message = Buffer.allocUnsafe(sizeOf(parts));
  writeParts(parts, message, 0);
  return message;
}

function sizeOf(parts: readonly ProtobufPart[]): number {
  let size = 0;
  for (const part of parts) size += part.size;
  return size;
}

function writeParts(parts: readonly ProtobufPart[], into: Buffer, at: number): number {
  let position = at;
  for (const part of parts) position = part.write(into, position);
  return position;
}
