/** System-managed metadata, for all kinds. Pure. */
import type { KubernetesObject, ObjectMeta } from '../apis/kind.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { toRfc3339Seconds } from '../apimachinery/time/rfc3339.ts';

/** The object with these metadata fields replaced. Undefined values count as absent. */
export function withMetadata(object: KubernetesObject, members: Partial<ObjectMeta> | JsonObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...members } };
}

export interface NewMetadata {
  readonly name: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly uid: string;
  readonly nowMs: number;
}

/** The server sets identity and times and drops the client's values, also those of a deletion. */
export function metadataOnCreate(object: KubernetesObject, { name, namespace, uid, nowMs }: NewMetadata): KubernetesObject {
  return withMetadata(object, {
    name,
    namespace: namespace === '' ? undefined : namespace,
    uid,
    creationTimestamp: toRfc3339Seconds(nowMs),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    resourceVersion: undefined,
    ...ownerReferencesOnce(object),
  });
}

/** An object that does not exist yet cannot have deletion marks. */
export const withoutDeletion = (object: KubernetesObject): KubernetesObject =>
  withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });

/** Keeps identity, times and generation. Another uid, or deletion marks that are not stored, fail validation. */
export function metadataOnUpdate(object: KubernetesObject, stored: KubernetesObject): KubernetesObject {
  const { metadata } = stored;
  return withMetadata(object, {
    name: metadata.name,
    generateName: object.metadata.generateName,
    namespace: metadata.namespace,
    uid: (object.metadata.uid ?? '') === '' ? metadata.uid : object.metadata.uid,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp ?? object.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: object.metadata.deletionGracePeriodSeconds ?? metadata.deletionGracePeriodSeconds,
    selfLink: undefined,
    resourceVersion: undefined,
    ...ownerReferencesOnce(object),
  });
}

/** Metadata that `/status` must not change, for kinds that protect it. */
export const statusProtectedMetadata = ({ metadata }: KubernetesObject): JsonObject => ({
  labels: metadata.labels,
  annotations: metadata.annotations,
  finalizers: metadata.finalizers,
  ownerReferences: metadata.ownerReferences,
  deletionTimestamp: metadata.deletionTimestamp,
  generation: metadata.generation,
});

/** Removes duplicate owner references. */
export function withOwnerReferencesOnce(object: KubernetesObject): KubernetesObject {
  const { ownerReferences } = ownerReferencesOnce(object);
  return ownerReferences === undefined ? object : withMetadata(object, { ownerReferences });
}

function ownerReferencesOnce({ metadata: { ownerReferences } }: KubernetesObject): Pick<ObjectMeta, 'ownerReferences'> {
  const repeated = new Set(repeatedReferences(ownerReferences));
  if (ownerReferences === undefined || repeated.size === 0) return {};
  return { ownerReferences: ownerReferences.filter((reference) => !repeated.has(reference)) };
}

/** The warning about duplicate owner references; undefined when there are none. */
export function repeatedOwnersWarning({ metadata: { ownerReferences } }: KubernetesObject, isPatch: boolean): string | undefined {
  const uids = repeatedReferences(ownerReferences).map(({ uid }) => (typeof uid === 'string' ? uid : ''));
  if (uids.length === 0) return undefined;
  // Kubernetes looks at the result of a patch later than at an object that is sent.
  const when = isPatch ? ' after mutating admission happens' : '';
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`;
}

type OwnerReferences = NonNullable<ObjectMeta['ownerReferences']>;

/** References equal to an earlier one. */
function repeatedReferences(ownerReferences: OwnerReferences | undefined): OwnerReferences {
  if (ownerReferences === undefined || ownerReferences.length < 2) return [];
  const seen = new Set<string>();
  return ownerReferences.filter((reference) => {
    const text = JSON.stringify([
      reference['apiVersion'],
      reference['kind'],
      reference['name'],
      reference['uid'],
      reference['controller'] ?? null,
      reference['blockOwnerDeletion'] ?? null,
    ]);
    if (seen.has(text)) return true;
    seen.add(text);
    return false;
  });
}
