/**
 * The errors of Go's `encoding/json` for a text that should be a JSON object, in its words. Kubernetes shows them in
 * causes, so clients see them.
 *
 * One pass over the bytes without recursion, because the text may be deep. Like Go, it takes text that is not UTF-8.
 */
import { quotedText } from '../status/quoted-text.ts';

/** Why Go could not decode the text to a map; undefined if it can. `null` is an empty map. */
export function goJsonObjectError(text: Uint8Array): string | undefined {
  const scanner = new Scanner(text);
  try {
    return scanner.document();
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

class SyntaxProblem extends Error {}

const MAX_DEPTH = 10_000;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;

const LITERALS: ReadonlyMap<number, string> = new Map(['true', 'false', 'null'].map((literal) => [literal.charCodeAt(0), literal]));
/** How Go names the type of a value that is no object, by its first byte. A number otherwise. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [OPENING_BRACKET, 'array'],
  [QUOTE, 'string'],
  ['t'.charCodeAt(0), 'bool'],
  ['f'.charCodeAt(0), 'bool'],
]);

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const isSpace = (byte: number): boolean => byte === SPACE || byte === 0x09 || byte === 0x0a || byte === 0x0d;

class Scanner {
  readonly #text: Uint8Array;
  #at = 0;
  /** The first number that no double holds. */
  #tooLarge: string | undefined;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  document(): string | undefined {
    const first = this.#skipSpaces();
    this.#values(first);
    if (this.#skipSpaces() !== undefined) throw this.#invalid('after top-level value');
    if (first === OPENING_BRACE) {
      return this.#tooLarge === undefined ? undefined : `json: cannot unmarshal number ${this.#tooLarge} into Go value of type float64`;
    }
    if (first === 'n'.charCodeAt(0)) return undefined;
    return `json: cannot unmarshal ${TYPES.get(first ?? 0) ?? 'number'} into Go value of type map[string]interface {}`;
  }

  /** One value and all that is in it. */
  #values(start: number | undefined): void {
    const closers: number[] = [];
    let first = start;
    for (;;) {
      if (this.#beginValue(first, closers) === 'complete' && !this.#hasNext(closers)) return;
      first = this.#skipSpaces();
    }
  }

  /** After a complete value: whether another one follows in what is open. Closes what ends here. */
  #hasNext(closers: number[]): boolean {
    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return false;
      const next = this.#needed();
      if (next !== closer && next !== COMMA) {
        throw this.#invalid(closer === CLOSING_BRACE ? 'after object key:value pair' : 'after array element');
      }
      this.#at++;
      if (next === COMMA) {
        if (closer === CLOSING_BRACE) this.#key(this.#needed());
        return true;
      }
      closers.pop();
    }
  }

  /** `filled`: an object or list that has a first value, which comes next. */
  #beginValue(first: number | undefined, closers: number[]): 'filled' | 'complete' {
    switch (first) {
      case undefined:
        throw endOfInput();
      case OPENING_BRACE:
      case OPENING_BRACKET: {
        // The closing characters come two after the opening ones in ASCII.
        const closer = first + 2;
        if (closers.push(closer) > MAX_DEPTH) throw this.#invalid('exceeded max depth');
        this.#at++;
        const next = this.#needed();
        if (next === closer) {
          this.#at++;
          closers.pop();
          return 'complete';
        }
        if (first === OPENING_BRACE) this.#key(next);
        return 'filled';
      }
      case QUOTE:
        this.#string();
        return 'complete';
      default:
        if (first === 0x2d || isDigit(first)) this.#number();
        else this.#literal(first);
        return 'complete';
    }
  }

  #key(first: number): void {
    if (first !== QUOTE) throw this.#invalid('looking for beginning of object key string');
    this.#string();
    if (this.#needed() !== COLON) throw this.#invalid('after object key');
    this.#at++;
  }

  #string(): void {
    for (this.#at++; ; this.#at++) {
      const byte = this.#text[this.#at];
      if (byte === undefined) throw endOfInput();
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) this.#escape();
      else if (byte < SPACE) throw this.#invalid('in string literal');
    }
    this.#at++;
  }

  #escape(): void {
    this.#at++;
    const byte = this.#byte();
    if (byte === 'u'.charCodeAt(0)) {
      for (let digit = 0; digit < 4; digit++) {
        this.#at++;
        if (!isHex(this.#byte())) throw this.#invalid('in \\u hexadecimal character escape');
      }
    } else if (!'bfnrt\\/"'.includes(String.fromCharCode(byte))) {
      throw this.#invalid('in string escape code');
    }
  }

  #number(): void {
    const start = this.#at;
    if (this.#byte() === 0x2d) {
      this.#at++;
      if (!isDigit(this.#byte())) throw this.#invalid('in numeric literal');
    }
    if (this.#byte() === 0x30) this.#at++;
    else this.#digits();
    if (this.#byte() === 0x2e) {
      this.#at++;
      if (!isDigit(this.#byte())) throw this.#invalid('after decimal point in numeric literal');
      this.#digits();
    }
    if ((this.#byte() | 0x20) === 0x65) {
      this.#at++;
      const sign = this.#byte();
      if (sign === 0x2b || sign === 0x2d) this.#at++;
      if (!isDigit(this.#byte())) throw this.#invalid('in exponent of numeric literal');
      this.#digits();
    }
    const token = Buffer.from(this.#text.subarray(start, this.#at)).toString('latin1');
    if (this.#tooLarge === undefined && !Number.isFinite(Number(token))) this.#tooLarge = token;
  }

  #digits(): void {
    while (isDigit(this.#byte())) this.#at++;
  }

  #literal(first: number): void {
    const literal = LITERALS.get(first);
    if (literal === undefined) throw this.#invalid('looking for beginning of value');
    for (let index = 1; index < literal.length; index++) {
      this.#at++;
      const expected = literal.charAt(index);
      if (this.#byte() !== expected.charCodeAt(0)) throw this.#invalid(`in literal ${literal} (expecting '${expected}')`);
    }
    this.#at++;
  }

  /** As in Go, a space follows the last byte. */
  #byte(): number {
    return this.#text[this.#at] ?? SPACE;
  }

  /** The next byte that is no space; undefined at the end. */
  #skipSpaces(): number | undefined {
    while (this.#at < this.#text.length && isSpace(this.#byte())) this.#at++;
    return this.#text[this.#at];
  }

  #needed(): number {
    const next = this.#skipSpaces();
    if (next === undefined) throw endOfInput();
    return next;
  }

  #invalid(where: string): SyntaxProblem {
    return new SyntaxProblem(`invalid character ${quotedByte(this.#byte())} ${where}`);
  }
}

const endOfInput = () => new SyntaxProblem('unexpected end of JSON input');

/** Go shows a byte as the character with its number, in single quotes. */
function quotedByte(byte: number): string {
  if (byte === QUOTE) return `'"'`;
  const character = String.fromCharCode(byte);
  return character === "'" ? `'\\''` : `'${quotedText(character).slice(1, -1)}'`;
}
