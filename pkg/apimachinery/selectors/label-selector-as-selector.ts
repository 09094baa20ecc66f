/** Converts a LabelSelector object (meta/v1), as in a spec, to a selector. `LabelSelectorAsSelector` in Kubernetes. */
import type { StatusCause } from '../status/status-error.ts';
import { invalidValue } from '../status/causes.ts';
import { checkLabelRequirement } from './label-requirement.ts';
import { createLabelSelector, SELECTS_NOTHING, type LabelRequirement, type ParsedLabelSelector } from './selector.ts';

export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}

export interface LabelExpression {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

export type LabelSelectorResult =
  | { readonly selector: ParsedLabelSelector; readonly causes?: undefined }
  | { readonly selector?: undefined; readonly causes: readonly StatusCause[] };

const OPERATORS: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** An absent selector selects nothing, an empty one everything. */
export function labelSelectorAsSelector(object: LabelSelectorObject | null | undefined): LabelSelectorResult {
  if (object === null || object === undefined) return { selector: SELECTS_NOTHING };
  const requirements: LabelRequirement[] = [];
  const causes: StatusCause[] = [];
  const add = (key: string, operator: string, values: readonly string[]) => {
    const checked = checkLabelRequirement(key, operator, values);
    if (checked.requirement === undefined) causes.push(...checked.causes);
    else requirements.push(checked.requirement);
  };
  for (const [key, value] of Object.entries(object.matchLabels ?? {})) add(key, '=', [value]);
  for (const { key = '', operator = '', values = [] } of object.matchExpressions ?? []) {
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (known === undefined) causes.push(invalidValue('operator', operator, 'not a valid label selector operator'));
    else add(key, known, values);
  }
  return causes.length > 0 ? { causes } : { selector: createLabelSelector(requirements) };
}
