/** Rules of names, label keys and label values in a spec. */
import { checkAsPrefix, type NameCheck } from '../../../apimachinery/meta/names.ts';
import { invalidValue, NO_CAUSES } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

/** One cause for each problem that `check` finds in `name`. */
export function nameCauses(name: string, path: FieldPath, check: NameCheck): readonly StatusCause[] {
  const wrong = check(name);
  return wrong.length === 0 ? NO_CAUSES : wrong.map((why) => invalidValue(path, name, why));
}

/** The same for an optional name; empty counts as absent. */
export const optionalNameCauses = (name: string | undefined, path: FieldPath, field: string, check: NameCheck): readonly StatusCause[] =>
  name === undefined || name === '' ? NO_CAUSES : nameCauses(name, path.child(field), check);

const METADATA = FieldPath.of('metadata');

/** Of kinds that check generateName on every update, though the name cannot change. `checkName`: the rule for names. */
export const generateNameCauses = (
  { metadata: { generateName } = {} }: { readonly metadata?: { readonly generateName?: string } },
  checkName: NameCheck,
): readonly StatusCause[] => optionalNameCauses(generateName, METADATA, 'generateName', checkAsPrefix(checkName));
