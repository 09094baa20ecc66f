/**
 * A minimal HTTP/1.1 response parser: status code, Content-Length and chunked bodies, nothing else. It never copies a
 * body: what it hands out is a range of the read buffer, valid during the call only. It exists because the load
 * generator has to be much cheaper than the server it measures.
 */
export interface ResponseHandler {
  head(code: number): void;
  body(bytes: Buffer, start: number, end: number): void;
  end(): void;
}

const LF = 10;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

export class ResponseParser {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  #left = 0;
  #size = 0;
  #line = '';

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /** Throws on what is no HTTP/1.1 response. */
  feed(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case 'head':
          at = this.#head(bytes, at);
          break;
        case 'length':
        case 'chunk':
          at = this.#body(bytes, at);
          break;
        case 'chunk-size':
          at = this.#chunkSize(bytes, at);
          break;
        case 'chunk-end':
          if (bytes[at++] === LF) this.#state = 'chunk-size';
          break;
        case 'trailer':
          at = this.#trailer(bytes, at);
          break;
      }
    }
  }

  #head(bytes: Buffer, at: number): number {
    let head: string;
    let next: number;
    const whole = this.#line === '' ? bytes.indexOf('\r\n\r\n', at, 'latin1') : -1;
    if (whole >= 0) {
      head = bytes.toString('latin1', at, whole);
      next = whole + 4;
    } else {
      const begun = this.#line.length;
      this.#line += bytes.toString('latin1', at, bytes.length);
      const end = this.#line.indexOf('\r\n\r\n', Math.max(0, begun - 3));
      if (end < 0) return bytes.length;
      head = this.#line.slice(0, end);
      next = at + end + 4 - begun;
      this.#line = '';
    }
    if (!head.startsWith('HTTP/1.1 ')) throw new Error(`not an HTTP/1.1 response: ${head.slice(0, 80)}`);
    this.#handler.head(Number(head.slice(9, 12)));
    if (CHUNKED.test(head)) {
      this.#state = 'chunk-size';
    } else {
      this.#left = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
      this.#state = 'length';
      if (this.#left === 0) this.#end();
    }
    return next;
  }

  #body(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#handler.body(bytes, at, end);
    this.#left -= end - at;
    if (this.#left === 0) {
      if (this.#state === 'length') this.#end();
      else this.#state = 'chunk-end';
    }
    return end;
  }

  #chunkSize(bytes: Buffer, at: number): number {
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (byte === LF) {
        this.#left = this.#size;
        this.#size = 0;
        this.#state = this.#left === 0 ? 'trailer' : 'chunk';
        return i + 1;
      }
      const digit =
        byte >= 48 && byte <= 57 ? byte - 48 : byte >= 97 && byte <= 102 ? byte - 87 : byte >= 65 && byte <= 70 ? byte - 55 : -1;
      if (digit >= 0) this.#size = this.#size * 16 + digit;
    }
    return bytes.length;
  }

  /** No trailers are expected: the empty line ends the response. */
  #trailer(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    if (end < 0) return bytes.length;
    this.#end();
    return end + 1;
  }

  #end(): void {
    this.#state = 'head';
    this.#handler.end();
  }
}
