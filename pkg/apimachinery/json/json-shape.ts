/**
 * What the parser asks of a type, so that it finds unknown fields, keeps raw values and reads scalars as the type wants
 * them. Compiled once per kind from the type facts (`pkg/schema/decode.ts`); may be cyclic.
 */
import type { JsonValue } from './json-value.ts';

export type JsonShape = ObjectForm | ArrayForm | MapForm | TextForm | ScalarForm;

/** A Go struct: the names it knows, case-sensitive. `null` members count as absent. */
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
  /**
   * The canonical spelling of a string; for a number its text is given, so that nothing is lost. `null` means absent.
   * What cannot be read comes back as it is.
   */
  readonly normalize: (value: string) => JsonValue;
  /** Numbers are spelled as strings (quantities). */
  readonly numbersAreText: boolean;
  readonly zero: JsonValue;
}

export interface ScalarForm {
  /**
   * `integer`: a number with a fraction or an exponent is a cause. `raw`: kept token for token. `any`: taken as it
   * comes.
   */
  readonly form: 'integer' | 'raw' | 'any';
  /** What a `null` element of a list or map of this type stands for. */
  readonly zero: JsonValue;
}
