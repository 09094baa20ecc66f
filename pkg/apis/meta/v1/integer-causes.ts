/** Rules of integers inside a spec. */
import { invalidValue, NO_CAUSES } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

/** `field` of the struct at `path` may be absent; otherwise it must be at least 0. */
export const nonNegativeCauses = (value: number | bigint | undefined, path: FieldPath, field: string): readonly StatusCause[] =>
  value === undefined || value >= 0 ? NO_CAUSES : [invalidValue(path.child(field), value, 'must be greater than or equal to 0')];
