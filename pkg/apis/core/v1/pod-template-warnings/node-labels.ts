import { checkLabelValue } from '../../../../apimachinery/meta/names.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { NodeSelectorTerm, PodSpec } from '../types.gen.ts';
import { warning } from './warning.ts';

/** Deprecated node labels. */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warns of node labels, and of spread constraints without a selector. `path`: that of the pod's spec. */
export function* warnOfNodeLabels(
  { nodeSelector = {}, affinity, topologySpreadConstraints = [] }: Unchecked<PodSpec>,
  path: FieldPath,
): Generator<string> {
  for (const label in nodeSelector) {
    const why = DEPRECATED.get(label);
    if (why !== undefined) yield warning(path.child('nodeSelector').key(label), why);
  }
  if (affinity?.nodeAffinity !== undefined) {
    const at = path.child('affinity', 'nodeAffinity');
    const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
      affinity.nodeAffinity;
    const termsAt = at.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
    for (const [index, term] of (required?.nodeSelectorTerms ?? []).entries()) yield* warnOfTerm(term, termsAt.index(index), false);
    const preferredAt = at.child('preferredDuringSchedulingIgnoredDuringExecution');
    for (const [index, { preference = {} }] of preferred.entries()) {
      yield* warnOfTerm(preference, preferredAt.index(index).child('preference'), true);
    }
  }
  for (const [index, { topologyKey = '', labelSelector }] of topologySpreadConstraints.entries()) {
    const at = path.child('topologySpreadConstraints').index(index);
    const why = DEPRECATED.get(topologyKey);
    if (why !== undefined) yield warning(at.child('topologyKey'), `${topologyKey} is ${why}`);
    if (labelSelector === undefined) yield warning(at.child('labelSelector'), 'a null labelSelector results in matching no pod');
  }
}

/** `checksValues`: warns of invalid label values, which validation accepts in preferences. */
function* warnOfTerm({ matchExpressions = [] }: Unchecked<NodeSelectorTerm>, path: FieldPath, checksValues: boolean): Generator<string> {
  for (const [index, { key = '', values = [] }] of matchExpressions.entries()) {
    const at = path.child('matchExpressions').index(index);
    const why = DEPRECATED.get(key);
    if (why !== undefined) yield warning(at.child('key'), `${key} is ${why}`);
    if (!checksValues) continue;
    for (const [which, value] of values.entries()) {
      for (const wrong of checkLabelValue(value)) yield warning(at.child('values').index(which), `${value} is invalid, ${wrong}`);
    }
  }
}
