import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, ObjectShape } from '../../apis/type-shape.ts';

export function hasMembers(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== undefined) return true;
  return false;
}

const EMPTY_OBJECT: JsonObject = {};
const EMPTY_LIST: readonly JsonValue[] = [];

/** Null counts as an empty struct or map, as everywhere in merging. */
export const membersOrEmpty = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : EMPTY_OBJECT);

/** Null counts as an empty list. */
export const elementsOrEmpty = (value: JsonValue | undefined): readonly JsonValue[] => (isArray(value) ? value : EMPTY_LIST);

/** Null, or without members or elements. */
export const isNullOrEmpty = (value: JsonValue): boolean => (isArray(value) ? value.length === 0 : !hasMembers(membersOrEmpty(value)));

/**
 * Finds fields by name, starting after the last match, because members are mostly in the order of the shape. Faster
 * than looking up every field of the shape in the object.
 */
export class FieldFinder {
  readonly #fields: readonly FieldShape[];
  #next = 0;

  constructor({ fields }: ObjectShape) {
    this.#fields = fields;
  }

  find(name: string): FieldShape | undefined {
    const fields = this.#fields;
    const start = this.#next;
    for (let at = start; at < fields.length; at++) {
      const field = fields[at];
      if (field?.name !== name) continue;
      this.#next = at + 1;
      return field;
    }
    for (let at = 0; at < start; at++) {
      const field = fields[at];
      if (field?.name !== name) continue;
      this.#next = at + 1;
      return field;
    }
    return undefined;
  }
}
