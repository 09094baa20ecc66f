/** The fields of one message, by number. Go writes them in this order. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';

/** An object or list under construction. */
export type MutableMembers = Record<string, JsonValue | undefined>;

/** Reads and writes one field of a message. */
export interface FieldCodec {
  readonly number: number;
  /** Writes tag and value; nothing if Go omits the field. */
  write(out: MessageWriter, object: JsonObject): void;
  /** Reads what follows `tag` into `object`. */
  read(from: MessageReader, tag: number, object: MutableMembers): void;
}

/** The fields of one message. */
export class FieldTable {
  /** Sorted by number. */
  readonly inOrder: FieldCodec[] = [];
  readonly #byNumber = new Map<number, FieldCodec>();

  /** Must be called once, with all fields. Separate from the constructor, because types can be recursive. */
  fill(fields: readonly FieldCodec[]): void {
    this.inOrder.push(...fields.toSorted((a, b) => a.number - b.number));
    for (const field of fields) this.#byNumber.set(field.number, field);
  }

  write(out: MessageWriter, object: JsonObject): void {
    const { inOrder } = this;
    for (let at = inOrder.length - 1; at >= 0; at--) inOrder[at]?.write(out, object);
  }

  /** Reads to the end of the open message into `object`. */
  read(from: MessageReader, object: MutableMembers): void {
    while (from.hasMore) {
      const tag = from.tag();
      const field = this.#byNumber.get(Math.floor(tag / 8));
      if (field === undefined) from.skip(tag);
      else field.read(from, tag, object);
    }
  }
}

/** Only for values under construction, which are not shared yet. */
export const isMutableMembers = (value: JsonValue | undefined): value is MutableMembers => isJsonObject(value);
export const isMutableList = (value: JsonValue | undefined): value is JsonValue[] => Array.isArray(value);
