/**
 * The one way from JSON bytes to values: strict grammar, valid UTF-8, bounded depth, nothing lost. One pass checks the text, builds
 * the values, keeps raw values and large integers, and finds unknown and duplicate fields with their paths.
 *
 * - An integer that a double does not reproduce is a `bigint`; one that no double can hold at all is refused.
 * - `null` is what Go makes of it: no field, or the zero value of a list's or map's element.
 * - The last of duplicate fields wins. Unknown fields are checked for grammar and left out.
 * - A lone surrogate escape becomes U+FFFD, but raw values keep the escape.
 *
 * Plain and long on purpose: a 3 KB body takes about as long as `JSON.parse` and a scan in two passes would.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, type StatusCause } from '../status/status-error.ts';
import type { JsonShape, MapForm, ObjectForm } from './json-shape.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { RawJson, compactText } from './raw-json.ts';
import { setMember } from './set-member.ts';

/** Containers inside one another. A deeper body could overflow the stack of whoever walks it. */
export const MAX_JSON_DEPTH = 256;

/** Something the body says that the type does not know, or says twice. Kept in the order of the text, each once. */
export interface JsonFinding {
  readonly kind: 'unknown' | 'duplicate';
  /** As Kubernetes spells it: `spec.containers[0].imag`. */
  readonly path: string;
}

export interface ParsedJson {
  readonly value: JsonValue;
  /** At most 100. */
  readonly findings: readonly JsonFinding[];
  /** Wrong types that only the text shows: `1.0` and `1e2` for an integer. At most 100. */
  readonly causes: readonly StatusCause[];
}

/** Throws StatusError BadRequest that says where. `shape` absent: any JSON, no unknown fields, `null` is kept. */
export function parseJson(bytes: Uint8Array, shape?: JsonShape): ParsedJson {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer)) throw badRequest(`invalid JSON: not UTF-8 at offset ${firstInvalidUtf8(buffer)}`);
  const ascii = isAscii(buffer);
  const parser = new JsonParser(buffer, buffer.toString(ascii ? 'latin1' : 'utf8'), ascii);
  return parser.document(shape ?? ANY);
}

/** The value behind a raw one. */
export const decodeRaw = (raw: RawJson): JsonValue => parseJson(raw.bytes).value;

const ANY: JsonShape = { form: 'any', zero: null };
const MAX_FINDINGS = 100;
/** Beyond this many, not even the path is made: it costs the depth, and a body can hold a million duplicates. */
const MAX_ATTEMPTS = 1000;
/** No double has more integer digits. */
const MAX_INTEGER_DIGITS = 309;

class JsonParser {
  readonly #bytes: Buffer;
  readonly #text: string;
  /** Offsets into the text are offsets into the bytes. */
  readonly #ascii: boolean;
  #at = 0;
  /** Member names and indexes on the way to the current value; valid up to the current depth. */
  readonly #path: (string | number)[] = [];
  readonly #findings: JsonFinding[] = [];
  readonly #causes: StatusCause[] = [];
  readonly #known = new Set<string>();
  #attempts = 0;

  constructor(bytes: Buffer, text: string, ascii: boolean) {
    this.#bytes = bytes;
    this.#text = text;
    this.#ascii = ascii;
  }

  document(shape: JsonShape): ParsedJson {
    const first = this.#next();
    if (first === -1) throw badRequest('invalid JSON: the body is empty');
    let value = this.#value(shape, 0, first);
    if (this.#next() !== -1) throw this.#unexpected('after the value');
    if (value === null) value = shape.zero;
    return { value, findings: this.#findings, causes: this.#causes };
  }

  /** Skips white space; the unit found there, or -1 at the end. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x20) {
        this.#at = at;
        return unit;
      }
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
    }
    this.#at = at;
    return at < text.length ? text.charCodeAt(at) : -1;
  }

  /** The value that starts here with `first`. `null` is returned as such; callers decide what it stands for. */
  #value(shape: JsonShape, depth: number, first: number): JsonValue {
    if (shape.form === 'raw' && first !== 0x6e) return this.#raw(depth, first);
    switch (first) {
      case 0x22: {
        const text = this.#string();
        return shape.form === 'text' ? shape.normalize(text) : text;
      }
      case 0x7b:
        if (shape.form === 'object') return this.#struct(shape, depth + 1);
        return this.#map(shape.form === 'map' ? shape : undefined, depth + 1);
      case 0x5b:
        return this.#array(shape.form === 'array' ? shape.items : ANY, depth + 1);
      case 0x74:
        this.#literal('true');
        return true;
      case 0x66:
        this.#literal('false');
        return false;
      case 0x6e:
        this.#literal('null');
        return null;
      default:
        if (shape.form === 'text' && shape.numbersAreText) {
          const start = this.#at;
          this.#skipNumber();
          return shape.normalize(this.#text.slice(start, this.#at));
        }
        return this.#number(shape.form === 'integer', depth);
    }
  }

  #struct(shape: ObjectForm, depth: number): JsonObject {
    this.#enter(depth);
    const object: Record<string, JsonValue> = {};
    // One bit per field that was seen; no struct comes near 96 fields, and beyond them duplicates still win last.
    let seen0 = 0;
    let seen1 = 0;
    let seen2 = 0;
    let first = this.#next();
    if (first === 0x7d) {
      this.#at++;
      return object;
    }
    for (;;) {
      if (first !== 0x22) throw this.#unexpected('where a field name is expected');
      const name = this.#string();
      const field = shape.fields.get(name);
      if (this.#next() !== 0x3a) throw this.#unexpected('after a field name');
      this.#at++;
      first = this.#next();
      if (field === undefined) {
        this.#path[depth - 1] = name;
        this.#find('unknown', depth);
        this.#skip(depth, first);
      } else {
        this.#path[depth - 1] = field.name;
        const bit = 1 << (field.index & 31);
        const seen = field.index < 32 ? seen0 : field.index < 64 ? seen1 : seen2;
        const again = (seen & bit) !== 0;
        if (again) this.#find('duplicate', depth);
        if (field.index < 32) seen0 |= bit;
        else if (field.index < 64) seen1 |= bit;
        else seen2 |= bit;
        const value = this.#value(field.shape, depth, first);
        if (value !== null) object[field.name] = value;
        else if (again) Reflect.deleteProperty(object, field.name);
      }
      first = this.#next();
      if (first === 0x7d) break;
      if (first !== 0x2c) throw this.#unexpected('after a field');
      this.#at++;
      first = this.#next();
    }
    this.#at++;
    return object;
  }

  /** An object whose names are data. Without a shape `null` members stay. */
  #map(shape: MapForm | undefined, depth: number): JsonObject {
    this.#enter(depth);
    const object: Record<string, JsonValue> = {};
    const values = shape === undefined ? ANY : shape.values;
    let first = this.#next();
    if (first === 0x7d) {
      this.#at++;
      return object;
    }
    for (;;) {
      if (first !== 0x22) throw this.#unexpected('where a field name is expected');
      const name = this.#string();
      if (this.#next() !== 0x3a) throw this.#unexpected('after a field name');
      this.#at++;
      this.#path[depth - 1] = name;
      if (Object.hasOwn(object, name)) this.#find('duplicate', depth);
      const value = this.#value(values, depth, this.#next());
      setMember(object, name, value === null ? values.zero : value);
      first = this.#next();
      if (first === 0x7d) break;
      if (first !== 0x2c) throw this.#unexpected('after a field');
      this.#at++;
      first = this.#next();
    }
    this.#at++;
    return object;
  }

  #array(items: JsonShape, depth: number): readonly JsonValue[] {
    this.#enter(depth);
    const array: JsonValue[] = [];
    let first = this.#next();
    if (first === 0x5d) {
      this.#at++;
      return array;
    }
    for (;;) {
      this.#path[depth - 1] = array.length;
      const value = this.#value(items, depth, first);
      array.push(value === null ? items.zero : value);
      first = this.#next();
      if (first === 0x5d) break;
      if (first !== 0x2c) throw this.#unexpected('after a list element');
      this.#at++;
      first = this.#next();
    }
    this.#at++;
    return array;
  }

  /** A value that is checked for grammar only. True when it holds white space outside strings. */
  #skip(depth: number, first: number): boolean {
    switch (first) {
      case 0x22:
        this.#skipString();
        return false;
      case 0x74:
        this.#literal('true');
        return false;
      case 0x66:
        this.#literal('false');
        return false;
      case 0x6e:
        this.#literal('null');
        return false;
      case 0x7b:
      case 0x5b:
        return this.#skipContainer(depth + 1, first === 0x7b);
      default:
        this.#skipNumber();
        return false;
    }
  }

  #skipContainer(depth: number, isObject: boolean): boolean {
    this.#enter(depth);
    const close = isObject ? 0x7d : 0x5d;
    let spaced = false;
    const next = () => {
      const before = this.#at;
      const unit = this.#next();
      if (this.#at !== before) spaced = true;
      return unit;
    };
    let first = next();
    if (first === close) {
      this.#at++;
      return spaced;
    }
    for (;;) {
      if (isObject) {
        if (first !== 0x22) throw this.#unexpected('where a field name is expected');
        this.#skipString();
        if (next() !== 0x3a) throw this.#unexpected('after a field name');
        this.#at++;
        first = next();
      }
      if (this.#skip(depth, first)) spaced = true;
      first = next();
      if (first === close) break;
      if (first !== 0x2c) throw this.#unexpected(isObject ? 'after a field' : 'after a list element');
      this.#at++;
      first = next();
    }
    this.#at++;
    return spaced;
  }

  #raw(depth: number, first: number): RawJson {
    const start = this.#at;
    const spaced = this.#skip(depth, first);
    if (this.#ascii && !spaced) return new RawJson(this.#bytes.subarray(start, this.#at));
    const text = this.#text.slice(start, this.#at);
    return new RawJson(Buffer.from(spaced ? compactText(text) : text, 'utf8'));
  }

  /** Past the string that starts here. True when it has escapes. */
  #skipString(): boolean {
    const text = this.#text;
    let at = this.#at + 1;
    let escaped = false;
    for (;;) {
      const unit = at < text.length ? text.charCodeAt(at) : -1;
      if (unit === 0x22) break;
      if (unit === 0x5c) {
        escaped = true;
        at = this.#escape(at);
      } else if (unit < 0x20) {
        this.#at = Math.min(at, text.length);
        throw this.#unexpected('in a string');
      } else {
        at++;
      }
    }
    this.#at = at + 1;
    return escaped;
  }

  /** Past the escape whose backslash is at `at`. */
  #escape(at: number): number {
    const text = this.#text;
    const kind = text.charCodeAt(at + 1);
    if (kind === 0x75) {
      for (let digit = at + 2; digit < at + 6; digit++) {
        if (!isHexDigit(text.charCodeAt(digit))) {
          this.#at = Math.min(digit, text.length);
          throw this.#unexpected('in a \\u escape');
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
    this.#at = Math.min(at + 1, text.length);
    throw this.#unexpected('in a string escape');
  }

  #string(): string {
    const start = this.#at;
    if (this.#skipString()) {
      const value: unknown = JSON.parse(this.#text.slice(start, this.#at));
      return typeof value === 'string' ? value.toWellFormed() : '';
    }
    const end = this.#at - 1;
    // A slice of 13 characters or more would keep the whole body alive for as long as the string lives, and labels live in the cache's index.
    if (end - start <= 13) return this.#text.slice(start + 1, end);
    if (this.#ascii) return this.#bytes.toString('latin1', start + 1, end);
    return Buffer.from(this.#text.slice(start + 1, end), 'utf8').toString('utf8');
  }

  #literal(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected('where a value is expected');
    this.#at += word.length;
  }

  #number(wantsInteger: boolean, depth: number): number | bigint {
    const text = this.#text;
    const start = this.#at;
    // The common case: up to 15 digits, no sign, no fraction.
    let at = start;
    let small = 0;
    let unit = text.charCodeAt(at);
    while (unit >= 0x30 && unit <= 0x39 && at - start < 15) {
      small = small * 10 + unit - 0x30;
      unit = text.charCodeAt(++at);
    }
    const isOver = !((unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x65 || unit === 0x45);
    if (at > start && isOver && (at - start === 1 || text.charCodeAt(start) !== 0x30)) {
      this.#at = at;
      return small;
    }
    const isInteger = this.#skipNumber();
    const token = text.slice(start, this.#at);
    if (!isInteger && wantsInteger) {
      this.#cause(depth, `Invalid value: ${token.slice(0, 40)}: must be an integer, written without fraction and exponent`);
    }
    const value = Number(token);
    if (!Number.isFinite(value) || (isInteger && token.length > MAX_INTEGER_DIGITS + 1)) {
      this.#at = start;
      throw badRequest(`invalid JSON at ${this.#where()}: the number is too large`);
    }
    if (!isInteger || Number.isSafeInteger(value)) return value;
    const exact = BigInt(token);
    // From 1e21 on a double is printed with an exponent.
    return BigInt(value) === exact && Math.abs(value) < 1e21 ? value : exact;
  }

  /** Past the number that starts here. True when it has neither fraction nor exponent. */
  #skipNumber(): boolean {
    const text = this.#text;
    let at = this.#at;
    if (text.charCodeAt(at) === 0x2d) at++;
    let unit = text.charCodeAt(at);
    if (unit === 0x30) {
      at++;
    } else if (unit >= 0x31 && unit <= 0x39) {
      at = this.#digits(at);
    } else {
      if (at > this.#at) this.#at = Math.min(at, text.length);
      throw this.#unexpected('where a value is expected');
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
    this.#at = at;
    return isInteger;
  }

  /** Past one digit or more. */
  #digits(from: number): number {
    let at = from;
    for (let unit = this.#text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = this.#text.charCodeAt(at)) at++;
    if (at === from) {
      this.#at = Math.min(at, this.#text.length);
      throw this.#unexpected('in a number');
    }
    return at;
  }

  /** Past the opening bracket of a container at `depth`. */
  #enter(depth: number): void {
    if (depth > MAX_JSON_DEPTH) throw badRequest(`invalid JSON at ${this.#where()}: nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.#at++;
  }

  #find(kind: JsonFinding['kind'], depth: number): void {
    if (this.#findings.length >= MAX_FINDINGS || ++this.#attempts > MAX_ATTEMPTS) return;
    const path = this.#pathText(depth);
    const identity = `${kind} ${path}`;
    if (this.#known.has(identity)) return;
    this.#known.add(identity);
    this.#findings.push({ kind, path });
  }

  #cause(depth: number, message: string): void {
    if (this.#causes.length < MAX_FINDINGS) this.#causes.push({ reason: 'FieldValueTypeInvalid', field: this.#pathText(depth), message });
  }

  #pathText(depth: number): string {
    let path = '';
    for (const step of this.#path.slice(0, depth)) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path;
  }

  #unexpected(where: string): Error {
    if (this.#at >= this.#text.length) return badRequest(`invalid JSON at ${this.#where()}: the text ends too early`);
    const found = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return badRequest(`invalid JSON at ${this.#where()}: invalid character ${JSON.stringify(found)} ${where}`);
  }

  #where(): string {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    return `line ${line}, column ${column} (offset ${Buffer.byteLength(before, 'utf8')})`;
  }
}

const isHexDigit = (unit: number) => (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);

/** By halving: a prefix is valid up to the last byte before the invalid one, give or take a character cut in two. */
function firstInvalidUtf8(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.byteLength;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (isUtf8(wholeCharacters(bytes.subarray(0, middle)))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

/** Without the character that the end cuts in two, if there is one. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > back) return bytes.subarray(0, bytes.byteLength - back);
    if (length > 0) break;
  }
  return bytes;
}
