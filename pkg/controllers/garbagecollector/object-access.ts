/**
 * Reads and writes of the collector. It reads fresh state only, and writes as a client does: through the object stores,
 * with the uid of the object that was judged.
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isStatusError, notFound } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ObjectMeta } from '../../apis/kind.ts';
import { withMetadata } from '../../registry/object-meta.ts';
import type { WriteOptions } from '../../registry/object-store.ts';
import type { Revision } from '../../storage/backend.ts';
import type { WatchCache } from '../../watchcache/watch-cache.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import { keyOf, type ObjectLocation } from './collected-kinds.ts';
import { type Ownership, readOwnership } from './ownership.ts';

export interface LiveObject {
  readonly uid: string;
  readonly revision: Revision;
  readonly ownership: Ownership;
}

/** Reads what was stored when it was created, or later. Undefined: there is no such object. */
export type ReadLive = (location: ObjectLocation) => LiveObject | undefined | Promise<LiveObject | undefined>;

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** If the cache is fresh the function reads it, and no promise comes back. */
export async function createReadLive(watchCache: Pick<WatchCache, 'isFresh'>, signal: AbortSignal): Promise<ReadLive> {
  const isFresh = await watchCache.isFresh(signal);
  return (location) => {
    const key = keyOf(location);
    const { cache } = location.resource;
    if (!isFresh || cache.isUnreadable(key)) return readStored(location, signal);
    const cached = cache.get(key);
    if (cached === undefined) return undefined;
    return { uid: cached.uid, revision: cached.revision, ownership: readOwnership(cached.itemBytes) };
  };
}

/** Throws if the object cannot be read, and if the cache, which the graph follows, does not have this state yet. */
async function readStored(location: ObjectLocation, signal: AbortSignal): Promise<LiveObject | undefined> {
  const { store, cache } = location.resource;
  try {
    const { json, revision } = await store.get(location, { at: 'newest' }, signal);
    if (cache.get(keyOf(location))?.revision !== revision) throw new Error(`the watch cache lags behind ${location.name}`);
    const { metadata } = JSON.parse(Buffer.concat(json).toString()) as KubernetesObject;
    return { uid: metadata.uid ?? '', revision, ownership: readOwnership(cache.resource.encoding.itemOfSingleObject(json)) };
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Throws Conflict when the object is another one, or was changed since `revision`; NotFound when it is gone. */
export async function deleteObject(
  location: ObjectLocation,
  { uid, revision }: { readonly uid: string; readonly revision?: Revision },
  propagationPolicy: PropagationPolicy,
  signal: AbortSignal,
): Promise<void> {
  await location.resource.store.delete(location, {
    ...writeOptions(signal),
    preconditions: { uid, ...(revision === undefined ? {} : { resourceVersion: String(revision) }) },
    propagationPolicy,
  });
}

export function removeFinalizer(location: ObjectLocation, uid: string, finalizer: string, signal: AbortSignal): Promise<void> {
  return patchMetadata(location, uid, signal, ({ finalizers = [] }) => ({
    finalizers: unlessEmpty(finalizers.filter((each) => each !== finalizer)),
  }));
}

/** Removes the references to `owners`. */
export function removeOwnerReferences(
  location: ObjectLocation,
  uid: string,
  owners: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  return patchMetadata(location, uid, signal, ({ ownerReferences = [] }) => ({
    ownerReferences: unlessEmpty(ownerReferences.filter(({ uid: owner }) => typeof owner !== 'string' || !owners.has(owner))),
  }));
}

/** Makes all references non-blocking. */
export function unblockOwners(location: ObjectLocation, uid: string, signal: AbortSignal): Promise<void> {
  return patchMetadata(location, uid, signal, ({ ownerReferences }) => ({
    ownerReferences: ownerReferences?.map((reference) =>
      reference['blockOwnerDeletion'] === true ? { ...reference, blockOwnerDeletion: false } : reference,
    ),
  }));
}

/** Throws NotFound when the object is gone, also when another one has its name. */
async function patchMetadata(
  location: ObjectLocation,
  uid: string,
  signal: AbortSignal,
  change: (metadata: ObjectMeta) => JsonObject,
): Promise<void> {
  const { store, definition } = location.resource;
  await store.update(
    location,
    '',
    {
      by: 'patch',
      patch: ({ object, revision }) => {
        if (object.metadata.uid !== uid) throw notFound(definition, location.name);
        return withMetadata(object, { ...change(object.metadata), resourceVersion: String(revision) });
      },
    },
    writeOptions(signal),
  );
}

const unlessEmpty = <T>(elements: readonly T[]): readonly T[] | undefined => (elements.length === 0 ? undefined : elements);

const writeOptions = (signal: AbortSignal): WriteOptions => ({ dryRun: false, fieldManager: FIELD_MANAGER, signal });
