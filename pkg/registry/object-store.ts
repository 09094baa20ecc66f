/**
 * The object store: what can be done with the objects of one resource, once for all kinds. Reads come as bytes from the
 * watch cache; writes go through the pipeline (`pipeline.ts`) into the backend.
 *
 * Invariants:
 * - only a successful commit may rest on a cached object; every other outcome is computed from an object known current;
 * - an acknowledged write is durable; a write whose outcome is unknown is settled by the watch, or answers 504, never a
 *   guess;
 * - writers of one key queue inside the process.
 */
import type { KubernetesObject, ResourceDefinition } from '../apis/kind.ts';
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import type { Revision } from '../storage/backend.ts';
import type { CachedObject, ListPage, Selection, WatchOutcome } from '../watchcache/watch-cache.ts';
import type { Representation } from '../watchcache/representations/representation.ts';

export interface ObjectName {
  /** Empty for cluster-wide kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** How fresh a read must be (`resourceVersion`, `resourceVersionMatch`). */
export type ReadAt =
  { readonly at: 'newest' } | { readonly at: 'any' } | { readonly at: 'notOlderThan' | 'exactly'; readonly revision: Revision };

/** An object as it is sent: JSON with kind, apiVersion and resourceVersion. */
export interface ObjectBytes {
  /** In pieces, to be written one after the other. */
  readonly json: readonly Buffer[];
  readonly revision: Revision;
  /** In the representation that was asked for, where the cache remembers it; absent: it is to be made of the JSON. */
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
  /** Absent: from the state now. */
  readonly from?: Revision;
  /** Without `from`: the state the cache happens to have will do; nobody is asked for the newest one. */
  readonly anyState?: boolean;
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly signal: AbortSignal;
  readonly representation?: Representation;
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Whose the fields are that the write sets. */
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  /** Told, in a sentence for the client, of what was accepted and should not have been sent. */
  readonly warn?: (text: string) => void;
}

/** Which path of an object is written. */
export type Subresource = '' | 'status';

/** An object as it is now, and where it was written. */
export interface CurrentObject {
  /** Decoded; without resourceVersion. */
  readonly object: KubernetesObject;
  readonly revision: Revision;
}

/**
 * What is asked of the object that is there. A function is free of effects: it runs again on the newer object when
 * another process was faster; after five tries the answer is Conflict. What it returns is decoded and of this kind; its
 * `metadata.resourceVersion`, if any, must be the stored one; what it throws refuses the write.
 */
export type ObjectChange =
  | { readonly by: 'replace'; readonly object: KubernetesObject }
  /** Of an object that must be there. */
  | { readonly by: 'patch'; readonly patch: (current: CurrentObject) => KubernetesObject }
  /** Server-side apply. `current` undefined: it is to be created. The object that it returns has its managedFields. */
  | { readonly by: 'apply'; readonly apply: (current: CurrentObject | undefined) => Promise<KubernetesObject> };

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteRequest extends WriteOptions {
  readonly preconditions: Preconditions;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly orphanDependents?: boolean;
  /**
   * The object that was found under the name. When another one is there by now, or it is selected no more, the answer
   * is NotFound.
   */
  readonly found?: { readonly uid: string; readonly by: Selection };
}

export type WriteResult =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly object: ObjectBytes }
  /** An update that took the last finalizer from a deleting object. */
  | { readonly outcome: 'removed'; readonly object: ObjectBytes };

export type DeleteResult =
  /** `object`: as it was, with the resourceVersion of the deletion. */
  | { readonly outcome: 'removed'; readonly uid: string; readonly object: ObjectBytes }
  /** Finalizers hold it; `accepted`: answer 202. */
  | { readonly outcome: 'held'; readonly object: ObjectBytes; readonly accepted: boolean };

export interface ObjectStore {
  readonly definition: ResourceDefinition;
  /** Throws StatusError NotFound. `representation`: in which the object is to be shown. */
  get(name: ObjectName, at: ReadAt, signal: AbortSignal, representation?: Representation): Promise<ObjectBytes>;
  list(query: ListQuery, signal: AbortSignal): Promise<ListResult>;
  watch(query: WatchQuery): Promise<(writer: ResponseWriter) => Promise<WatchOutcome>>;
  /** `object` is decoded and of this kind; its name may still have to be generated. */
  create(namespace: string, object: KubernetesObject, options: WriteOptions): Promise<WriteResult>;
  /** A change of the object, or of its status. */
  update(name: ObjectName, subresource: Subresource, change: ObjectChange, options: WriteOptions): Promise<WriteResult>;
  /** PUT of the main path or of `/status`. */
  replace(name: ObjectName, object: KubernetesObject, subresource: Subresource, options: WriteOptions): Promise<WriteResult>;
  delete(name: ObjectName, request: DeleteRequest): Promise<DeleteResult>;
  /** Only an object whose stored value cannot be read. Throws StatusError Invalid for every other. */
  deleteUnreadable(name: ObjectName, options: WriteOptions): Promise<void>;
}

export type { CachedObject };
