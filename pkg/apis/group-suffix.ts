/** The one place that spells the suffix of the non-core API groups. */
export const DEFAULT_GROUP_SUFFIX = 'k8s.io';
