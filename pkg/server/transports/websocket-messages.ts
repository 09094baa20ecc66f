/** Splits the output of a watch into WebSocket messages, one per event, however events were joined or split. */

export interface MessageCutter {
  /** Whether messages are binary. */
  readonly binary: boolean;
  /** The messages completed by these bytes, as views where possible. */
  cut(bytes: Uint8Array): Iterable<Uint8Array>;
}

const LINE_FEED = 0x0a;
const LENGTH_BYTES = 4;

/** JSON lines; each message is a text with its line feed. */
export class LineCutter implements MessageCutter {
  readonly binary = false;
  /** An incomplete line. */
  #partial: Uint8Array[] = [];

  *cut(bytes: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      const line = bytes.subarray(from, end + 1);
      yield this.#partial.length === 0 ? line : Buffer.concat([...this.#partial, line]);
      this.#partial = [];
      from = end + 1;
    }
    if (from < bytes.byteLength) this.#partial.push(bytes.subarray(from));
  }
}

/** Frames with a length prefix of four bytes, big-endian; the message omits the prefix. */
export class FrameCutter implements MessageCutter {
  readonly binary = true;
  #partial: Buffer = Buffer.alloc(0);

  *cut(bytes: Uint8Array): Generator<Uint8Array> {
    let rest = this.#partial.byteLength === 0 ? toBuffer(bytes) : Buffer.concat([this.#partial, bytes]);
    while (rest.byteLength >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readUInt32BE(0);
      if (rest.byteLength < end) break;
      yield rest.subarray(LENGTH_BYTES, end);
      rest = rest.subarray(end);
    }
    this.#partial = rest;
  }
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
