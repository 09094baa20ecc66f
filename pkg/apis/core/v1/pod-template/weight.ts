import { invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

/** The weight of a preference relative to others of the pod. */
export const weightCauses = (weight: number, path: FieldPath): readonly StatusCause[] =>
  weight >= 1 && weight <= 100 ? NO_CAUSES : [invalidValue(path.child('weight'), weight, 'must be in the range 1-100')];
