/** The fields of one message, in the order of their numbers, which is the order in which Go writes them. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';

/** An object or a list that is being read. */
export type Members = Record<string, JsonValue | undefined>;

/** One field of a message: what of the object is in it. */
export interface FieldWire {
  readonly number: number;
  /** With its tags; nothing when Go would write nothing. */
  write(out: MessageWriter, object: JsonObject): void;
  /** What follows `tag`, into `object`. */
  read(from: MessageReader, tag: number, object: Members): void;
}

/** The fields of one message. */
export class FieldTable {
  /** By their numbers. */
  readonly inOrder: FieldWire[] = [];
  readonly #byNumber = new Map<number, FieldWire>();

  /** Once, with all of them. They can be made when the table is known: a type may contain itself. */
  fill(fields: readonly FieldWire[]): void {
    this.inOrder.push(...fields.toSorted((a, b) => a.number - b.number));
    for (const field of fields) this.#byNumber.set(field.number, field);
  }

  write(out: MessageWriter, object: JsonObject): void {
    const { inOrder } = this;
    for (let at = inOrder.length - 1; at >= 0; at--) inOrder[at]?.write(out, object);
  }

  /** To the end of what is open, into `object`. */
  read(from: MessageReader, object: Members): void {
    while (from.hasMore) {
      const tag = from.tag();
      const field = this.#byNumber.get(Math.floor(tag / 8));
      if (field === undefined) from.skip(tag);
      else field.read(from, tag, object);
    }
  }
}

/** Only of what is being read, which nobody else has seen yet. */
export const isMembers = (value: JsonValue | undefined): value is Members => isJsonObject(value);
export const isList = (value: JsonValue | undefined): value is JsonValue[] => Array.isArray(value);
