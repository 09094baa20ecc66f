/** The rules of conditions in the status of both kinds. */
import { causesOfElements, duplicateValue, required } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');

export function conditionCauses(conditions: readonly { readonly type?: string }[] | undefined): readonly StatusCause[] {
  const types = new Set<string>();
  return causesOfElements(CONDITIONS, conditions, ({ type = '' }, path) => {
    const field = path.child('type');
    const isDuplicate = types.has(type);
    types.add(type);
    return [...(isDuplicate ? [duplicateValue(field, type)] : []), ...(type === '' ? [required(field)] : [])];
  });
}
