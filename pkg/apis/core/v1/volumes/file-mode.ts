/** The rule of file modes as in `chmod`; in JSON they are decimal. */
import { invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

const MAX_MODE = 0o777;

/** `field`: `mode` or `defaultMode` of the struct at `path`. An absent mode is valid. */
export const modeCauses = (mode: number | undefined, path: FieldPath, field: 'mode' | 'defaultMode'): readonly StatusCause[] =>
  mode === undefined || (mode >= 0 && mode <= MAX_MODE)
    ? NO_CAUSES
    : [invalidValue(path.child(field), mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
