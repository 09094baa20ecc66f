/**
 * An HPACK encoder (RFC 7541). Fields are added to the table while there is room, and never evicted. Callers mark
 * fields that will not repeat.
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
  /** Must not be added to any table, here or in a proxy. */
  readonly secret?: boolean;
  /** Will not repeat with this value, so it is not added to the table. */
  readonly once?: boolean;
}

/** One per connection. All blocks must be sent, in the order in which they were encoded. */
export class HpackEncoder {
  /** The number of earlier entries, by field. */
  readonly #entered = new Map<string, number>();
  #enteredBytes = 0;
  #maxBytes = DEFAULT_TABLE_BYTES;
  #mustSendSize = false;

  /** The number of table entries. A block may be sent again while it is unchanged. */
  get entered(): number {
    return this.#entered.size;
  }

  /** Disables the table when the limit of the peer is below the default. True when earlier blocks became invalid. */
  limitTable(bytes: number): boolean {
    if (bytes >= DEFAULT_TABLE_BYTES || this.#maxBytes === 0) return false;
    this.#maxBytes = 0;
    this.#entered.clear();
    this.#enteredBytes = 0;
    this.#mustSendSize = true;
    return true;
  }

  encode(fields: readonly WrittenField[]): Buffer {
    const bytes: number[] = [];
    if (this.#mustSendSize) bytes.push(TABLE_SIZE_0);
    this.#mustSendSize = false;
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
