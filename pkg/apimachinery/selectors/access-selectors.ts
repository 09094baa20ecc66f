/** The selectors of a request as authorizers see them: what does not narrow for certain is left out. */
import { StatusError } from '../status/status-error.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import type { FieldRequirement, LabelRequirement } from './selector.ts';

export interface AccessSelectors {
  readonly fields: readonly AccessRequirement[];
  readonly labels: readonly AccessRequirement[];
}

export interface AccessRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** Absent for operators without values. */
  readonly values?: readonly string[];
}

/** A selector that cannot be parsed has no requirements: the question is then a wider one. */
export const parseAccessSelectors = (fieldSelector: string, labelSelector: string): AccessSelectors => ({
  fields: requirementsOf(() => parseFieldSelector(fieldSelector).requirements.map(toFieldAccess)),
  labels: requirementsOf(() => parseLabelSelector(labelSelector).requirements.flatMap(toLabelAccess)),
});

function requirementsOf(parse: () => readonly AccessRequirement[]): readonly AccessRequirement[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}

const toFieldAccess = ({ field, operator, value }: FieldRequirement): AccessRequirement => ({
  key: field,
  operator: operator === '=' ? 'In' : 'NotIn',
  values: [value],
});

const LABEL_OPERATORS = { in: 'In', notIn: 'NotIn', exists: 'Exists', doesNotExist: 'DoesNotExist' } as const;

/** Reviews have no operators for comparisons of numbers. */
export function toLabelAccess({ key, operator, values }: LabelRequirement): readonly AccessRequirement[] {
  if (operator === 'greaterThan' || operator === 'lessThan') return [];
  return [{ key, operator: LABEL_OPERATORS[operator], ...(values.length === 0 ? {} : { values }) }];
}
