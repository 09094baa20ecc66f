/** The rules of pod affinity and anti-affinity. */
import { checkDnsLabel, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { causesOfEach, causesOfElements, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { PodAffinity, PodAffinityTerm, PodAntiAffinity } from '../types.gen.ts';
import { validateMatchLabelKeys } from './match-label-keys.ts';
import { weightCauses } from './weight.ts';

export function validatePodAffinity(
  affinity: Unchecked<PodAffinity | PodAntiAffinity> | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  if (affinity === undefined) return NO_CAUSES;
  const { requiredDuringSchedulingIgnoredDuringExecution: demanded, preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity;
  return [
    ...causesOfElements(path.child('requiredDuringSchedulingIgnoredDuringExecution'), demanded, termCauses),
    ...causesOfElements(
      path.child('preferredDuringSchedulingIgnoredDuringExecution'),
      preferred,
      ({ weight = 0, podAffinityTerm = {} }, at) => [
        ...weightCauses(weight, at),
        ...termCauses(podAffinityTerm, at.child('podAffinityTerm')),
      ],
    ),
  ];
}

function termCauses(term: Unchecked<PodAffinityTerm>, path: FieldPath): readonly StatusCause[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey = '' } = term;
  return [
    ...validateLabelSelector(labelSelector, path.child('labelSelector')),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector')),
    // As in Kubernetes, the path is singular and has no index.
    ...causesOfEach(namespaces ?? [], (name) => nameCauses(name, path.child('namespace'), checkDnsLabel)),
    ...validateMatchLabelKeys(term, path),
    ...(topologyKey === '' ? [required(path.child('topologyKey'), 'can not be empty')] : NO_CAUSES),
    ...nameCauses(topologyKey, path.child('topologyKey'), checkQualifiedName),
  ];
}
