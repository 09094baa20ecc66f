/** The rules of a pod template: the pod's own fields, then its volumes and containers. */
import { annotationCauses, labelCauses } from '../../../../apimachinery/meta/object-meta.ts';
import { forbidden, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSpec, PodTemplateSpec } from '../types.gen.ts';
import { validateContainers } from '../containers/containers.ts';
import { validateVolumes } from '../volumes/volumes.ts';
import { validateDns, validateHostAliases } from './dns.ts';
import { validateNodeAffinity } from './node-affinity.ts';
import { validateHostProcess, validateOperatingSystem } from './operating-system.ts';
import { validatePodAffinity } from './pod-affinity.ts';
import { validatePodAnnotations, validateProfileAnnotations } from './pod-annotations.ts';
import { validatePodFields } from './pod-fields.ts';
import { validatePodResources } from './pod-resources.ts';
import { validateResourceClaims } from './resource-claims.ts';
import { validatePodSecurity } from './pod-security.ts';
import { validateTolerations } from './tolerations.ts';
import { validateTopologySpread } from './topology-spread.ts';

/**
 * Expects defaults to be filled in. `path`: that of the template, such as `spec.jobTemplate.spec.template`. As in
 * Kubernetes, paths of labels and annotations have no `metadata`; other metadata is not checked.
 */
export function validatePodTemplate(template: Unchecked<PodTemplateSpec> | undefined, path: FieldPath): readonly StatusCause[] {
  const { metadata: { labels, annotations } = {}, spec = {} } = template ?? {};
  const specPath = path.child('spec');
  return [
    ...(labels === undefined ? NO_CAUSES : labelCauses(labels, path.child('labels'))),
    ...(annotations === undefined ? NO_CAUSES : annotationRules(annotations, spec, path, specPath)),
    ...validatePodSpec(spec, specPath),
    ...((spec.ephemeralContainers?.length ?? 0) > 0
      ? [forbidden(specPath.child('ephemeralContainers'), 'ephemeral containers not allowed in pod template')]
      : NO_CAUSES),
  ];
}

function annotationRules(
  annotations: Readonly<Record<string, string>>,
  spec: Unchecked<PodSpec>,
  path: FieldPath,
  specPath: FieldPath,
): readonly StatusCause[] {
  const at = path.child('annotations');
  return [
    ...annotationCauses(annotations, at),
    ...validatePodAnnotations(annotations, spec, at),
    ...validateProfileAnnotations(annotations, spec, specPath),
  ];
}

function validatePodSpec(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const volumes = validateVolumes(spec.volumes, path.child('volumes'));
  return [
    ...volumes.causes,
    ...validateResourceClaims(spec.resourceClaims, path.child('resourceClaims')),
    ...validateContainers(spec, path, volumes.valid),
    ...validatePodResources(spec, path),
    ...validatePodFields(spec, path),
    ...validateDns(spec, path),
    ...validateHostAliases(spec.hostAliases, path),
    ...validatePodSecurity(spec, path),
    ...schedulingCauses(spec, path),
    ...validateHostProcess(spec, path),
    ...validateOperatingSystem(spec, path),
  ];
}

function schedulingCauses(
  { affinity, tolerations, topologySpreadConstraints }: Unchecked<PodSpec>,
  path: FieldPath,
): readonly StatusCause[] {
  if (affinity === undefined && tolerations === undefined && topologySpreadConstraints === undefined) return NO_CAUSES;
  const at = path.child('affinity');
  return [
    ...validateNodeAffinity(affinity?.nodeAffinity, at.child('nodeAffinity')),
    ...validatePodAffinity(affinity?.podAffinity, at.child('podAffinity')),
    ...validatePodAffinity(affinity?.podAntiAffinity, at.child('podAntiAffinity')),
    ...validateTolerations(tolerations, path.child('tolerations')),
    ...validateTopologySpread(topologySpreadConstraints, path.child('topologySpreadConstraints')),
  ];
}
