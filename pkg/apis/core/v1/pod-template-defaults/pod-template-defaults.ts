/** Defaults of a pod template, without those that Kubernetes sets only on pods, such as the service account. */
import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../../with-members.ts';
import type { PodSpec, PodTemplateSpec } from '../types.gen.ts';
import { withContainerDefaults } from './containers.ts';
import { withoutInitContainerAnnotations } from './init-container-annotations.ts';
import { withRoundedAmounts, withRoundedRequirements } from './resource-amounts.ts';
import { withVolumeDefaults } from './volumes.ts';

/** Returns the same object if no default applies. An absent spec is added, because it is not a pointer in Go. */
export const withPodTemplateDefaults = (template: Unchecked<PodTemplateSpec>): Unchecked<PodTemplateSpec> =>
  withMembers(template, {
    metadata: ifGiven(template.metadata, withoutInitContainerAnnotations),
    spec: withPodSpecDefaults(template.spec ?? {}),
  });

function withPodSpecDefaults(spec: Unchecked<PodSpec>): Unchecked<PodSpec> {
  // The old and the new name of a field; the new one takes precedence.
  const account = spec.serviceAccountName || spec.serviceAccount;
  return withMembers(spec, {
    volumes: withElements(spec.volumes, withVolumeDefaults),
    initContainers: withElements(spec.initContainers, withContainerDefaults),
    containers: withElements(spec.containers, withContainerDefaults),
    ephemeralContainers: withElements(spec.ephemeralContainers, withContainerDefaults),
    restartPolicy: orDefault(spec.restartPolicy, 'Always'),
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: orDefault(spec.dnsPolicy, 'ClusterFirst'),
    ...(account ? { serviceAccountName: account, serviceAccount: account } : {}),
    securityContext: spec.securityContext ?? {},
    schedulerName: orDefault(spec.schedulerName, 'default-scheduler'),
    overhead: withRoundedAmounts(spec.overhead),
    resources: ifGiven(spec.resources, withRoundedRequirements),
  });
}
