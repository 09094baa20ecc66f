/** The rules of questions about access: exactly one kind of access, and unambiguous selectors. */
import { causesOfElements, invalidValue, invalidWhole, NO_CAUSES, required } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { labelRequirementCauses, operatorCauses } from '../../meta/v1/label-selector.ts';
import type { FieldSelectorRequirement } from '../../meta/v1/types.gen.ts';
import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewSpec } from './types.gen.ts';

const SPEC = FieldPath.of('spec');

interface AccessQuestion {
  readonly resourceAttributes?: Unchecked<ResourceAttributes>;
  readonly nonResourceAttributes?: Unchecked<NonResourceAttributes>;
}

/** Of the sender's own access. All causes, not only the first. */
export const selfQuestionCauses = (spec: AccessQuestion, metadata: object): readonly StatusCause[] => [
  ...choiceCauses(spec),
  ...selectorsCauses(spec.resourceAttributes ?? {}, SPEC.child('resourceAttributes')),
  ...(isEmpty(metadata) ? NO_CAUSES : [invalidWhole('metadata', 'must be empty')]),
];

/** Of the access of somebody else. */
export const subjectQuestionCauses = (spec: Unchecked<SubjectAccessReviewSpec>): readonly StatusCause[] => {
  const { user = '', groups = [] } = spec;
  const isNobody = user === '' && groups.length === 0;
  return [
    ...choiceCauses(spec),
    ...(isNobody ? [invalidValue(SPEC.child('user'), '', 'at least one of user or group must be specified')] : NO_CAUSES),
    ...selectorsCauses(spec.resourceAttributes ?? {}, SPEC.child('resourceAttributes')),
  ];
};

function choiceCauses({ resourceAttributes, nonResourceAttributes }: AccessQuestion): readonly StatusCause[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    return [invalidWhole(SPEC.child('nonResourceAttributes'), 'cannot be specified in combination with resourceAttributes')];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return NO_CAUSES;
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue(SPEC.child('resourceAttributes'), null, detail)];
}

/** Newer clients may send operators that are unknown here; the answer ignores them. */
const OPERATORS = { allowUnknownOperators: true };

function selectorsCauses({ fieldSelector, labelSelector }: Unchecked<ResourceAttributes>, path: FieldPath): readonly StatusCause[] {
  return [
    ...selectorCauses(fieldSelector, path.child('fieldSelector'), fieldRequirementCauses),
    ...selectorCauses(labelSelector, path.child('labelSelector'), (requirement, at) => labelRequirementCauses(requirement, at, OPERATORS)),
  ];
}

interface SelectorAttributes<Requirement> {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

function selectorCauses<Requirement>(
  selector: SelectorAttributes<Requirement> | undefined,
  path: FieldPath,
  causesOf: (requirement: Requirement, path: FieldPath) => readonly StatusCause[],
): readonly StatusCause[] {
  if (selector === undefined) return NO_CAUSES;
  const { rawSelector = '', requirements = [] } = selector;
  const at = path.child('requirements');
  if (rawSelector === '' && requirements.length === 0) {
    return [required(at, `when ${path.toString()} is specified, requirements or rawSelector is required`)];
  }
  const both = 'may not specified at the same time as requirements';
  return [
    ...(rawSelector === '' || requirements.length === 0 ? NO_CAUSES : [invalidValue(path.child('rawSelector'), rawSelector, both)]),
    ...causesOfElements(at, requirements, causesOf),
  ];
}

const fieldRequirementCauses = (
  { key = '', operator = '', values = [] }: Unchecked<FieldSelectorRequirement>,
  path: FieldPath,
): readonly StatusCause[] => [
  ...operatorCauses(operator, values.length, path, OPERATORS),
  ...(key === '' ? [required(path.child('key'), 'must be specified')] : NO_CAUSES),
];

/** Only zero values. managedFields does not count, because the server adds it. */
export const isEmpty = (metadata: object): boolean =>
  Object.entries(metadata).every(([name, value]: [string, unknown]) => name === 'managedFields' || isZero(value));

const isZero = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : value === undefined || value === '' || value === 0;
