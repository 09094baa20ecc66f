/** Invalid selectors are ignored: this widens the question, so the answer never allows too much. */
import { parseFieldSelector } from '../../../apimachinery/selectors/field-selector.ts';
import { parseLabelSelector } from '../../../apimachinery/selectors/label-selector.ts';
import { StatusError } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../../meta/v1/types.gen.ts';
import type { ResourceAttributes } from './types.gen.ts';

/** Text for `status.evaluationError`; empty if all selectors are valid. The attributes must have passed the rules. */
export function selectorErrors({ fieldSelector = {}, labelSelector = {} }: Unchecked<ResourceAttributes>): string {
  const { requirements: fieldRequirements = [], rawSelector: rawFields = '' } = fieldSelector;
  const { requirements: labelRequirements = [], rawSelector: rawLabels = '' } = labelSelector;
  return [
    ...ignored('fieldSelector', fieldRequirements.map(isFieldRequirement), () => parseFieldSelector(rawFields)),
    ...ignored('labelSelector', labelRequirements.map(isLabelRequirement), () => parseLabelSelector(rawLabels)),
  ].join('; ');
}

/** `understood`: one element per requirement; empty for a raw selector. */
function ignored(name: string, understood: readonly boolean[], parse: () => unknown): string[] {
  if (understood.length === 0 ? isParsed(parse) : understood.every(Boolean)) return [];
  return [`spec.resourceAttributes.${name}${understood.includes(true) ? ' partially' : ''} ignored due to parse error`];
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

const LABEL_OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const isLabelRequirement = ({ operator = '' }: Unchecked<LabelSelectorRequirement>): boolean => LABEL_OPERATORS.includes(operator);

/** Field selectors compare with exactly one value. */
const isFieldRequirement = ({ operator, values = [] }: Unchecked<FieldSelectorRequirement>): boolean =>
  (operator === 'In' || operator === 'NotIn') && values.length === 1;
