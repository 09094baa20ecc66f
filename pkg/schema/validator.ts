/**
 * The schema's part of validation. Both functions take an object as `decode` returns it (nulls and unknown fields gone), change nothing and
 * return all causes at once, up to `MAX_ERRORS`, in the order of the fields. What goes beyond types, presence and closed lists of words is
 * the kind's own rules.
 */
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../apis/type-shape.ts';
import { toStatusCause } from './schema-error.ts';
import type { CompiledValidator } from './validators/compiled.ts';
import { compiledValidators } from './validators/validators.gen.ts';

export interface Validator {
  /** Wrong JSON types, integers out of range, times and quantities that cannot be read: what a decoder refuses with 400. Reason FieldValueTypeInvalid. */
  readonly typeErrors: (object: JsonValue) => readonly StatusCause[];
  /**
   * Absent required fields (FieldValueRequired) and words outside a closed list (FieldValueNotSupported): 422. Metadata and status are left
   * out, absent fields there are filled in. May only be asked about an object without type errors.
   */
  readonly fieldErrors: (object: JsonValue) => readonly StatusCause[];
}

/** The validator of a kind, or of a body such as DeleteOptions. Costs nothing: the code was compiled by `make generate`. Throws for a shape without one. */
export function createValidator(shape: ObjectShape): Validator {
  const compiled = compiledValidators[shape.name];
  if (compiled === undefined) throw new Error(`no validator was generated for ${shape.name}`);
  const causesOf =
    (validate: CompiledValidator) =>
    (object: JsonValue): readonly StatusCause[] =>
      validate(object) ? [] : (validate.errors ?? []).map((error) => toStatusCause(shape, object, error));
  return { typeErrors: causesOf(compiled.types), fieldErrors: causesOf(compiled.fields) };
}
