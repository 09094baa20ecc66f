/**
 * Drops fields of disabled features from a pod spec, unless the stored spec has the field anywhere: disabling a feature
 * must not break objects that use it.
 */
import type { FeatureName, Features } from '../../../../apimachinery/features/features.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, withElements, withMembers } from '../../../with-members.ts';
import type { Lifecycle, PodSpec, VolumeProjection } from '../types.gen.ts';
import type { AnyContainer } from './each-container.ts';

type UncheckedPodSpec = Unchecked<PodSpec>;

interface GatedField {
  readonly feature: FeatureName;
  readonly isUsed: (spec: UncheckedPodSpec) => boolean;
  readonly without: (spec: UncheckedPodSpec) => UncheckedPodSpec;
}

const projection = (feature: FeatureName, source: 'clusterTrustBundle' | 'podCertificate'): GatedField => ({
  feature,
  isUsed: ({ volumes = [] }) => volumes.some(({ projected }) => projected?.sources?.some((each) => each[source] !== undefined) === true),
  without: (spec) => withMembers(spec, { volumes: withElements(spec.volumes, (volume) => withoutSource(volume, source)) }),
});

const GATED_FIELDS: readonly GatedField[] = [
  projection('ClusterTrustBundleProjection', 'clusterTrustBundle'),
  projection('PodCertificateRequest', 'podCertificate'),
  {
    feature: 'GenericWorkload',
    isUsed: ({ schedulingGroup }) => schedulingGroup !== undefined,
    without: (spec) => withMembers(spec, { schedulingGroup: undefined }),
  },
  {
    feature: 'ContainerStopSignals',
    isUsed: (spec) => [spec.containers, spec.initContainers, spec.ephemeralContainers].some(haveStopSignal),
    without: (spec) =>
      withMembers(spec, {
        containers: withElements(spec.containers, withoutStopSignal),
        initContainers: withElements(spec.initContainers, withoutStopSignal),
        ephemeralContainers: withElements(spec.ephemeralContainers, withoutStopSignal),
      }),
  },
];

export function withoutDisabledFields(spec: UncheckedPodSpec, stored: UncheckedPodSpec | undefined, features: Features): UncheckedPodSpec {
  let kept = spec;
  for (const { feature, isUsed, without } of GATED_FIELDS) {
    if (!features.isEnabled(feature) && isUsed(kept) && (stored === undefined || !isUsed(stored))) kept = without(kept);
  }
  return kept;
}

type Volume = NonNullable<UncheckedPodSpec['volumes']>[number];

const withoutSource = (volume: Volume, source: keyof VolumeProjection): Volume =>
  withMembers(volume, {
    projected: ifGiven(volume.projected, (projected) =>
      withMembers(projected, { sources: withElements(projected.sources, (each) => withMembers(each, { [source]: undefined })) }),
    ),
  });

const haveStopSignal = (containers: readonly AnyContainer[] = []): boolean =>
  containers.some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);

/** Also drops the lifecycle if nothing else is set. */
function withoutStopSignal<T extends AnyContainer>(container: T): T {
  const { lifecycle } = container;
  if (lifecycle?.stopSignal === undefined) return container;
  const { postStart, preStop } = lifecycle;
  const rest: Unchecked<Lifecycle> | undefined =
    postStart === undefined && preStop === undefined ? undefined : withMembers(lifecycle, { stopSignal: undefined });
  return withMembers<T, AnyContainer>(container, { lifecycle: rest });
}
