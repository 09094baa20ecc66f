/**
 * The last few texts of each struct field, with their values. Controllers create many objects from one template and
 * repeat a few writes. A struct with a cached text is not parsed, and has the same identity, which is a cache key
 * elsewhere.
 */
import type { FieldForm } from './json-shape.ts';
import type { JsonObject } from './json-value.ts';

/** Per field. Few, because each is compared; other texts differ within the first characters. */
const MAX_ENTRIES = 8;
/** Smaller structs are parsed as fast as they are found. */
const MIN_CHARS = 200;
/** A text is a slice that keeps the whole body in memory. */
const MAX_BODY_CHARS = 32 * 1024;

interface CachedStruct {
  readonly text: string;
  /** Shared, so it must not be modified. */
  readonly value: JsonObject;
}

export class RecentStructs {
  /** The most recently used entry is the first. */
  readonly #entries = new Map<FieldForm, CachedStruct[]>();
  readonly #unique: ReadonlySet<string>;

  /** `unique`: fields that differ in each object. They are not cached. */
  constructor(unique: readonly string[] = []) {
    this.#unique = new Set(unique);
  }

  /** Finds the struct at `start`. No JSON object is a prefix of another, so a prefix match is enough. */
  find(field: FieldForm, text: string, start: number): CachedStruct | undefined {
    const entries = this.#entries.get(field);
    if (entries === undefined) return undefined;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (entry === undefined || !text.startsWith(entry.text, start)) continue;
      if (at > 0) {
        entries.splice(at, 1);
        entries.unshift(entry);
      }
      return entry;
    }
    return undefined;
  }

  /** Adds the struct between `start` and `end`, in which nothing was found wrong. */
  add(field: FieldForm, value: JsonObject, text: string, start: number, end: number): void {
    if (end - start < MIN_CHARS || text.length > MAX_BODY_CHARS || this.#unique.has(field.name)) return;
    let entries = this.#entries.get(field);
    if (entries === undefined) this.#entries.set(field, (entries = []));
    if (entries.length === MAX_ENTRIES) entries.pop();
    entries.unshift({ text: text.slice(start, end), value });
  }
}
