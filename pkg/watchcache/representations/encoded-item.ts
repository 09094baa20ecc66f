import type { ItemTemplate } from './representation.ts';

/** Approximate memory of the object itself. */
const OBJECT_BYTES = 48;

/** An item of a context-free representation. The bytes never change, but may move to a Buffer shared with others. */
export class EncodedItem implements ItemTemplate {
  #buffer: Buffer;
  #start = 0;
  readonly maxBytes: number;

  constructor(bytes: Uint8Array) {
    // Unpooled: a cached item must not keep a pool alive.
    this.#buffer = Buffer.allocUnsafeSlow(bytes.byteLength);
    this.#buffer.set(bytes);
    this.maxBytes = bytes.byteLength;
  }

  get cost(): number {
    return OBJECT_BYTES + this.maxBytes;
  }

  /** The Buffer that contains the bytes, possibly with other items. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#start + this.maxBytes;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.end);
  }

  writeTo(target: Buffer, offset: number): number {
    return offset + this.#buffer.copy(target, offset, this.#start, this.end);
  }

  validUntil(): number {
    return Infinity;
  }

  /** Moves the bytes into `target`. Returns the end offset. */
  moveTo(target: Buffer, offset: number): number {
    const end = this.writeTo(target, offset);
    this.#buffer = target;
    this.#start = offset;
    return end;
  }
}
