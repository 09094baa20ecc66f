/** The rules of a container's restart policy and resize policy. */
import {
  causesOfElements,
  duplicateValue,
  invalidValue,
  NO_CAUSES,
  notSupported,
  required,
  tooMany,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import type { Container, ContainerResizePolicy, ContainerRestartRule } from '../types.gen.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

/** For containers and init containers. `path`: that of the container. */
export function validateRestartPolicy(
  { restartPolicy, restartPolicyRules: rules = [] }: Unchecked<Container>,
  path: FieldPath,
): readonly StatusCause[] {
  if (restartPolicy === undefined && rules.length === 0) return NO_CAUSES;
  return [
    ...(restartPolicy === undefined
      ? [required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')]
      : choiceCauses(restartPolicy, path, 'restartPolicy', POLICIES)),
    ...(rules.length > MAX_RULES ? [tooMany(path.child('restartPolicyRules'), rules.length, MAX_RULES)] : NO_CAUSES),
    ...causesOfElements(path.child('restartPolicyRules'), rules, ruleCauses),
  ];
}

function ruleCauses({ action = '', exitCodes }: Unchecked<ContainerRestartRule>, path: FieldPath): readonly StatusCause[] {
  const ofAction = choiceCauses(action, path, 'action', ACTIONS);
  if (exitCodes === undefined) return [...ofAction, required(path.child('exitCodes'), 'must be specified')];
  const { operator = '', values = [] } = exitCodes;
  const at = path.child('exitCodes');
  return [
    ...ofAction,
    ...choiceCauses(operator, at, 'operator', OPERATORS),
    ...(values.length > MAX_EXIT_CODES ? [tooMany(at.child('values'), values.length, MAX_EXIT_CODES)] : NO_CAUSES),
  ];
}

/** `path`: that of the list; causes for values of an element have it too. */
export function validateResizePolicy(
  policies: readonly Unchecked<ContainerResizePolicy>[] | undefined,
  path: FieldPath,
  podRestartPolicy: string | undefined,
): readonly StatusCause[] {
  if (policies === undefined) return NO_CAUSES;
  const seen = new Set<string>();
  return causesOfElements(path, policies, ({ resourceName = '', restartPolicy = '' }, at) => {
    const isTwice = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isTwice ? [duplicateValue(at, resourceName)] : NO_CAUSES),
      ...oneOfCauses(resourceName, path, RESIZED),
      ...oneOfCauses(restartPolicy, path, RESIZE_POLICIES),
      ...(podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [invalidValue(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : NO_CAUSES),
    ];
  });
}

function oneOfCauses(value: string, path: FieldPath, values: readonly string[]): readonly StatusCause[] {
  if (values.includes(value)) return NO_CAUSES;
  return [value === '' ? required(path) : notSupported(path, value, values)];
}

/** A restart on resize is only for sidecars: other init containers are never resized. */
export const validateResizePolicyOfInit = (
  policies: readonly Unchecked<ContainerResizePolicy>[] | undefined,
  path: FieldPath,
): readonly StatusCause[] =>
  causesOfElements(path, policies, ({ restartPolicy }, at) =>
    restartPolicy === 'RestartContainer'
      ? [invalidValue(at.child('restartPolicy'), restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers")]
      : NO_CAUSES,
  );
