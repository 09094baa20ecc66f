/**
 * Structs that were read lately. Many objects are made from one template, and the same few are written again and again; what stands word for word as it
 * did before is the same value, and need not be read, checked or written again by those who know it by its identity.
 */
import type { FieldForm } from './json-shape.ts';
import type { JsonPart } from './json-parts.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** Of each field. A text that is not one of them is told from each by its first characters. */
const MAX_KNOWN = 8;
/** A smaller struct is read as fast as it is looked for. */
const MIN_CHARS = 200;
/** A text keeps the body alive that it was cut from. */
const MAX_BODY_CHARS = 32 * 1024;

interface KnownText {
  readonly text: string;
  readonly value: JsonObject;
  readonly start: number;
  readonly fields: ReadonlyMap<string, JsonPart> | undefined;
}

export class RecentParts {
  /** The one that was met last is the first. */
  readonly #known = new Map<FieldForm, KnownText[]>();
  readonly #unique: ReadonlySet<string>;

  /** `unique`: fields that are different in each object. */
  constructor(unique: readonly string[] = []) {
    this.#unique = new Set(unique);
  }

  /** The part that starts there, if its text is known. No text of a struct begins another one, so that the end need not be looked for. */
  find(field: FieldForm, text: string, start: number): JsonPart | undefined {
    const known = this.#known.get(field);
    if (known === undefined) return undefined;
    for (let at = 0; at < known.length; at++) {
      const each = known[at];
      if (each === undefined || !text.startsWith(each.text, start)) continue;
      if (at > 0) {
        known.splice(at, 1);
        known.unshift(each);
      }
      return new MovedPart(each, start);
    }
    return undefined;
  }

  /** `part`: without anything in it that was found wrong. */
  keep(field: FieldForm, text: string, { start, end, value, fields }: JsonPart & { readonly value: JsonObject }): void {
    if (end - start < MIN_CHARS || text.length > MAX_BODY_CHARS || this.#unique.has(field.name)) return;
    let known = this.#known.get(field);
    if (known === undefined) this.#known.set(field, (known = []));
    if (known.length === MAX_KNOWN) known.pop();
    known.unshift({ text: text.slice(start, end), value, start, fields });
  }
}

/** A part that stands elsewhere now. */
class MovedPart implements JsonPart {
  readonly start: number;
  readonly end: number;
  readonly value: JsonValue;
  readonly #known: KnownText;

  constructor(known: KnownText, start: number) {
    this.start = start;
    this.end = start + known.text.length;
    this.value = known.value;
    this.#known = known;
  }

  get fields(): ReadonlyMap<string, JsonPart> | undefined {
    const { fields, start } = this.#known;
    const by = this.start - start;
    if (fields === undefined || by === 0) return fields;
    return new Map(
      Array.from(fields, ([name, part]) => [name, { start: part.start + by, end: part.end + by, value: part.value, fields: undefined }]),
    );
  }
}
