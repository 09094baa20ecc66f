/** Rules of fields whose value is one of a few words. */
import { NO_CAUSES, notSupported, required } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

/** `field` of the struct at `path` may be absent; the empty text is a word like any other. */
export const choiceCauses = (
  value: string | undefined,
  path: FieldPath,
  field: string,
  choices: readonly string[],
): readonly StatusCause[] =>
  value === undefined || choices.includes(value) ? NO_CAUSES : [notSupported(path.child(field), value, choices)];

/** The same for a field that must be given; an empty one is missing. `detail`: what is said of one that is. */
export const requiredChoiceCauses = (
  value: string | undefined,
  path: FieldPath,
  field: string,
  choices: readonly string[],
  detail?: string,
): readonly StatusCause[] =>
  value === undefined || value === '' ? [required(path.child(field), detail)] : choiceCauses(value, path, field, choices);
