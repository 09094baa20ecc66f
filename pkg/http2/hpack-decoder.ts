/** An HPACK decoder (RFC 7541) with the default table of 4 KiB. */
import { ERROR_CODE, ProtocolError } from './frames.ts';
import { decodeHuffman } from './huffman.ts';
import type { HeaderField } from './hpack-tables.ts';
import { STATIC_TABLE } from './hpack-tables.ts';
import { receivedField, type ReceivedField } from './received-field.ts';

export const DEFAULT_TABLE_BYTES = 4096;
const FIELD_OVERHEAD_BYTES = 32;
/**
 * Maximum ratio of decoded to encoded size, apart from `FREE_BYTES` for table entries. Only a block that repeats a
 * large table entry exceeds it ("HPACK bomb", CVE-2016-6581).
 */
const MAX_EXPANSION = 32;
const FREE_BYTES = 4 * DEFAULT_TABLE_BYTES;
const STATIC_FIELDS: readonly ReceivedField[] = STATIC_TABLE.map(({ name, value }) => receivedField(name, value));

const compressionError = (what: string): ProtocolError => new ProtocolError(ERROR_CODE.compressionError, what);

export const fieldBytes = ({ name, value }: HeaderField): number => name.length + value.length + FIELD_OVERHEAD_BYTES;

export interface HeaderLimits {
  /** The size of all fields of a block, as defined by RFC 9113 §6.5.2. */
  readonly maxBytes: number;
  readonly maxFields: number;
}

const NO_LIMITS: HeaderLimits = { maxBytes: Infinity, maxFields: Infinity };

/** One per connection. Must decode all blocks in order, including those of closed streams. */
export class HpackDecoder {
  /** Newest first. */
  readonly #dynamic: ReceivedField[] = [];
  #dynamicBytes = 0;
  #maxBytes = DEFAULT_TABLE_BYTES;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  readonly #limits: HeaderLimits;

  constructor(limits: HeaderLimits = NO_LIMITS) {
    this.#limits = limits;
  }

  /** Undefined when the fields exceed the limits. Throws ProtocolError. */
  decode(buffer: Buffer, start: number, end: number): readonly ReceivedField[] | undefined {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
    const { maxFields } = this.#limits;
    const maxBytes = Math.min(this.#limits.maxBytes, FREE_BYTES + MAX_EXPANSION * (end - start));
    const fields: ReceivedField[] = [];
    let bytes = 0;
    let count = 0;
    while (this.#at < this.#end) {
      const field = this.#next(count > 0);
      if (field === undefined) continue;
      bytes += fieldBytes(field);
      count++;
      // Beyond the limits decoding continues for the table's sake, but only up to twice the limits.
      if (bytes <= maxBytes && count <= maxFields) fields.push(field);
      else if (bytes > 2 * maxBytes || count > 2 * maxFields)
        throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'far too many header fields');
    }
    return bytes <= maxBytes && count <= maxFields ? fields : undefined;
  }

  /** Undefined for a table size update. */
  #next(begun: boolean): ReceivedField | undefined {
    const first = this.#byte();
    if (first >= 0x80) return this.#field(this.#integer(first, 7));
    if (first >= 0x40) {
      const field = this.#literal(this.#integer(first, 6));
      this.#insert(field);
      return field;
    }
    if (first < 0x20) return this.#literal(this.#integer(first, 4));
    if (begun) throw compressionError('the size of the header table changes within a block');
    this.#resize(this.#integer(first, 5));
    return undefined;
  }

  #field(index: number): ReceivedField {
    const field = index <= STATIC_FIELDS.length ? STATIC_FIELDS[index - 1] : this.#dynamic[index - STATIC_FIELDS.length - 1];
    if (field === undefined) throw compressionError(`there is no header field ${index}`);
    return field;
  }

  #literal(nameIndex: number): ReceivedField {
    const name = nameIndex === 0 ? this.#string() : this.#field(nameIndex).name;
    return receivedField(name, this.#string());
  }

  #insert(field: ReceivedField): void {
    this.#dynamic.unshift(field);
    this.#dynamicBytes += fieldBytes(field);
    this.#evict();
  }

  #resize(bytes: number): void {
    if (bytes > DEFAULT_TABLE_BYTES) throw compressionError('the header table is larger than allowed');
    this.#maxBytes = bytes;
    this.#evict();
  }

  #evict(): void {
    while (this.#dynamicBytes > this.#maxBytes) {
      const oldest = this.#dynamic.pop();
      if (oldest === undefined) return;
      this.#dynamicBytes -= fieldBytes(oldest);
    }
  }

  #string(): string {
    const first = this.#byte();
    const length = this.#integer(first, 7);
    const start = this.#at;
    if (length > this.#end - start) throw compressionError('truncated header block');
    this.#at += length;
    return first >= 0x80 ? decodeHuffman(this.#buffer, start, this.#at) : this.#buffer.toString('latin1', start, this.#at);
  }

  /** §5.1. */
  #integer(first: number, bits: number): number {
    const mask = 2 ** bits - 1;
    let value = first & mask;
    if (value < mask) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw compressionError('a number in a header block is too large');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw compressionError('truncated header block');
    return this.#buffer.readUInt8(this.#at++);
  }
}
