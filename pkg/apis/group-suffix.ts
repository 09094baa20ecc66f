/** The only place that contains the default suffix of the non-core API groups. */
export const DEFAULT_GROUP_SUFFIX = 'k8s.io';

/** The group of tables, partial metadata and options. It is fixed, whatever suffix the other groups have. */
export const META_GROUP = `meta.${DEFAULT_GROUP_SUFFIX}`;
