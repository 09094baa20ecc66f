/**
 * The type information that the parser needs to find unknown fields, preserve raw values and normalize scalars.
 * Compiled once per kind (`pkg/schema/decode.ts`). May be cyclic.
 */
import type { JsonValue } from './json-value.ts';

export type JsonShape = ObjectForm | ArrayForm | MapForm | TextForm | BytesForm | ScalarForm;

/** A Go struct with case-sensitive names. `null` members count as absent. */
export interface ObjectForm {
  readonly form: 'object';
  readonly fields: ReadonlyMap<string, FieldForm>;
  readonly zero: JsonValue;
}

export interface FieldForm {
  readonly name: string;
  /** Position in the struct, from 0. */
  readonly index: number;
  readonly shape: JsonShape;
}

export interface ArrayForm {
  readonly form: 'array';
  readonly items: JsonShape;
  readonly zero: JsonValue;
}

export interface MapForm {
  readonly form: 'map';
  readonly values: JsonShape;
  readonly zero: JsonValue;
}

/** A scalar with more than one spelling. */
export interface TextForm {
  readonly form: 'text';
  /** The canonical spelling of a string or number; `null` means absent. Invalid text is returned unchanged. */
  readonly normalize: (value: string) => JsonValue;
  /** Numbers are converted to strings (quantities). */
  readonly numbersAreText: boolean;
  readonly zero: JsonValue;
}

/** Base64. As in Go, a list of bytes counts as its base64. */
export interface BytesForm {
  readonly form: 'bytes';
  readonly zero: JsonValue;
}

export interface ScalarForm {
  /** `integer`: a fraction or exponent is a cause. `raw`: preserved token by token. `any`: unchecked. */
  readonly form: 'integer' | 'raw' | 'any';
  /** Replaces a `null` element of a list or map of this type. */
  readonly zero: JsonValue;
}
