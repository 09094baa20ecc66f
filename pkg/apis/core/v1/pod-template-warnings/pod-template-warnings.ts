/**
 * Warnings for an accepted pod template, with Kubernetes' texts. The parts are generators, so that the cost depends on
 * the number of warnings sent, not on the number of problems.
 */
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSpec, PodTemplateSpec } from '../types.gen.ts';
import { warnOfAddresses, warnOfHostAliases, warnOfPullSecrets } from './addresses-and-secrets.ts';
import { warnOfContainerAnnotations, warnOfPodAnnotations } from './annotations.ts';
import { warnOfContainers } from './containers.ts';
import { warnOfFractions } from './fractions.ts';
import { warnOfNodeLabels } from './node-labels.ts';
import { warnOfOverlaps } from './overlapping-paths.ts';
import { warnOfPodAffinity } from './pod-affinity.ts';
import { warnOfPortNames, warnOfPorts } from './ports.ts';
import { warnOfVolumes } from './volumes.ts';
import { warning } from './warning.ts';

/** More are never sent: the warnings of an answer have 4,096 characters in total, and each has at least ten. */
const MAX_WARNINGS = 400;

/** One text per warning. Expects a valid, defaulted template. `path`: that of the template. */
export function warnOfPodTemplate(template: Unchecked<PodTemplateSpec> | undefined, path: FieldPath): readonly string[] {
  const { metadata: { annotations = {} } = {}, spec = {} } = template ?? {};
  const warnings: string[] = [];
  for (const text of warnOf(spec, annotations, path)) {
    if (warnings.length >= MAX_WARNINGS) break;
    warnings.push(text);
  }
  return warnings;
}

function* warnOf(spec: Unchecked<PodSpec>, annotations: Readonly<Record<string, string>>, path: FieldPath): Generator<string> {
  const at = path.child('spec');
  const annotationsAt = path.child('metadata', 'annotations');
  yield* warnOfNodeLabels(spec, at);
  yield* warnOfPodAnnotations(annotations, annotationsAt);
  yield* warnOfVolumes(spec.volumes, at.child('volumes'));
  yield* warnOfOverlaps(spec.volumes);
  yield* warnOfHostAliases(spec.hostAliases, at.child('hostAliases'));
  yield* warnOfPullSecrets(spec.imagePullSecrets, at.child('imagePullSecrets'));
  yield* warnOfFractions(spec.overhead, ['memory', 'ephemeral-storage'], at.child('overhead'));
  yield* warnOfContainerAnnotations(spec, annotations, at, annotationsAt);
  yield* warnOfContainers(spec, at);
  yield* warnOfPorts(spec, at);
  yield* warnOfPortNames(spec, at);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    yield warning(at.child('terminationGracePeriodSeconds'), 'must be >= 0; negative values are invalid and will be treated as 1');
  }
  yield* warnOfPodAffinity(spec.affinity, at.child('affinity'));
  yield* warnOfAddresses(spec, at);
}
