/** Rules of enum fields. */
import { NO_CAUSES, notSupported, required } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

/** `field` of the struct at `path` may be absent; the empty string must be one of the values. */
export const choiceCauses = (
  value: string | undefined,
  path: FieldPath,
  field: string,
  choices: readonly string[],
): readonly StatusCause[] =>
  value === undefined || choices.includes(value) ? NO_CAUSES : [notSupported(path.child(field), value, choices)];

/** The same for a required field; empty means missing. `detail`: the detail of the cause for a missing field. */
export const requiredChoiceCauses = (
  value: string | undefined,
  path: FieldPath,
  field: string,
  choices: readonly string[],
  detail?: string,
): readonly StatusCause[] =>
  value === undefined || value === '' ? [required(path.child(field), detail)] : choiceCauses(value, path, field, choices);
