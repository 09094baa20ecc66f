/** A JSON value kept as the bytes it was sent in, white space outside strings removed. */
export class RawJson {
  /** Valid, compact JSON text in UTF-8. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  equals(other: RawJson): boolean {
    return this.bytes.equals(other.bytes);
  }
}
