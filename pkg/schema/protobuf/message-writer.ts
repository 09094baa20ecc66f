/** Writes a protobuf message backwards, like Go's generated code: the length of a part is known once it is written. */

/** Shorter strings are copied byte by byte, which is faster than a call into Node. */
const MAX_INLINE_TEXT = 24;
const MAX_INLINE_BYTES = 24;
const FIRST_CAPACITY = 4096;
/** Larger buffers are not reused for the next message. */
const MAX_REUSED_BYTES = 256 * 1024;
const TWO_POW_32 = 2 ** 32;

export class MessageWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  /** Offset of the first written byte. The buffer is filled from its end. */
  #at = FIRST_CAPACITY;

  /** Bytes written so far. Differences give the length of parts. */
  get size(): number {
    return this.#bytes.byteLength - this.#at;
  }

  /** Returns the written bytes in a new buffer and resets the writer. */
  end(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(this.#at));
    if (this.#bytes.byteLength > MAX_REUSED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
    this.#at = this.#bytes.byteLength;
    return written;
  }

  /** Discards what was written, after a failed encoding. */
  reset(): void {
    this.#at = this.#bytes.byteLength;
  }

  /** A tag or length: an integer from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      if (this.#at === 0) this.#grow(1);
      this.#bytes[--this.#at] = value;
      return;
    }
    let size = 2;
    for (let rest = value / 0x4000; rest >= 1; rest /= 0x80) size++;
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    const bytes = this.#bytes;
    let at = this.#at;
    for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes[at++] = (value % 0x80) | 0x80;
    bytes[at] = value;
  }

  /** Two's complement, so negative values take ten bytes. The decimal text of a `number` counts. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(value);
      return;
    }
    for (let rest = BigInt.asUintN(64, BigInt(String(value))), groups = this.#groupsOf(rest), group = groups - 1; group >= 0; group--) {
      const bits = Number((rest >> BigInt(7 * group)) & 0x7fn);
      this.byte(group === groups - 1 ? bits : bits | 0x80);
    }
  }

  #groupsOf(value: bigint): number {
    let groups = 1;
    for (let rest = value >> 7n; rest > 0n; rest >>= 7n) groups++;
    return groups;
  }

  byte(value: number): void {
    if (this.#at === 0) this.#grow(1);
    this.#bytes[--this.#at] = value;
  }

  bytes(value: Uint8Array): void {
    const { length } = value;
    if (this.#at < length) this.#grow(length);
    const at = (this.#at -= length);
    if (length > MAX_INLINE_BYTES) this.#bytes.set(value, at);
    else for (let index = 0; index < length; index++) this.#bytes[at + index] = value[index] ?? 0;
  }

  /** As UTF-8. Lone surrogates become U+FFFD. */
  text(value: string): void {
    if (value.length <= MAX_INLINE_TEXT && this.#shortText(value)) return;
    const size = Buffer.byteLength(value, 'utf8');
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    this.#bytes.write(value, this.#at, size, 'utf8');
  }

  /** Returns false and writes nothing if the text is not ASCII. */
  #shortText(value: string): boolean {
    if (this.#at < MAX_INLINE_TEXT) this.#grow(MAX_INLINE_TEXT);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let unit = value.length - 1; unit >= 0; unit--) {
      const code = value.charCodeAt(unit);
      if (code >= 0x80) return false;
      bytes[--at] = code;
    }
    this.#at = at;
    return true;
  }

  #grow(by: number): void {
    const { size } = this;
    const capacity = Math.max(this.#bytes.byteLength * 2, size + by);
    if (capacity > TWO_POW_32) throw new RangeError('the protobuf message is larger than 4 GiB');
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(grown, capacity - size, this.#at);
    this.#bytes = grown;
    this.#at = capacity - size;
  }
}
