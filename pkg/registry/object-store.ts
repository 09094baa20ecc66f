/**
 * The object store: reads and writes of one resource's objects, for all kinds. Reads return bytes from the watch cache;
 * writes go through the pipeline (`pipeline.ts`) to the backend.
 *
 * Invariants:
 * - only a successful commit may be based on a cached object; any other result requires a current one;
 * - an acknowledged write is durable; an unknown outcome is determined by the watch, or is reported as 504;
 * - writers of one key queue within the process.
 */
import type { UserInfo } from '../authentication/authenticator.ts';
import type { KubernetesObject, PropagationPolicy, ResourceDefinition } from '../apis/kind.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { Revision } from '../storage/backend.ts';
import type { CachedObject, ListPage, Selection, WatchOutcome } from '../watchcache/watch-cache.ts';
import type { Representation } from '../watchcache/representations/representation.ts';

export interface ObjectName {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** The required freshness of a read (`resourceVersion`, `resourceVersionMatch`). */
export type ReadAt =
  { readonly at: 'newest' } | { readonly at: 'any' } | { readonly at: 'notOlderThan' | 'exactly'; readonly revision: Revision };

/** An object as sent: JSON with kind, apiVersion and resourceVersion. */
export interface ObjectBytes {
  /** Consecutive parts. */
  readonly json: readonly Buffer[];
  readonly revision: Revision;
  /** The object in the requested representation, if cached. */
  readonly singleObject?: Buffer | undefined;
}

export interface ListQuery {
  readonly selection: Selection;
  readonly at: ReadAt;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken?: string;
}

export interface ListResult {
  readonly revision: Revision;
  readonly page: ListPage;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

export interface WatchQuery {
  readonly selection: Selection;
  /** Absent: the current state. */
  readonly from?: Revision;
  /** Without `from`: allows any cached state, even a stale one. */
  readonly anyState?: boolean;
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly signal: AbortSignal;
  /** As `CacheWatchRequest.onBegun`. */
  readonly onBegun?: () => void;
  readonly representation?: Representation;
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Owner of the fields that the write sets. */
  readonly fieldManager: string;
  /** Who writes. Absent: the server itself. */
  readonly user?: UserInfo | undefined;
  readonly signal: AbortSignal;
  /** For an update that would create its object: throws Forbidden unless the sender may do that. Absent: she may. */
  readonly mayCreate?: () => Promise<void>;
  /** Receives warnings for the client, one sentence each. */
  readonly warn?: (text: string) => void;
}

/** The written path of an object: empty, or a subresource of its kind. */
export type Subresource = string;

/** An object and its revision. */
export interface CurrentObject {
  /** Decoded, without resourceVersion. */
  readonly object: KubernetesObject;
  readonly revision: Revision;
}

/**
 * A change of the current object. Functions have no side effects: they run again when another process was faster, and
 * after five attempts the result is Conflict. They return a decoded object of this kind, whose
 * `metadata.resourceVersion`, if set, must be the stored one, or throw to refuse.
 */
export type ObjectChange =
  | { readonly by: 'replace'; readonly object: KubernetesObject }
  /** The object must exist. */
  | { readonly by: 'patch'; readonly patch: (current: CurrentObject) => KubernetesObject }
  /** Server-side apply; creates the object when `current` is undefined. The result has its managedFields. */
  | { readonly by: 'apply'; readonly apply: (current: CurrentObject | undefined) => Promise<KubernetesObject> };

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteRequest extends WriteOptions {
  readonly preconditions: Preconditions;
  readonly propagationPolicy?: PropagationPolicy;
  readonly orphanDependents?: boolean;
  /** The selected object. If another one has its name by now, or it is no longer selected, the result is NotFound. */
  readonly found?: { readonly uid: string; readonly by: Selection };
}

export type WriteResult =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly object: ObjectBytes }
  /** An update removed the last finalizer of a deleting object. */
  | { readonly outcome: 'removed'; readonly object: ObjectBytes };

export type DeleteResult =
  /** `object`: its last state, with the resourceVersion of the deletion. */
  | { readonly outcome: 'removed'; readonly uid: string; readonly object: ObjectBytes }
  /** Finalizers keep the object; `accepted`: respond with 202. */
  | { readonly outcome: 'held'; readonly object: ObjectBytes; readonly accepted: boolean };

export interface ObjectStore {
  readonly definition: ResourceDefinition;
  /** Throws NotFound. `representation`: of the response. */
  get(name: ObjectName, at: ReadAt, signal: AbortSignal, representation?: Representation): Promise<ObjectBytes>;
  list(query: ListQuery, signal: AbortSignal): Promise<ListResult>;
  watch(query: WatchQuery): Promise<(writer: ResponseWriter) => Promise<WatchOutcome>>;
  /** `object` is decoded and of this kind; its name may have to be generated. */
  create(namespace: string, object: KubernetesObject, options: WriteOptions): Promise<WriteResult>;
  /** Changes an object or its status. */
  update(name: ObjectName, subresource: Subresource, change: ObjectChange, options: WriteOptions): Promise<WriteResult>;
  /** PUT of an object or its status. */
  replace(name: ObjectName, object: KubernetesObject, subresource: Subresource, options: WriteOptions): Promise<WriteResult>;
  delete(name: ObjectName, request: DeleteRequest): Promise<DeleteResult>;
  /** Deletes an object whose stored value cannot be read. Throws Invalid for any other. */
  deleteUnreadable(name: ObjectName, options: WriteOptions): Promise<void>;
}

export type { CachedObject };
