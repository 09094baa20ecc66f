/** Get, list and watch from the cache; what it cannot serve goes to the backend and returns the same bytes. */
import type { ResponseWriter } from '../apimachinery/streams/response-writer.ts';
import { notFound, StatusError } from '../apimachinery/status/status-error.ts';
import type { Kind, ResourceDefinition } from '../apis/kind.ts';
import type { Log } from '../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision, type StoredRecord } from '../storage/backend.ts';
import { isStorageError } from '../storage/errors.ts';
import { type Key, keyAfter, prefixEnd } from '../storage/keys.ts';
import type { CachedObject, ListPage, ResourceCache, Selection, Snapshot, WatchCache, WatchOutcome } from '../watchcache/watch-cache.ts';
import type { Representation } from '../watchcache/representations/representation.ts';
import { type Matcher, toMatcher } from '../watchcache/selection.ts';
import { ScheduledTask } from '../apimachinery/scheduling/scheduler.ts';
import { unreadableList } from '../watchcache/cache-errors.ts';
import { parseContinueToken, toContinueToken } from './continue-token.ts';
import { listPrefix, objectKey, parseObjectKey } from './keys.ts';
import type { ListQuery, ListResult, ObjectBytes, ObjectName, ReadAt, WatchQuery } from './object-store.ts';
import { createUncachedPage } from '../watchcache/uncached-page.ts';
import { rethrowForClient, throwIfAborted, tooLargeResourceVersion } from './storage-status.ts';
import { readableRecord, toObjectBytes } from './stored-object.ts';

/** How long a read waits for a future revision. */
const FUTURE_WAIT_MS = 3000;
const RANGE_RECORDS = 1000;
const RANGE_BYTES = 4 * 1024 * 1024;

export interface ReadContext {
  readonly kind: Kind;
  /** Type of the stored objects, which differs for a view. */
  readonly stored: ResourceDefinition;
  readonly backend: Backend;
  readonly watchCache: WatchCache;
  readonly resourceCache: ResourceCache;
  readonly metrics: ReadMetrics | undefined;
  readonly log: Log;
}

export interface ReadMetrics {
  /** A consistent read waited for the cache. `answered` false: the backend served it. */
  consistentRead(seconds: number, answered: boolean): void;
}

export async function getObject(
  context: ReadContext,
  name: ObjectName,
  at: ReadAt,
  signal: AbortSignal,
  representation?: Representation,
): Promise<ObjectBytes> {
  const key = objectKey(context.stored, name);
  const cached = (await cacheIsAt(context, at, signal)) && at.at !== 'exactly' && !context.resourceCache.isUnreadable(key);
  const found = cached
    ? getFromCache(context, key, representation)
    : await getFromBackend(context, key, at.at === 'exactly' ? at.revision : NO_REVISION);
  if (found === undefined) throw notFound(context.kind.definition, name.name);
  return found;
}

function getFromCache({ resourceCache }: ReadContext, key: Key, representation: Representation | undefined): ObjectBytes | undefined {
  const cached = resourceCache.get(key);
  if (cached === undefined) return undefined;
  const bytes = { json: resourceCache.resource.encoding.singleObject(cached.itemBytes), revision: cached.revision };
  return representation === undefined ? bytes : { ...bytes, singleObject: resourceCache.singleObject(cached, representation) };
}

async function getFromBackend({ backend, resourceCache }: ReadContext, key: Key, revision: Revision): Promise<ObjectBytes | undefined> {
  const { record } = await backend.get(key, revision).catch(rethrowForClient);
  if (record === undefined) return undefined;
  const { encoding } = resourceCache.resource;
  return toObjectBytes(encoding, readableRecord(encoding, record).json, record.revision);
}

/** False: the backend must be read. Throws Timeout for a future revision. */
async function cacheIsAt({ backend, watchCache, resourceCache, metrics }: ReadContext, at: ReadAt, signal: AbortSignal): Promise<boolean> {
  throwIfAborted(signal);
  switch (at.at) {
    case 'newest': {
      const begun = performance.now();
      const isFresh = await watchCache.isFresh(signal);
      throwIfAborted(signal);
      metrics?.consistentRead((performance.now() - begun) / 1000, isFresh);
      return isFresh;
    }
    case 'any':
      // Not during the first fill, nor while the cache shows a replaced store.
      return watchCache.notReady === undefined;
    case 'notOlderThan':
    case 'exactly':
      // A cache that only sees revisions of its own keys may never reach this one.
      if (backend.freshness === 'backend' && resourceCache.revision < at.revision && (await exists(backend, at.revision))) return false;
      if (await watchCache.reached(at.revision, FUTURE_WAIT_MS, signal)) return true;
      throwIfAborted(signal);
      // The revision may exist although the cache lags, is being refilled, or only sees revisions of its own keys.
      if (await exists(backend, at.revision)) return false;
      throw tooLargeResourceVersion(at.revision, resourceCache.revision);
    default:
      return at satisfies never;
  }
}

const exists = async (backend: Backend, revision: Revision): Promise<boolean> =>
  revision <= (await backend.currentRevision().catch(rethrowForClient));

export async function listObjects(context: ReadContext, query: ListQuery, signal: AbortSignal): Promise<ListResult> {
  const prefix = listPrefix(context.stored, query.selection.namespace);
  if (query.continueToken !== undefined) return continueList(context, query, query.continueToken, prefix, signal);
  const { at } = query;
  const cached = await cacheIsAt(context, at, signal);
  if (at.at === 'exactly') return listExactly(context, query, prefix, at.revision, prefix, signal);
  if (!cached) return listFromBackend(context, query, prefix, NO_REVISION, prefix, signal);
  return listSnapshot(context, query, prefix, context.resourceCache.snapshot(), undefined);
}

async function continueList(context: ReadContext, query: ListQuery, token: string, prefix: Key, signal: AbortSignal): Promise<ListResult> {
  const { revision, start } = parseContinueToken(prefix, token);
  if (revision !== undefined) {
    try {
      return await listExactly(context, query, prefix, revision, start, signal);
    } catch (error) {
      if (error instanceof StatusError && (error.reason === 'Expired' || isFromReplacedStore(error)))
        throw expiredToken(prefix, start, error);
      throw error;
    }
  }
  // A list continues at the newest state after its own expired.
  if (!(await cacheIsAt(context, { at: 'newest' }, signal))) return listFromBackend(context, query, prefix, NO_REVISION, start, signal);
  return listSnapshot(context, query, prefix, context.resourceCache.snapshot(), start);
}

function listExactly(
  context: ReadContext,
  query: ListQuery,
  prefix: Key,
  revision: Revision,
  start: Key,
  signal: AbortSignal,
): Promise<ListResult> {
  const retained = context.resourceCache.retained(revision);
  if (retained !== undefined) return listSnapshot(context, query, prefix, retained, start, revision);
  return listFromBackend(context, query, prefix, revision, start, signal);
}

/** Tokens have past revisions, so a store with a lower revision was replaced. */
const isFromReplacedStore = ({ cause }: StatusError): boolean => isStorageError(cause, 'Future');

const expiredToken = (prefix: Key, start: Key, cause: StatusError): StatusError =>
  new StatusError(
    'Expired',
    'The continue token is too old: the state of its list has expired. List again, or continue with the token in metadata.continue, which reads the newest state, so that the pages may be inconsistent.',
    { continueToken: toContinueToken(prefix, { revision: undefined, start }), cause },
  );

/** `revision`: of the list, which may be newer than that of the snapshot without changes in between. */
async function listSnapshot(
  { resourceCache }: ReadContext,
  { selection, limit }: ListQuery,
  prefix: Key,
  snapshot: Snapshot,
  start: Key | undefined,
  revision = snapshot.revision,
): Promise<ListResult> {
  const page = await snapshot.find({ selection, limit, ...(start === undefined ? {} : { start }) });
  if (page.next !== undefined) resourceCache.retain(snapshot);
  return toListResult(prefix, page, revision, selection);
}

function toListResult(prefix: Key, page: ListPage, revision: Revision, { labels, fields, shard }: Selection): ListResult {
  if (page.next === undefined) return { revision, page };
  // Selectors hide the remaining count, even if they select everything.
  const isCounted = labels === undefined && fields === undefined && shard === undefined;
  return {
    revision,
    page,
    continueToken: toContinueToken(prefix, { revision, start: page.next }),
    ...(page.remaining === undefined || !isCounted ? {} : { remainingItemCount: page.remaining }),
  };
}

/** Reads ranges at one revision until the page is full and the next object is known. `revision` 0: now. */
async function listFromBackend(
  context: ReadContext,
  query: ListQuery,
  prefix: Key,
  revision: Revision,
  start: Key,
  signal: AbortSignal,
): Promise<ListResult> {
  const { selection, limit } = query;
  const matcher = toMatcher(selection);
  const everything = !matcher.looksInside && matcher.name === undefined && matcher.namespace === selection.namespace;
  const counts = limit > 0 && everything;
  const objects: CachedObject[] = [];
  const task = new ScheduledTask();
  let at = revision;
  for (let from = start; ;) {
    const range = await context.backend
      .range({
        start: from,
        end: prefixEnd(prefix),
        limit: counts ? Math.min(RANGE_RECORDS, limit - objects.length + 1) : RANGE_RECORDS,
        maxBytes: RANGE_BYTES,
        revision: at,
        count: counts,
      })
      .catch(rethrowForClient);
    throwIfAborted(signal);
    if (at === NO_REVISION) at = range.revision;
    for (const [index, record] of range.records.entries()) {
      if (task.shouldYield()) await task.yield();
      const object = readRecord(context, record, matcher);
      if (object === undefined || !matcher.matches(object)) continue;
      if (limit === 0 || objects.length < limit) {
        objects.push(object);
        continue;
      }
      const remaining = counts ? { remaining: range.records.length - index + (range.remaining ?? 0) } : {};
      const shown = objects.at(-1);
      return toListResult(
        prefix,
        createUncachedPage({ objects, next: shown === undefined ? start : keyAfter(shown.key), ...remaining }),
        at,
        selection,
      );
    }
    const last = range.records.at(-1);
    if (last === undefined || !range.more) return toListResult(prefix, createUncachedPage({ objects }), at, selection);
    from = keyAfter(last.key);
  }
}

/** Undefined for an unreadable value that the list excludes. For others logs why, and throws StorageReadError. */
function readRecord(
  { stored, log, resourceCache }: ReadContext,
  { key, revision, value }: StoredRecord,
  selected: Pick<Matcher, 'name' | 'namespace'>,
): CachedObject | undefined {
  const { readAttributes, encoding } = resourceCache.resource;
  const name = parseObjectKey(stored, key);
  try {
    const { json } = readableRecord(encoding, { key, revision, value });
    return { key, revision, ...name, ...readAttributes(json), itemBytes: encoding.toItem(json, revision) };
  } catch (error) {
    if ((selected.name ?? name.name) !== name.name || (selected.namespace ?? name.namespace) !== name.namespace) return undefined;
    log.error('a stored value cannot be read', { key, revision, error });
    throw unreadableList(stored, [key]);
  }
}

export async function watchObjects(context: ReadContext, query: WatchQuery): Promise<(writer: ResponseWriter) => Promise<WatchOutcome>> {
  const { resourceCache } = context;
  const { selection, initialEvents, bookmarks, signal, onBegun, representation } = query;
  const from = query.from ?? (await startingRevision(context, query));
  return (writer) =>
    resourceCache.watch(
      {
        ...{ selection, from, initialEvents, bookmarks, signal },
        ...(onBegun === undefined ? {} : { onBegun }),
        ...(representation === undefined ? {} : { representation }),
      },
      writer,
    );
}

/** The start of a watch "from now": after all acknowledged writes, even if the cache lags. */
async function startingRevision(context: ReadContext, { anyState, signal }: WatchQuery): Promise<Revision> {
  const { backend, resourceCache } = context;
  if (await cacheIsAt(context, { at: anyState === true ? 'any' : 'newest' }, signal)) return resourceCache.revision;
  return backend.currentRevision().catch(rethrowForClient);
}
