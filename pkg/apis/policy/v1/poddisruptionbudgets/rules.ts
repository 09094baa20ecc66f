/** The rules of a budget's spec and status. Each is checked only where it can be written. */
import { checkPercent, parsePercent } from '../../../../apimachinery/int-or-string/int-or-percent.ts';
import { invalidValue, invalidWhole, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { IntOrString } from '../../../scalars.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { validateConditions } from '../../../meta/v1/condition.ts';
import { nonNegativeCauses } from '../../../meta/v1/integer-causes.ts';
import { type LabelSelectorOptions, validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from './types.gen.ts';

const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

/** Valid: an absent spec, and a spec without either number. */
export function validateSpec(
  spec: Unchecked<PodDisruptionBudgetSpec> | undefined,
  path: FieldPath,
  options: LabelSelectorOptions = {},
): readonly StatusCause[] {
  if (spec === undefined) return NO_CAUSES;
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(both ? [invalidWhole(path, 'minAvailable and maxUnavailable cannot be both set')] : NO_CAUSES),
    ...podsCauses(minAvailable, path, 'minAvailable'),
    ...podsCauses(maxUnavailable, path, 'maxUnavailable'),
    ...validateLabelSelector(selector, path.child('selector'), options),
    ...choiceCauses(unhealthyPodEvictionPolicy, path, 'unhealthyPodEvictionPolicy', EVICTION_POLICIES),
  ];
}

/** A number or a percentage of pods. */
function podsCauses(pods: IntOrString | undefined, path: FieldPath, field: string): readonly StatusCause[] {
  if (typeof pods !== 'string') return nonNegativeCauses(pods, path, field);
  const percent = parsePercent(pods);
  if (percent === undefined) return nameCauses(pods, path.child(field), checkPercent);
  return percent <= 100 ? NO_CAUSES : [invalidValue(path.child(field), pods, 'must not be greater than 100%')];
}

/** Not checked: observedGeneration and the names of pods, which the controller sets. */
export const validateStatus = (status: Unchecked<PodDisruptionBudgetStatus> | undefined, path: FieldPath): readonly StatusCause[] =>
  status === undefined
    ? NO_CAUSES
    : [
        ...validateConditions(status.conditions, path.child('conditions')),
        ...nonNegativeCauses(status.disruptionsAllowed, path, 'disruptionsAllowed'),
        ...nonNegativeCauses(status.currentHealthy, path, 'currentHealthy'),
        ...nonNegativeCauses(status.desiredHealthy, path, 'desiredHealthy'),
        ...nonNegativeCauses(status.expectedPods, path, 'expectedPods'),
      ];
