/** Features that can be turned on and off, as Kubernetes' feature gates of the same names. */

export interface FeatureGate {
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly default: boolean;
}

export const FEATURE_GATES = {
  /** `ignoreStoreReadErrorWithClusterBreakingPotential` of a delete: an object whose stored value cannot be read goes. */
  AllowUnsafeMalformedObjectDeletion: { stage: 'alpha', default: false },
  /** `inlineVolumeSpec` of a VolumeAttachment is kept. */
  CSIMigration: { stage: 'beta', default: true },
  /** Trust bundles among the files of a projected volume. */
  ClusterTrustBundleProjection: { stage: 'beta', default: false },
  /** `lifecycle.stopSignal` of a container. */
  ContainerStopSignals: { stage: 'alpha', default: false },
  /** `schedulingGroup` of a pod. */
  GenericWorkload: { stage: 'alpha', default: false },
  /** `errorCode` of a VolumeAttachment's errors is kept. */
  MutableCSINodeAllocatableCount: { stage: 'beta', default: true },
  /** Certificates of pods among the files of a projected volume. */
  PodCertificateRequest: { stage: 'beta', default: false },
  /** `shardSelector` of lists, watches and deletes of collections. */
  ShardedListAndWatch: { stage: 'alpha', default: false },
} as const satisfies Readonly<Record<string, FeatureGate>>;

export type FeatureName = keyof typeof FEATURE_GATES;

/** Which features are on. */
export interface Features {
  isEnabled(name: FeatureName): boolean;
}

/** What is not said is as its gate has it. */
export function createFeatures(said: ReadonlyMap<FeatureName, boolean> = new Map()): Features {
  return { isEnabled: (name) => said.get(name) ?? FEATURE_GATES[name].default };
}

export const isFeatureName = (name: string): name is FeatureName => Object.hasOwn(FEATURE_GATES, name);
