/** The rules of topology spread constraints. */
import { causesOfEach, duplicateValue, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import type { TopologySpreadConstraint } from '../types.gen.ts';
import { validateMatchLabelKeys } from './match-label-keys.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];
const PAIR = '{topologyKey, whenUnsatisfiable}';
const NOT_POSITIVE = 'must be greater than zero';

/** `path`: that of the list. */
export function validateTopologySpread(
  constraints: readonly Unchecked<TopologySpreadConstraint>[] | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  if (constraints === undefined) return NO_CAUSES;
  // As in Kubernetes, the cause points to the earlier of two duplicate constraints.
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  return causesOfEach(constraints, (constraint, index) => {
    const at = path.index(index);
    const pair = pairOf(constraint);
    const repeated = last.get(pair) === index ? NO_CAUSES : [duplicateValue(at.child(PAIR), pair)];
    return [...constraintCauses(constraint, at), ...repeated, ...selectionCauses(constraint, at)];
  });
}

const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: Unchecked<TopologySpreadConstraint>): string =>
  `{${topologyKey}, ${whenUnsatisfiable}}`;

function constraintCauses(constraint: Unchecked<TopologySpreadConstraint>, path: FieldPath): readonly StatusCause[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
  return [
    ...(maxSkew > 0 ? NO_CAUSES : [invalidValue(path.child('maxSkew'), maxSkew, NOT_POSITIVE)]),
    ...(topologyKey === '' ? [required(path.child('topologyKey'), 'can not be empty')] : NO_CAUSES),
    ...choiceCauses(whenUnsatisfiable, path, 'whenUnsatisfiable', ACTIONS),
  ];
}

function selectionCauses(constraint: Unchecked<TopologySpreadConstraint>, path: FieldPath): readonly StatusCause[] {
  const { minDomains, whenUnsatisfiable = '', nodeAffinityPolicy, nodeTaintsPolicy, labelSelector } = constraint;
  return [
    ...(minDomains === undefined ? NO_CAUSES : minDomainsCauses(minDomains, whenUnsatisfiable, path.child('minDomains'))),
    ...choiceCauses(nodeAffinityPolicy, path, 'nodeAffinityPolicy', NODE_POLICIES),
    ...choiceCauses(nodeTaintsPolicy, path, 'nodeTaintsPolicy', NODE_POLICIES),
    ...validateMatchLabelKeys(constraint, path),
    ...validateLabelSelector(labelSelector, path.child('labelSelector')),
  ];
}

const minDomainsCauses = (minDomains: number, action: string, path: FieldPath): readonly StatusCause[] => [
  ...(minDomains > 0 ? NO_CAUSES : [invalidValue(path, minDomains, NOT_POSITIVE)]),
  ...(action === 'DoNotSchedule'
    ? NO_CAUSES
    : [invalidValue(path, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`)]),
];
