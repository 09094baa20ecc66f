/** A cursor over JSON text that checks the grammar (RFC 8259). Throws StatusError BadRequest with the position. */
import { badRequest, type StatusError } from '../status/status-error.ts';

/** Limit of nested containers. Traversing deeper values could overflow the stack. */
export const MAX_JSON_DEPTH = 256;

export class JsonCursor {
  readonly text: string;
  /** The offset in UTF-16 units. The owner may change it. */
  at = 0;
  /** Characters of white space skipped so far. */
  spaces = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips white space. Returns the next unit, or -1 at the end. */
  next(): number {
    const text = this.text;
    let at = this.at;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x20) {
        this.at = at;
        return unit;
      }
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
      this.spaces++;
    }
    this.at = at;
    return at < text.length ? text.charCodeAt(at) : -1;
  }

  /** Skips the opening bracket of a container at `depth`. */
  enter(depth: number): void {
    if (depth > MAX_JSON_DEPTH) throw badRequest(`invalid JSON at ${this.where()}: nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.at++;
  }

  /** Skips a value, and checks only its grammar. */
  skip(depth: number, first: number): void {
    switch (first) {
      case 0x22:
        this.skipString();
        return;
      case 0x74:
        this.literal('true');
        return;
      case 0x66:
        this.literal('false');
        return;
      case 0x6e:
        this.literal('null');
        return;
      case 0x7b:
      case 0x5b:
        this.#skipContainer(depth + 1, first === 0x7b);
        return;
      default:
        this.skipNumber();
    }
  }

  #skipContainer(depth: number, isObject: boolean): void {
    this.enter(depth);
    const close = isObject ? 0x7d : 0x5d;
    let first = this.next();
    if (first === close) {
      this.at++;
      return;
    }
    for (;;) {
      if (isObject) {
        if (first !== 0x22) throw this.unexpected('where a field name is expected');
        this.skipString();
        if (this.next() !== 0x3a) throw this.unexpected('after a field name');
        this.at++;
        first = this.next();
      }
      this.skip(depth, first);
      first = this.next();
      if (first === close) break;
      if (first !== 0x2c) throw this.unexpected(isObject ? 'after a field' : 'after a list element');
      this.at++;
      first = this.next();
    }
    this.at++;
  }

  /** Skips a string. True if it has escapes. */
  skipString(): boolean {
    const text = this.text;
    let at = this.at + 1;
    let escaped = false;
    for (;;) {
      const unit = at < text.length ? text.charCodeAt(at) : -1;
      if (unit === 0x22) break;
      if (unit === 0x5c) {
        escaped = true;
        at = this.#escape(at);
      } else if (unit < 0x20) {
        this.at = Math.min(at, text.length);
        throw this.unexpected('in a string');
      } else {
        at++;
      }
    }
    this.at = at + 1;
    return escaped;
  }

  /** The offset after the escape at `at`. */
  #escape(at: number): number {
    const text = this.text;
    const kind = text.charCodeAt(at + 1);
    if (kind === 0x75) {
      for (let digit = at + 2; digit < at + 6; digit++) {
        if (!isHexDigit(text.charCodeAt(digit))) {
          this.at = Math.min(digit, text.length);
          throw this.unexpected('in a \\u escape');
        }
      }
      return at + 6;
    }
    // " \ / b f n r t
    if (
      kind === 0x22 ||
      kind === 0x5c ||
      kind === 0x2f ||
      kind === 0x62 ||
      kind === 0x66 ||
      kind === 0x6e ||
      kind === 0x72 ||
      kind === 0x74
    )
      return at + 2;
    this.at = Math.min(at + 1, text.length);
    throw this.unexpected('in a string escape');
  }

  literal(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw this.unexpected('where a value is expected');
    this.at += word.length;
  }

  /** Skips a number. True if it has neither fraction nor exponent. */
  skipNumber(): boolean {
    const text = this.text;
    let at = this.at;
    if (text.charCodeAt(at) === 0x2d) at++;
    let unit = text.charCodeAt(at);
    if (unit === 0x30) {
      at++;
    } else if (unit >= 0x31 && unit <= 0x39) {
      at = this.#digits(at);
    } else {
      if (at > this.at) this.at = Math.min(at, text.length);
      throw this.unexpected('where a value is expected');
    }
    let isInteger = true;
    unit = text.charCodeAt(at);
    if (unit === 0x2e) {
      isInteger = false;
      at = this.#digits(at + 1);
      unit = text.charCodeAt(at);
    }
    if (unit === 0x65 || unit === 0x45) {
      isInteger = false;
      unit = text.charCodeAt(++at);
      if (unit === 0x2b || unit === 0x2d) at++;
      at = this.#digits(at);
    }
    this.at = at;
    return isInteger;
  }

  /** The offset after the digits at `from`, at least one. */
  #digits(from: number): number {
    let at = from;
    for (let unit = this.text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = this.text.charCodeAt(at)) at++;
    if (at === from) {
      this.at = Math.min(at, this.text.length);
      throw this.unexpected('in a number');
    }
    return at;
  }

  unexpected(where: string): StatusError {
    if (this.at >= this.text.length) return badRequest(`invalid JSON at ${this.where()}: unexpected end of the text`);
    const found = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    return badRequest(`invalid JSON at ${this.where()}: invalid character ${JSON.stringify(found)} ${where}`);
  }

  where(): string {
    const before = this.text.slice(0, this.at);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    return `line ${line}, column ${column} (offset ${Buffer.byteLength(before, 'utf8')})`;
  }
}

const isHexDigit = (unit: number) => (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
