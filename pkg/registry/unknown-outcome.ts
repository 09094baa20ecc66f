/**
 * Resolves the unknown outcome of a commit whose reply was lost, without guessing or writing again: the watch delivers
 * every change, so after it has passed a revision read after the commit, its changes of the key are complete.
 */
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Backend, Revision } from '../storage/backend.ts';
import { isStorageError } from '../storage/errors.ts';
import type { Key } from '../storage/keys.ts';
import type { ResourceCache, WatchCache } from '../watchcache/watch-cache.ts';
import { requestTimeout } from './storage-status.ts';

/** Backoff for asking the store again after a lost connection. */
const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 500;

export interface UnknownOutcomeOptions {
  readonly backend: Pick<Backend, 'currentRevision'>;
  readonly watchCache: Pick<WatchCache, 'reached'>;
  readonly resourceCache: Pick<ResourceCache, 'changeAfter'>;
  readonly clock: Clock;
  readonly resolveTimeoutMs: number;
}

export interface UnknownCommit {
  readonly key: Key;
  /** Absent for a delete. */
  readonly token: string | undefined;
  readonly ifRevision: Revision;
  /** The cache knew the state of the key at this revision, or `ifRevision` is later. The commit is not older. */
  readonly notBefore: Revision;
  readonly cause: Error;
}

/** `overtaken`: another write came first, so this one cannot take effect any more. */
export type ResolvedOutcome = { readonly outcome: 'committed'; readonly revision: Revision } | { readonly outcome: 'overtaken' };

/**
 * Throws Timeout when the outcome is unknown at the deadline, or no change is found, since the commit may still arrive.
 */
export async function resolveUnknownOutcome(
  options: UnknownOutcomeOptions,
  commit: UnknownCommit,
  signal: AbortSignal,
): Promise<ResolvedOutcome> {
  const deadline = options.clock.now() + options.resolveTimeoutMs;
  const isReached = await reachEarlierWrites(options, deadline, signal);
  if (!isReached) throw unresolved(commit.cause);
  try {
    return findChange(options.resourceCache, commit);
  } catch (error) {
    if (isStorageError(error)) throw unresolved(error);
    throw error;
  }
}

function findChange(
  resourceCache: Pick<ResourceCache, 'changeAfter'>,
  { key, token, ifRevision, notBefore, cause }: UnknownCommit,
): ResolvedOutcome {
  let after = notBefore;
  for (let isTaken = false; ;) {
    const change = resourceCache.changeAfter(key, after);
    if (change === undefined) {
      if (isTaken) return { outcome: 'overtaken' };
      throw unresolved(cause);
    }
    if (token !== undefined && change.token === token) return { outcome: 'committed', revision: change.revision };
    // Deleted by this or another delete, whose results would differ.
    if (token === undefined && change.token === undefined) throw unresolved(cause);
    // An existing object has exactly one next state. An absent one may have been created and deleted before this
    // create.
    if (ifRevision !== 0) return { outcome: 'overtaken' };
    // If it was deleted again, the create may still arrive.
    isTaken = change.token !== undefined;
    after = change.revision;
  }
}

/** Waits until the cache has applied all writes before this call. False at the deadline, or if `signal` aborts. */
async function reachEarlierWrites(
  { backend, watchCache, clock }: UnknownOutcomeOptions,
  deadline: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted && clock.now() < deadline; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const revision = await backend.currentRevision().catch(() => undefined);
    if (revision !== undefined) return await watchCache.reached(revision, Math.max(0, deadline - clock.now()), signal);
    await clock.sleep(waitMs, signal);
  }
  return false;
}

const unresolved = (cause: Error) =>
  requestTimeout('The storage did not confirm the write: it may or may not have taken effect; read the object before trying again', cause);
