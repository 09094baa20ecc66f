/** The rules of a LabelSelector in a spec. */
import { checkLabelValue, checkQualifiedName } from '../../../apimachinery/meta/names.ts';
import { labelCauses } from '../../../apimachinery/meta/object-meta.ts';
import { causesOfElements, forbidden, invalidValue, NO_CAUSES, required } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { nameCauses } from './name-causes.ts';
import type { LabelSelector, LabelSelectorRequirement } from './types.gen.ts';

export interface LabelSelectorOptions {
  /** Accepts any value in `matchExpressions`, for updates of objects whose stored selector is invalid. */
  readonly allowInvalidValues?: boolean;
}

export interface OperatorOptions {
  /** Accepts any operator, for callers that ignore unknown ones. */
  readonly allowUnknownOperators?: boolean;
}

/** An absent selector is valid. Causes have the paths `.matchLabels` and `.matchExpressions[i].…`. */
export function validateLabelSelector(
  selector: Unchecked<LabelSelector> | undefined,
  path: FieldPath,
  { allowInvalidValues = false }: LabelSelectorOptions = {},
): readonly StatusCause[] {
  if (selector === undefined) return NO_CAUSES;
  const { matchLabels, matchExpressions } = selector;
  const matchLabelCauses = matchLabels === undefined ? NO_CAUSES : labelCauses(matchLabels, path.child('matchLabels'));
  if (matchExpressions === undefined) return matchLabelCauses;
  const expressionCauses = causesOfElements(path.child('matchExpressions'), matchExpressions, (requirement, at) =>
    labelRequirementCauses(requirement, at, { allowInvalidValues }),
  );
  return matchLabelCauses.length === 0 ? expressionCauses : [...matchLabelCauses, ...expressionCauses];
}

/** Whether a value of `matchExpressions` is not a valid label value. An update may keep such a stored selector. */
export const hasInvalidValues = (selector: Unchecked<LabelSelector> | undefined): boolean =>
  selector?.matchExpressions?.some(({ values }) => values?.some((value) => checkLabelValue(value).length > 0)) ?? false;

/** Causes have the paths `.operator`, `.key`, `.values` and `.values[j]`. */
export const labelRequirementCauses = (
  { key = '', operator = '', values = [] }: Unchecked<LabelSelectorRequirement>,
  path: FieldPath,
  { allowInvalidValues = false, ...operators }: LabelSelectorOptions & OperatorOptions = {},
): readonly StatusCause[] => [
  ...operatorCauses(operator, values.length, path, operators),
  ...nameCauses(key, path.child('key'), checkQualifiedName),
  ...(allowInvalidValues ? NO_CAUSES : valueCauses(values, path.child('values'))),
];

/** `values`: their number. Node selectors have these operators and two more. */
export function operatorCauses(
  operator: string,
  values: number,
  path: FieldPath,
  { allowUnknownOperators = false }: OperatorOptions = {},
): readonly StatusCause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? NO_CAUSES : [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0
        ? NO_CAUSES
        : [forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return allowUnknownOperators ? NO_CAUSES : [invalidValue(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

const valueCauses = (values: readonly string[], path: FieldPath): readonly StatusCause[] =>
  causesOfElements(path, values, (value, at) => nameCauses(value, at, checkLabelValue));
