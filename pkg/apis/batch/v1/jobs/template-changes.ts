/** Which parts of its pod template a Job may change: none, unless it is suspended. */
import type { Features } from '../../../../apimachinery/features/features.ts';
import { invalidWhole, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { PodSpecShape, PodTemplateSpecShape } from '../../../core/v1/shapes.gen.ts';
import type { Affinity, PodSpec, PodTemplateSpec } from '../../../core/v1/types.gen.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import { withMembers } from '../../../with-members.ts';
import { isAtRest } from './conditions.ts';
import type { Job } from './types.gen.ts';

type UncheckedTemplate = Unchecked<PodTemplateSpec>;
type UncheckedPods = Unchecked<PodSpec>;
type UncheckedAffinity = Unchecked<Affinity>;

const TEMPLATE = FieldPath.of('spec', 'template');

export function validateTemplateChanges(
  template: UncheckedTemplate = {},
  stored: Unchecked<Job>,
  features: Features,
): readonly StatusCause[] {
  const before = stored.spec?.template ?? {};
  const atRest = isAtRest(stored);
  const mayReschedule = features.isEnabled('MutableSchedulingDirectivesForSuspendedJobs')
    ? atRest
    : stored.spec?.suspend === true && stored.status?.startTime === undefined;
  const allowed = mayReschedule ? withSchedulingOf(template, before) : before;
  if (!atRest || !features.isEnabled('MutablePodResourcesForSuspendedJobs')) {
    return equalByShape(PodTemplateSpecShape, template, allowed) ? NO_CAUSES : [immutable(TEMPLATE)];
  }
  // As in Kubernetes, only the pods are compared here, not their metadata.
  const { spec = {} } = template;
  return equalByShape(PodSpecShape, spec, withResourcesOf(spec, allowed.spec ?? {})) ? NO_CAUSES : [immutable(TEMPLATE.child('spec'))];
}

const immutable = (path: FieldPath): StatusCause => invalidWhole(path, 'field is immutable');

/** `before` with the labels, annotations and scheduling directives of `template`. */
const withSchedulingOf = ({ metadata, spec = {} }: UncheckedTemplate, before: UncheckedTemplate): UncheckedTemplate =>
  withMembers(before, {
    metadata: { ...before.metadata, labels: metadata?.labels ?? {}, annotations: metadata?.annotations ?? {} },
    spec: withMembers(before.spec ?? {}, {
      affinity: withNodeAffinityOf(spec.affinity, before.spec?.affinity),
      nodeSelector: spec.nodeSelector,
      tolerations: spec.tolerations,
      schedulingGates: spec.schedulingGates,
    }),
  });

/** Without any other affinity, the struct around node affinity may come and go. */
function withNodeAffinityOf(affinity: UncheckedAffinity | undefined, before: UncheckedAffinity | undefined): UncheckedAffinity | undefined {
  if (affinity !== undefined) return withMembers(before ?? {}, { nodeAffinity: affinity.nodeAffinity });
  if (before === undefined || (before.podAffinity === undefined && before.podAntiAffinity === undefined)) return undefined;
  return withMembers(before, { nodeAffinity: undefined });
}

const withResourcesOf = (spec: UncheckedPods, before: UncheckedPods): UncheckedPods =>
  withMembers(before, {
    containers: resourcesOf(spec.containers, before.containers),
    initContainers: resourcesOf(spec.initContainers, before.initContainers),
  });

type Containers = UncheckedPods['containers'];

/** Containers correspond by their place and name. */
function resourcesOf(containers: Containers = [], before: Containers = []): Containers {
  if (containers.length !== before.length) return before;
  return before.map((container, index) => {
    const changed = containers[index];
    return changed?.name === container.name ? withMembers(container, { resources: changed?.resources }) : container;
  });
}
