import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, ObjectShape } from '../../apis/type-shape.ts';

export function hasMembers(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== undefined) return true;
  return false;
}

const NOTHING: JsonObject = {};
const NONE: readonly JsonValue[] = [];

/** Null counts as a struct or map without members, as it does wherever views are merged. */
export const membersIn = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : NOTHING);

/** Null counts as a list without elements. */
export const elementsIn = (value: JsonValue | undefined): readonly JsonValue[] => (isArray(value) ? value : NONE);

/** Null, or nothing in it. */
export const isBlank = (value: JsonValue): boolean => (isArray(value) ? value.length === 0 : !hasMembers(membersIn(value)));

/**
 * Finds fields by name. The members of an object mostly come in the order of its shape, so the next one is looked for behind the last one that was
 * found: that beats asking the object for every field that it might have.
 */
export class FieldCursor {
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
