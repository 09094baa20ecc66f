/** Causes for missing required fields of volume sources. */
import { NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

type TextOrList = string | readonly unknown[];

/** One cause for each of `fields` that is absent or empty. */
export function missingCauses<Field extends string>(
  source: { readonly [F in Field]?: TextOrList },
  path: FieldPath,
  ...fields: readonly Field[]
): readonly StatusCause[] {
  let causes = NO_CAUSES;
  for (const field of fields) {
    const value: TextOrList | undefined = source[field];
    if (value === undefined || value.length === 0) causes = [...causes, required(path.child(field))];
  }
  return causes;
}

/** The same for the name in an optional reference to a Secret. */
export const unnamedSecretCauses = (secretRef: { readonly name?: string } | undefined, path: FieldPath): readonly StatusCause[] =>
  secretRef === undefined ? NO_CAUSES : missingCauses(secretRef, path.child('secretRef'), 'name');

/** The same for a reference that also needs a namespace. */
export const incompleteSecretCauses = (
  secretRef: { readonly name?: string; readonly namespace?: string } | undefined,
  path: FieldPath,
): readonly StatusCause[] => (secretRef === undefined ? NO_CAUSES : missingCauses(secretRef, path.child('secretRef'), 'name', 'namespace'));
