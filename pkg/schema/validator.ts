/**
 * Schema validation of decoded objects. Both functions return all causes, up to `MAX_ERRORS`, in the order of the
 * fields. Rules beyond types, required fields and enums belong to the kind.
 */
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../apis/type-shape.ts';
import { toStatusCause } from './schema-error.ts';
import type { CompiledValidator } from './validators/compiled.ts';
import { compiledValidators } from './validators/validators.gen.ts';

export interface Validator {
  /** Wrong JSON types and invalid integers, times and quantities (400, FieldValueTypeInvalid). */
  readonly typeErrors: (object: JsonValue) => readonly StatusCause[];
  /**
   * Absent required fields (FieldValueRequired) and unsupported enum values (FieldValueNotSupported), for 422. Skips
   * metadata and status, whose absent fields get defaults. The object must have no type errors.
   */
  readonly fieldErrors: (object: JsonValue) => readonly StatusCause[];
}

/** Cheap, since `make generate` has compiled the code. Throws for a shape without a validator. */
export function createValidator(shape: ObjectShape): Validator {
  const compiled = compiledValidators[shape.name];
  if (compiled === undefined) throw new Error(`no validator was generated for ${shape.name}`);
  const causesOf =
    (validate: CompiledValidator) =>
    (object: JsonValue): readonly StatusCause[] =>
      validate(object) ? [] : (validate.errors ?? []).map((error) => toStatusCause(shape, object, error));
  return { typeErrors: causesOf(compiled.types), fieldErrors: causesOf(compiled.fields) };
}
