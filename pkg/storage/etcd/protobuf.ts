/**
 * The subset of protobuf that etcd's messages need; `wire.ts` says why it is not generated code. Numbers are exact up
 * to
 * 2^53, which is enough for revisions, sizes and counts.
 */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const LOW_32 = 0x1_0000_0000;

/** Reads one message inside `buffer`, without copying: `view` returns a part of the buffer. */
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

  /** The next field number, or 0 at the end. The caller must then read or skip the value. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.number();
    this.#wireType = tag & 7;
    return tag >>> 3;
  }

  /** The current position, for `reset`. */
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
    // Bit operators would overflow from bit 28 on. Numbers above 2^53, which only ids are, lose precision.
    let value = low;
    for (let scale = 2 ** 28, left = 6; left > 0; left--, scale *= 0x80) {
      byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('protobuf: varint longer than ten bytes');
  }

  /** An unsigned 64-bit number as hexadecimal text, exactly. */
  id(): string {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value.toString(16);
    }
    throw new RangeError('protobuf: varint longer than ten bytes');
  }

  bool(): boolean {
    return this.number() !== 0;
  }

  view(): Buffer {
    const start = this.#advance(this.number());
    return this.buffer.subarray(start, this.#at);
  }

  latin1(): string {
    const start = this.#advance(this.number());
    return this.buffer.toString('latin1', start, this.#at);
  }

  text(): string {
    return this.view().toString('utf8');
  }

  message(): ProtobufReader {
    const start = this.#advance(this.number());
    return new ProtobufReader(this.buffer, start, this.#at);
  }

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
    if (byte === undefined) throw new RangeError('protobuf: truncated message');
    this.#at++;
    return byte;
  }

  /** Returns the position before. */
  #advance(length: number): number {
    const start = this.#at;
    if (start + length > this.#end) throw new RangeError('protobuf: truncated message');
    this.#at += length;
    return start;
  }
}

/** An encoded field: its size and a function that writes it. */
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

/** An integer from 0 to 2^53. All field numbers used are below 16, so the tag is one byte. */
export const numberField = (field: number, value: number): ProtobufPart => ({
  size: 1 + varintSize(value),
  write(into, at) {
    into[at] = (field << 3) | VARINT;
    return writeVarint(into, at + 1, value);
  },
});

export const flagField = (field: number, value: boolean): ProtobufPart => numberField(field, value ? 1 : 0);

const lengthField = (field: number, length: number, write: (into: Buffer, at: number) => void): ProtobufPart => ({
  size: 1 + varintSize(length) + length,
  write(into, at) {
    into[at] = (field << 3) | BYTES;
    const start = writeVarint(into, at + 1, length);
    write(into, start);
    return start + length;
  },
});

export const latin1Field = (field: number, value: string): ProtobufPart =>
  lengthField(field, value.length, (into, at) => into.write(value, at, 'latin1'));

export const bytesField = (field: number, value: Uint8Array): ProtobufPart =>
  lengthField(field, value.length, (into, at) => into.set(value, at));

export const messageField = (field: number, parts: readonly ProtobufPart[]): ProtobufPart =>
  lengthField(field, sizeOf(parts), (into, at) => writeParts(parts, into, at));

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
