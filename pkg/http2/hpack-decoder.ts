/**
 * Header blocks as they are read: HPACK (RFC 7541), with the table of 4 KiB that both sides have until told otherwise.
 */
import { ERROR_CODE, ProtocolError } from './frames.ts';
import { decodeHuffman } from './huffman.ts';
import type { HeaderField } from './hpack-tables.ts';
import { STATIC_TABLE } from './hpack-tables.ts';
import { receivedField, type ReceivedField } from './received-field.ts';

export const DEFAULT_TABLE_BYTES = 4096;
const FIELD_OVERHEAD_BYTES = 32;
/**
 * A block stands for at most so many times its bytes, beyond what the table and some static fields add up to. Only a
 * block that names the same large field again and again has more ("HPACK bomb", CVE-2016-6581).
 */
const MAX_EXPANSION = 32;
const FREE_BYTES = 4 * DEFAULT_TABLE_BYTES;
const STATIC_FIELDS: readonly ReceivedField[] = STATIC_TABLE.map(({ name, value }) => receivedField(name, value));

const broken = (what: string): ProtocolError => new ProtocolError(ERROR_CODE.compressionError, what);

export const fieldBytes = ({ name, value }: HeaderField): number => name.length + value.length + FIELD_OVERHEAD_BYTES;

export interface HeaderLimits {
  /** Of all fields of a block, as RFC 9113 §6.5.2 counts them. */
  readonly maxBytes: number;
  readonly maxFields: number;
}

const NO_LIMITS: HeaderLimits = { maxBytes: Infinity, maxFields: Infinity };

/**
 * Of one connection: blocks must be given in the order in which they came, and all of them, also those of streams that
 * nobody waits for.
 */
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

  /**
   * Undefined: there are more than the limits allow. Throws ProtocolError, after which the connection cannot be used
   * any more.
   */
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
      // A byte may stand for 4 KB. What is too much is not kept, and read on for the table's sake, but not for long.
      if (bytes <= maxBytes && count <= maxFields) fields.push(field);
      else if (bytes > 2 * maxBytes || count > 2 * maxFields)
        throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'far too many header fields');
    }
    return bytes <= maxBytes && count <= maxFields ? fields : undefined;
  }

  /** Undefined: it was no field. */
  #next(begun: boolean): ReceivedField | undefined {
    const first = this.#byte();
    if (first >= 0x80) return this.#field(this.#integer(first, 7));
    if (first >= 0x40) {
      const field = this.#literal(this.#integer(first, 6));
      this.#insert(field);
      return field;
    }
    if (first < 0x20) return this.#literal(this.#integer(first, 4));
    if (begun) throw broken('the size of the header table changes within a block');
    this.#resize(this.#integer(first, 5));
    return undefined;
  }

  #field(index: number): ReceivedField {
    const field = index <= STATIC_FIELDS.length ? STATIC_FIELDS[index - 1] : this.#dynamic[index - STATIC_FIELDS.length - 1];
    if (field === undefined) throw broken(`there is no header field ${index}`);
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
    if (bytes > DEFAULT_TABLE_BYTES) throw broken('the header table is larger than allowed');
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
    if (length > this.#end - start) throw broken('a header block is cut off');
    this.#at += length;
    return first >= 0x80 ? decodeHuffman(this.#buffer, start, this.#at) : this.#buffer.toString('latin1', start, this.#at);
  }

  /** §5.1: the lowest bits of the first byte, and when they are all ones, more bytes. */
  #integer(first: number, bits: number): number {
    const mask = 2 ** bits - 1;
    let value = first & mask;
    if (value < mask) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw broken('a number in a header block is too large');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw broken('a header block is cut off');
    return this.#buffer.readUInt8(this.#at++);
  }
}
