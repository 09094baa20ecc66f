/**
 * Changes one key, based on its current object.
 *
 * Starts from the cached object, which may be stale. A commit detects that by itself. Any other decision (error, no
 * change, dry run) is only final if its record was read after the request arrived; otherwise it is computed again.
 */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { ResourceDefinition } from '../apis/kind.ts';
import { type Backend, NO_REVISION, type Revision, type StoredRecord, type Write } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { encodeRecord } from '../storage/record.ts';
import type { ResourceCache, WatchCache } from '../watchcache/watch-cache.ts';
import type { KeyQueue, KeyState } from './key-queue.ts';
import { resolveUnknownOutcome, type UnknownOutcomeOptions } from './unknown-outcome.ts';
import { rethrowForClient, throwIfAborted } from './storage-status.ts';
import { readableRecord, type StoredCodec, StoredObject } from './stored-object.ts';

/** What to do, and the result. `answer` gets the revision of the write. */
export type Decision<T> =
  | { readonly action: 'write'; readonly object: NewObject; readonly answer: (revision: Revision) => T }
  | { readonly action: 'remove'; readonly answer: (revision: Revision) => T }
  | { readonly action: 'nothing'; readonly answer: T };

export interface NewObject {
  /** Canonical JSON. */
  readonly json: Buffer;
  readonly expiresAt?: number;
}

/** Must not have side effects on the store, since it may run several times. Throws StatusError to refuse. */
export type Decide<T> = (current: StoredObject | undefined) => Promise<Decision<T>>;

export interface WriterOptions extends UnknownOutcomeOptions {
  readonly backend: Backend;
  readonly watchCache: Pick<WatchCache, 'reached' | 'notReady'>;
  readonly resourceCache: ResourceCache;
  readonly queue: KeyQueue;
  readonly codec: StoredCodec;
  readonly encoding: ObjectEncoding;
  /** The stored type. */
  readonly definition: ResourceDefinition;
  /** 8 new bytes on each call, as a latin1 string. */
  readonly newToken: () => string;
}

/** Limits the attempts of a write that conflicts with others. */
export interface TryLimit {
  readonly maxTries: number;
  /** The error after the last attempt. */
  readonly lost: () => StatusError;
}

type Committed = { readonly outcome: 'committed'; readonly revision: Revision };
type Mismatch = { readonly outcome: 'mismatch'; readonly current: StoredObject | undefined };

/** `limit` absent: unlimited. */
export function guaranteedUpdate<T>(
  options: WriterOptions,
  key: Key,
  decide: Decide<T>,
  signal: AbortSignal,
  limit?: TryLimit,
): Promise<T> {
  return options.queue.run(key, signal, (state) => updateQueued(options, key, decide, state, signal, limit));
}

async function updateQueued<T>(
  options: WriterOptions,
  key: Key,
  decide: Decide<T>,
  state: KeyState,
  signal: AbortSignal,
  limit?: TryLimit,
): Promise<T> {
  // Until the cache is ready it may show a replaced store with the same revisions.
  let known = options.watchCache.notReady !== undefined;
  let current = known ? await readFresh(options, key) : startingPoint(options, key, state);
  for (let tries = 1; ;) {
    throwIfAborted(signal);
    const decided = await decideOrRefuse(decide, current);
    if (decided.action === 'refuse' || decided.action === 'nothing') {
      if (!known) {
        const fresh = await readFresh(options, key);
        known = true;
        if (fresh?.revision !== current?.revision) {
          current = fresh;
          continue;
        }
      }
      if (decided.action === 'refuse') throw decided.error;
      return decided.answer;
    }
    const object = decided.action === 'write' ? decided.object : undefined;
    const result = await commitResolved(options, key, current?.revision ?? NO_REVISION, object, signal);
    if (result.outcome === 'committed') {
      const written = object === undefined ? undefined : new StoredObject(options.codec, result.revision, object.json);
      state.lastWrite = { revision: result.revision, object: written };
      return decided.answer(result.revision);
    }
    if (limit !== undefined && tries >= limit.maxTries) throw limit.lost();
    tries++;
    current = result.current;
    known = true;
  }
}

/** Writes the key if it is absent; otherwise returns the current object. */
export function commitNew(options: WriterOptions, key: Key, object: NewObject, signal: AbortSignal): Promise<Committed | Mismatch> {
  return options.queue.run(key, signal, async (state) => {
    const result = await commitResolved(options, key, NO_REVISION, object, signal);
    if (result.outcome === 'committed') {
      state.lastWrite = { revision: result.revision, object: new StoredObject(options.codec, result.revision, object.json) };
    }
    return result;
  });
}

/** Reads the newest record from the backend. */
export async function readFresh(
  options: Pick<WriterOptions, 'backend' | 'codec' | 'encoding'>,
  key: Key,
): Promise<StoredObject | undefined> {
  const { record } = await options.backend.get(key).catch(rethrowForClient);
  return toStoredObject(options, record);
}

function toStoredObject(
  { codec, encoding }: Pick<WriterOptions, 'codec' | 'encoding'>,
  record: StoredRecord | undefined,
): StoredObject | undefined {
  if (record === undefined) return undefined;
  return new StoredObject(codec, record.revision, readableRecord(encoding, record).json);
}

/** The previous writer's result while the cache lags behind; otherwise the cached object. */
function startingPoint({ resourceCache, codec, encoding }: WriterOptions, key: Key, { lastWrite }: KeyState): StoredObject | undefined {
  if (lastWrite !== undefined && lastWrite.revision > resourceCache.revision) return lastWrite.object?.readBy(codec);
  const cached = resourceCache.get(key);
  if (cached === undefined) return undefined;
  return new StoredObject(codec, cached.revision, encoding.toStored(cached.itemBytes, cached.revision));
}

async function decideOrRefuse<T>(decide: Decide<T>, current: StoredObject | undefined) {
  try {
    return await decide(current);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { action: 'refuse', error } as const;
  }
}

async function commitResolved(
  options: WriterOptions,
  key: Key,
  ifRevision: Revision,
  object: NewObject | undefined,
  signal: AbortSignal,
): Promise<Committed | Mismatch> {
  const { backend, resourceCache } = options;
  const token = object === undefined ? undefined : options.newToken();
  const write: Write = { key, ifRevision, value: object === undefined || token === undefined ? null : encodeObject(object, token) };
  const notBefore = newestKnownRevision(resourceCache, key, ifRevision);
  const result = await backend.commit(write).catch(rethrowForClient);
  switch (result.outcome) {
    case 'committed':
      return result;
    case 'mismatch':
      return { outcome: 'mismatch', current: toStoredObject(options, result.current) };
    case 'unknown': {
      const resolved = await resolveUnknownOutcome(options, { key, token, ifRevision, notBefore, cause: result.cause }, signal);
      return resolved.outcome === 'committed' ? resolved : { outcome: 'mismatch', current: await readFresh(options, key) };
    }
    default:
      return result satisfies never;
  }
}

/** The newest known revision before the commit. A later one is more likely to be in the cache's history. */
function newestKnownRevision(resourceCache: ResourceCache, key: Key, ifRevision: Revision): Revision {
  const { revision } = resourceCache;
  const isUnchanged = ifRevision === NO_REVISION || resourceCache.get(key)?.revision === ifRevision;
  return isUnchanged && revision > ifRevision ? revision : ifRevision;
}

const encodeObject = ({ json, expiresAt }: NewObject, token: string): Buffer =>
  encodeRecord({ token, json, ...(expiresAt === undefined ? {} : { expiresAt }) });
