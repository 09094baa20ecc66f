import type { Unchecked } from '../../../define-strategy.ts';
import type { ObjectMeta } from '../../../meta/v1/types.gen.ts';

/** Annotations that declared init containers before the field existed. Dropped, because old nodes would use them. */
const DROPPED: ReadonlySet<string> = new Set([
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
]);

/** Returns the same object if there are none. */
export function withoutInitContainerAnnotations(metadata: Unchecked<ObjectMeta>): Unchecked<ObjectMeta> {
  const { annotations } = metadata;
  if (annotations === undefined || !Object.keys(annotations).some((key) => DROPPED.has(key))) return metadata;
  return { ...metadata, annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !DROPPED.has(key))) };
}
