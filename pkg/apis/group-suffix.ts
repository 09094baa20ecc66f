/** The one place that spells the suffix of the non-core API groups. */
export const DEFAULT_GROUP_SUFFIX = 'k8s.io';

/** Of tables, partial metadata and options. Kubernetes spells this group whatever suffix the others have. */
export const META_GROUP = `meta.${DEFAULT_GROUP_SUFFIX}`;
