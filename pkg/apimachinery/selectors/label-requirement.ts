/** Validates one requirement of a label selector: key, values, and the number of values for the operator. */
import { checkLabelValue, checkQualifiedName } from '../meta/names.ts';
import { compareByBytes } from '../json/write-json.ts';
import { invalidValue, notSupported } from '../status/causes.ts';
import type { StatusCause } from '../status/status-error.ts';
import { parseInt64, type LabelRequirement } from './selector.ts';

/** As spelled in a selector. */
const OPERATORS: readonly string[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'];

export type CheckedRequirement =
  | { readonly requirement: LabelRequirement; readonly causes?: undefined }
  | { readonly requirement?: undefined; readonly causes: readonly StatusCause[] };

/** `values` may contain duplicates; the requirement has them sorted and unique. */
export function checkLabelRequirement(key: string, operator: string, values: readonly string[]): CheckedRequirement {
  const causes: StatusCause[] = checkQualifiedName(key).length === 0 ? [] : [invalidKey('key', key)];
  const built = toRequirement(key, operator, values);
  if ('reason' in built) causes.push(built);
  values.forEach((value, index) => {
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) causes.push(invalidValue(`values[${index}][${key}]`, value, wrong.join('; ')));
  });
  return 'reason' in built || causes.length > 0 ? { causes } : { requirement: built };
}

export const invalidKey = (field: string, key: string): StatusCause => invalidValue(field, key, checkQualifiedName(key).join('; '));

function toRequirement(key: string, operator: string, values: readonly string[]): LabelRequirement | StatusCause {
  const invalidValues = (detail: string): StatusCause => invalidValue('values', values.join(','), detail);
  const sorted = [...new Set(values)].sort(compareByBytes);
  const [first = ''] = sorted;
  switch (operator) {
    case 'in':
      return values.length === 0 ? invalidValues(NEEDS_VALUES) : { key, operator: 'in', values: sorted, spelling: operator };
    case 'notin':
      return values.length === 0 ? invalidValues(NEEDS_VALUES) : { key, operator: 'notIn', values: sorted, spelling: operator };
    case '=':
    case '==':
      return values.length === 1 ? { key, operator: 'in', values: sorted, spelling: operator } : invalidValues(NEEDS_ONE_VALUE);
    case '!=':
      return values.length === 1 ? { key, operator: 'notIn', values: sorted, spelling: operator } : invalidValues(NEEDS_ONE_VALUE);
    case 'exists':
      return values.length === 0 ? { key, operator: 'exists', values: [], spelling: '' } : invalidValues(TAKES_NO_VALUES);
    case '!':
      return values.length === 0 ? { key, operator: 'doesNotExist', values: [], spelling: operator } : invalidValues(TAKES_NO_VALUES);
    case 'gt':
    case 'lt':
      if (values.length !== 1) return invalidValues("for 'Gt', 'Lt' operators, exactly one value is required");
      if (parseInt64(first) === undefined) {
        return invalidValue('values[0]', first, "for 'Gt', 'Lt' operators, the value must be an integer");
      }
      return { key, operator: operator === 'gt' ? 'greaterThan' : 'lessThan', values: sorted, spelling: operator === 'gt' ? '>' : '<' };
    default:
      return notSupported('operator', operator, OPERATORS);
  }
}

const NEEDS_VALUES = "for 'in', 'notin' operators, values set can't be empty";
const NEEDS_ONE_VALUE = 'exact-match compatibility requires one single value';
const TAKES_NO_VALUES = 'values set must be empty for exists and does not exist';
