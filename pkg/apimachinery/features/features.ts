/** Feature gates, named as in Kubernetes. */

export interface FeatureGate {
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly default: boolean;
}

export const FEATURE_GATES = {
  /** Allows `ignoreStoreReadErrorWithClusterBreakingPotential`: deletes objects that cannot be decoded. */
  AllowUnsafeMalformedObjectDeletion: { stage: 'alpha', default: false },
  /** Preserves `inlineVolumeSpec` of a VolumeAttachment. */
  CSIMigration: { stage: 'beta', default: true },
  /** Allows trust bundles as sources of a projected volume. */
  ClusterTrustBundleProjection: { stage: 'beta', default: false },
  /** Allows `lifecycle.stopSignal` of a container. */
  ContainerStopSignals: { stage: 'alpha', default: false },
  /** Preserves `strategy` and `preferredHolder` of a Lease. */
  CoordinatedLeaderElection: { stage: 'beta', default: false },
  /** Allows `schedulingGroup` of a pod. */
  GenericWorkload: { stage: 'alpha', default: false },
  /** Preserves `errorCode` in the errors of a VolumeAttachment. */
  MutableCSINodeAllocatableCount: { stage: 'beta', default: true },
  /** Lets a Job that is suspended and has no pods change the resources of its containers. */
  MutablePodResourcesForSuspendedJobs: { stage: 'beta', default: true },
  /** Lets such a Job change where its pods run, and their labels, even if it has run before. */
  MutableSchedulingDirectivesForSuspendedJobs: { stage: 'beta', default: true },
  /** Allows pod certificates as sources of a projected volume. */
  PodCertificateRequest: { stage: 'beta', default: false },
  /** Allows `shardSelector` for lists, watches and deletes of collections. */
  ShardedListAndWatch: { stage: 'alpha', default: false },
} as const satisfies Readonly<Record<string, FeatureGate>>;

export type FeatureName = keyof typeof FEATURE_GATES;

/** The enabled features. */
export interface Features {
  isEnabled(name: FeatureName): boolean;
}

/** Features without an override have the default of their gate. */
export function createFeatures(overrides: ReadonlyMap<FeatureName, boolean> = new Map()): Features {
  return { isEnabled: (name) => overrides.get(name) ?? FEATURE_GATES[name].default };
}

export const isFeatureName = (name: string): name is FeatureName => Object.hasOwn(FEATURE_GATES, name);
