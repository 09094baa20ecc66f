/**
 * Reads and writes of the collector. It reads fresh state only, and writes as a client does: through the object stores,
 * with the uid of the object that was judged.
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isStatusError, notFound } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ObjectMeta, PropagationPolicy } from '../../apis/kind.ts';
import { withMetadata } from '../../registry/object-meta.ts';
import type { WriteOptions } from '../../registry/object-store.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import type { Revision } from '../../storage/backend.ts';
import type { WatchCache } from '../../watchcache/watch-cache.ts';
import type { Pace } from '../pace.ts';
import { keyOf, type ObjectLocation } from './collected-kinds.ts';
import { type Ownership, readOwnership } from './ownership.ts';

export interface LiveObject {
  readonly uid: string;
  readonly revision: Revision;
  readonly ownership: Ownership;
}

/**
 * Reads an object as it is when the function was made, or later. Undefined: there is none. Throws if it cannot be read,
 * and if the cache, which the graph follows, does not have its state yet.
 */
export type ReadLive = (location: ObjectLocation) => LiveObject | undefined | Promise<LiveObject | undefined>;

/** Writes throw Conflict when the object is another one or was changed meanwhile. What is gone needs no change. */
export class ObjectAccess {
  readonly #watchCache: Pick<WatchCache, 'isFresh'>;
  readonly #pace: Pace;
  #checking: Promise<unknown> = Promise.resolve();
  #nextCheck: Promise<boolean> | undefined;

  constructor(watchCache: Pick<WatchCache, 'isFresh'>, pace: Pace) {
    this.#watchCache = watchCache;
    this.#pace = pace;
  }

  /** From the cache, if that is fresh; then no promise comes back. */
  async createReadLive(signal: AbortSignal): Promise<ReadLive> {
    const isFresh = await this.#isFresh(signal);
    return (location) => {
      const key = keyOf(location);
      const { cache } = location.resource;
      if (!isFresh || cache.isUnreadable(key)) return readStored(location, signal);
      const cached = cache.get(key);
      if (cached === undefined) return undefined;
      return { uid: cached.uid, revision: cached.revision, ownership: readOwnership(cached.itemBytes) };
    };
  }

  /** One check at a time, shared by all that wait for it: the checks of clients have room beside it. */
  #isFresh(signal: AbortSignal): Promise<boolean> {
    this.#nextCheck ??= this.#checking.then(() => {
      this.#nextCheck = undefined;
      const check = this.#watchCache.isFresh(signal);
      this.#checking = check;
      return check;
    });
    return this.#nextCheck;
  }

  delete(
    location: ObjectLocation,
    { uid, revision }: LiveObject,
    propagationPolicy: PropagationPolicy,
    signal: AbortSignal,
  ): Promise<void> {
    const preconditions = { uid, resourceVersion: String(revision) };
    return this.#write(
      () => location.resource.store.delete(location, { ...writeOptions(signal), preconditions, propagationPolicy }),
      signal,
    );
  }

  removeFinalizer(location: ObjectLocation, uid: string, finalizer: string, signal: AbortSignal): Promise<void> {
    return this.#patch(location, uid, signal, ({ finalizers = [] }) => ({
      finalizers: unlessEmpty(finalizers.filter((each) => each !== finalizer)),
    }));
  }

  /** Removes the references to `owners`, which are uids. */
  removeOwnerReferences(location: ObjectLocation, uid: string, owners: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    return this.#patch(location, uid, signal, ({ ownerReferences = [] }) => ({
      ownerReferences: unlessEmpty(ownerReferences.filter(({ uid: owner }) => typeof owner !== 'string' || !owners.has(owner))),
    }));
  }

  /** Makes all references non-blocking. */
  unblockOwners(location: ObjectLocation, uid: string, signal: AbortSignal): Promise<void> {
    return this.#patch(location, uid, signal, ({ ownerReferences }) => ({
      ownerReferences: ownerReferences?.map((reference) =>
        reference['blockOwnerDeletion'] === true ? { ...reference, blockOwnerDeletion: false } : reference,
      ),
    }));
  }

  #patch(location: ObjectLocation, uid: string, signal: AbortSignal, change: (metadata: ObjectMeta) => JsonObject): Promise<void> {
    const { store, definition } = location.resource;
    const patch = ({ object, revision }: { readonly object: KubernetesObject; readonly revision: Revision }) => {
      if (object.metadata.uid !== uid) throw notFound(definition, location.name);
      return withMetadata(object, { ...change(object.metadata), resourceVersion: String(revision) });
    };
    return this.#write(() => store.update(location, '', { by: 'patch', patch }, writeOptions(signal)), signal);
  }

  /** What was judged may be older by the wait; the preconditions hold it. */
  async #write(write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    await this.#pace.rest(signal);
    signal.throwIfAborted();
    try {
      await write();
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }
}

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

const unlessEmpty = <T>(elements: readonly T[]): readonly T[] | undefined => (elements.length === 0 ? undefined : elements);

const writeOptions = (signal: AbortSignal): WriteOptions => ({ dryRun: false, fieldManager: FIELD_MANAGER, signal });
