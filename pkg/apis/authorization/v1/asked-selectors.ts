/**
 * The selectors of a question. Invalid ones are ignored: this widens the question, so the answer never allows too much.
 */
import {
  type AccessRequirement,
  type AccessSelectors,
  parseAccessSelectors,
  toLabelAccess,
} from '../../../apimachinery/selectors/access-selectors.ts';
import { parseFieldSelector } from '../../../apimachinery/selectors/field-selector.ts';
import { checkLabelRequirement } from '../../../apimachinery/selectors/label-requirement.ts';
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

/** Those that are valid. */
export function askedSelectors({ fieldSelector = {}, labelSelector = {} }: Unchecked<ResourceAttributes>): AccessSelectors {
  const { requirements: fieldRequirements = [], rawSelector: rawFields = '' } = fieldSelector;
  const { requirements: labelRequirements = [], rawSelector: rawLabels = '' } = labelSelector;
  const raw = parseAccessSelectors(rawFields, rawLabels);
  return {
    fields: fieldRequirements.length === 0 ? raw.fields : fieldRequirements.flatMap(toFieldAccess),
    labels: labelRequirements.length === 0 ? raw.labels : labelRequirements.flatMap(toValidLabelAccess),
  };
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

function toValidLabelAccess({ key = '', operator = '', values = [] }: Unchecked<LabelSelectorRequirement>): readonly AccessRequirement[] {
  const spelling = LABEL_SPELLINGS[operator];
  const { requirement } = spelling === undefined ? {} : checkLabelRequirement(key, spelling, values);
  return requirement === undefined ? [] : toLabelAccess(requirement);
}

const LABEL_SPELLINGS: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

function toFieldAccess(requirement: Unchecked<FieldSelectorRequirement>): readonly AccessRequirement[] {
  const { key = '', operator, values = [] } = requirement;
  return isFieldRequirement(requirement) ? [{ key, operator: operator === 'In' ? 'In' : 'NotIn', values }] : [];
}

/** Field selectors compare with exactly one value. */
const isFieldRequirement = ({ operator, values = [] }: Unchecked<FieldSelectorRequirement>): boolean =>
  (operator === 'In' || operator === 'NotIn') && values.length === 1;
