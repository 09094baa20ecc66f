import type { JsonValue } from './json-value.ts';

/**
 * Where the fields of a struct stand in its text, and those of the structs in it. Only objects and lists, which end where they end whatever follows. The
 * same text at the same field of the same type is the same value, so that an object that is much like another one need not be read, compared or
 * written whole.
 */
export interface JsonParts {
  readonly text: string;
  readonly fields: ReadonlyMap<string, JsonPart>;
}

export interface JsonPart {
  /** Offsets into the text; `end` is behind the closing bracket. */
  readonly start: number;
  readonly end: number;
  /** Shared: never to be written into. */
  readonly value: JsonValue;
  /** Of a field of the outermost struct that is a struct itself. */
  readonly fields?: ReadonlyMap<string, JsonPart> | undefined;
}

/** The text of the field, where it has this very value; `undefined`: it has another, or none. */
export function textOfPart({ text, fields }: JsonParts, name: string, value: JsonValue): string | undefined {
  const part = fields.get(name);
  return part?.value === value ? text.slice(part.start, part.end) : undefined;
}

/** Of the struct in a field. */
export function partsOfField({ text, fields }: JsonParts, name: string): JsonParts | undefined {
  const inner = fields.get(name)?.fields;
  return inner === undefined ? undefined : { text, fields: inner };
}
