/**
 * Header blocks as they are written: HPACK (RFC 7541). Fields that come again are entered in the other side's table as
 * long as there is room, and nothing is ever thrown out of it, so that a number once given to a field stays with it.
 * Who writes many different ones says which come but once.
 */
import { DEFAULT_TABLE_BYTES, fieldBytes } from './hpack-decoder.ts';
import type { HeaderField } from './hpack-tables.ts';
import { STATIC_TABLE } from './hpack-tables.ts';

const INDEXED = 0x80;
const LITERAL_INDEXED = 0x40;
const TABLE_SIZE_0 = 0x20;
const LITERAL = 0x00;
const LITERAL_NEVER_INDEXED = 0x10;

const STATIC_NAMES = new Map(STATIC_TABLE.map(({ name }, index) => [name, index + 1] as const).reverse());
const STATIC_INDEX = new Map(STATIC_TABLE.map((field, index) => [keyOf(field), index + 1] as const));

function keyOf({ name, value }: HeaderField): string {
  return `${name}\n${value}`;
}

export interface WrittenField extends HeaderField {
  /** Must be in no table, neither here nor in a proxy. */
  readonly secret?: boolean;
  /** Will not come again with this value: it is not entered. */
  readonly once?: boolean;
}

/** Of one connection: its blocks must be sent, in the order in which they were made. */
export class HpackEncoder {
  /** How many fields had been entered before this one. */
  readonly #entered = new Map<string, number>();
  #enteredBytes = 0;
  #maxBytes = DEFAULT_TABLE_BYTES;
  #tellSize = false;

  /** How many fields were entered: a block made while it stays the same may be sent again. */
  get entered(): number {
    return this.#entered.size;
  }

  /**
   * The other side's limit on its table. One below the default is taken for "no table". True: blocks made before must
   * not be sent again.
   */
  limitTable(bytes: number): boolean {
    if (bytes >= DEFAULT_TABLE_BYTES || this.#maxBytes === 0) return false;
    this.#maxBytes = 0;
    this.#entered.clear();
    this.#enteredBytes = 0;
    this.#tellSize = true;
    return true;
  }

  encode(fields: readonly WrittenField[]): Buffer {
    const bytes: number[] = [];
    if (this.#tellSize) bytes.push(TABLE_SIZE_0);
    this.#tellSize = false;
    for (const field of fields) this.#encode(bytes, field);
    return Buffer.from(bytes);
  }

  #encode(bytes: number[], field: WrittenField): void {
    const key = keyOf(field);
    const known = this.#indexOf(key);
    if (known !== undefined && field.secret !== true) {
      pushInteger(bytes, INDEXED, 7, known);
      return;
    }
    const name = STATIC_NAMES.get(field.name) ?? 0;
    if (field.secret === true) pushInteger(bytes, LITERAL_NEVER_INDEXED, 4, name);
    else if (field.once === true || this.#enteredBytes + fieldBytes(field) > this.#maxBytes) pushInteger(bytes, LITERAL, 4, name);
    else {
      pushInteger(bytes, LITERAL_INDEXED, 6, name);
      this.#entered.set(key, this.#entered.size);
      this.#enteredBytes += fieldBytes(field);
    }
    if (name === 0) pushText(bytes, field.name);
    pushText(bytes, field.value);
  }

  #indexOf(key: string): number | undefined {
    const constant = STATIC_INDEX.get(key);
    if (constant !== undefined) return constant;
    const before = this.#entered.get(key);
    return before === undefined ? undefined : STATIC_TABLE.length + this.#entered.size - before;
  }
}

function pushInteger(bytes: number[], pattern: number, bits: number, value: number): void {
  const mask = 2 ** bits - 1;
  if (value < mask) {
    bytes.push(pattern | value);
    return;
  }
  bytes.push(pattern | mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

function pushText(bytes: number[], text: string): void {
  const raw = Buffer.from(text, 'latin1');
  pushInteger(bytes, 0, 7, raw.length);
  for (const byte of raw) bytes.push(byte);
}
