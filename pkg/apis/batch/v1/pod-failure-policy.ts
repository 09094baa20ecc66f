/** The rules of a Job's podFailurePolicy. */
import { checkQualifiedName } from '../../../apimachinery/meta/names.ts';
import {
  causesOfEach,
  causesOfElements,
  duplicateValue,
  invalidValue,
  invalidWhole,
  NO_CAUSES,
  tooMany,
} from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { requiredChoiceCauses } from '../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../meta/v1/name-causes.ts';
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from './types.gen.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;

const ACTIONS: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS: readonly string[] = ['In', 'NotIn'];
const STATUSES: readonly string[] = ['False', 'True', 'Unknown'];

/** Parts of the Job that the rules depend on. */
interface Surroundings {
  readonly hasLimitPerIndex: boolean;
  /** Names of containers and init containers. */
  readonly containerNames: ReadonlySet<string>;
}

/** The second parameter is the Job's spec. A policy without rules is valid. */
export function validatePodFailurePolicy(
  { rules }: Unchecked<PodFailurePolicy>,
  { backoffLimitPerIndex, template }: Unchecked<JobSpec>,
  path: FieldPath,
): readonly StatusCause[] {
  if (rules === undefined) return NO_CAUSES;
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  const surroundings: Surroundings = {
    hasLimitPerIndex: backoffLimitPerIndex !== undefined,
    containerNames: new Set([...containers, ...initContainers].map(({ name = '' }) => name)),
  };
  const at = path.child('rules');
  return [
    ...(rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : NO_CAUSES),
    ...causesOfElements(at, rules, (rule, ruleAt) => ruleCauses(rule, surroundings, ruleAt)),
  ];
}

function ruleCauses(rule: Unchecked<PodFailurePolicyRule>, surroundings: Surroundings, path: FieldPath): readonly StatusCause[] {
  const { action = '', onExitCodes, onPodConditions = [] } = rule;
  const byCondition = onPodConditions.length > 0;
  const causes: StatusCause[] = [
    ...actionCauses(action, surroundings, path),
    ...(onExitCodes === undefined ? NO_CAUSES : exitCodeCauses(onExitCodes, surroundings, path.child('onExitCodes'))),
    ...(byCondition ? conditionsCauses(onPodConditions, path.child('onPodConditions')) : NO_CAUSES),
  ];
  if (onExitCodes !== undefined && byCondition) {
    causes.push(invalidWhole(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (onExitCodes === undefined && !byCondition) {
    causes.push(invalidWhole(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return causes;
}

function actionCauses(action: string, { hasLimitPerIndex }: Surroundings, path: FieldPath): readonly StatusCause[] {
  if (action === 'FailIndex') {
    return hasLimitPerIndex ? NO_CAUSES : [invalidValue(path.child('action'), action, 'requires the backoffLimitPerIndex to be set')];
  }
  return wordCauses(action, path, 'action', ACTIONS);
}

const wordCauses = (word: string, path: FieldPath, field: string, supported: readonly string[]): readonly StatusCause[] =>
  requiredChoiceCauses(word, path, field, supported, `valid values: [${supported.map((each) => `"${each}"`).join(' ')}]`);

function exitCodeCauses(
  { operator = '', containerName, values = [] }: Unchecked<PodFailurePolicyOnExitCodesRequirement>,
  { containerNames }: Surroundings,
  path: FieldPath,
): readonly StatusCause[] {
  const causes = [...wordCauses(operator, path, 'operator', OPERATORS)];
  if (containerName !== undefined && !containerNames.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    causes.push(invalidValue(path.child('containerName'), containerName, detail));
  }
  const at = path.child('values');
  if (values.length === 0) causes.push(invalidWhole(at, 'at least one value is required'));
  if (values.length > MAX_EXIT_CODES) causes.push(tooMany(at, values.length, MAX_EXIT_CODES));
  const seen = new Set<number>();
  const valueCauses = causesOfEach(values, (value, index) => {
    const isZero = value === 0 && operator === 'In';
    const isRepeated = seen.has(value);
    seen.add(value);
    if (!isZero && !isRepeated) return NO_CAUSES;
    const valueAt = at.index(index);
    return [
      ...(isZero ? [invalidValue(valueAt, value, 'must not be 0 for the In operator')] : NO_CAUSES),
      ...(isRepeated ? [duplicateValue(valueAt, value)] : NO_CAUSES),
    ];
  });
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
  return [...causes, ...valueCauses, ...(isOrdered ? NO_CAUSES : [invalidWhole(at, 'must be ordered')])];
}

const conditionsCauses = (
  conditions: readonly Unchecked<PodFailurePolicyOnPodConditionsPattern>[],
  path: FieldPath,
): readonly StatusCause[] => [
  ...(conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : NO_CAUSES),
  ...causesOfElements(path, conditions, ({ type = '', status = '' }, at) => [
    ...nameCauses(type, at.child('type'), checkQualifiedName),
    ...wordCauses(status, at, 'status', STATUSES),
  ]),
];
