/**
 * What became of a commit whose reply was lost. Nothing is guessed and nothing is written a second time: the watch
 * delivers every change of the store, so once it has passed a revision that was read after the commit, the key's
 * changes in it tell.
 */
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Backend, Revision } from '../storage/backend.ts';
import { isStorageError } from '../storage/errors.ts';
import type { Key } from '../storage/keys.ts';
import type { ResourceCache, WatchCache } from '../watchcache/watch-cache.ts';
import { requestTimeout } from './storage-status.ts';

/** The store is asked again after a lost connection, each time after twice the wait. */
const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 500;

export interface SettleOptions {
  readonly backend: Pick<Backend, 'currentRevision'>;
  readonly watchCache: Pick<WatchCache, 'reached'>;
  readonly resourceCache: Pick<ResourceCache, 'changeAfter'>;
  readonly clock: Clock;
  readonly settleMs: number;
}

export interface LostCommit {
  readonly key: Key;
  /** Absent for a delete, which leaves none. */
  readonly token: string | undefined;
  readonly ifRevision: Revision;
  /**
   * The cache knew the state of the key at this revision, or `ifRevision` is later: the commit cannot have happened
   * before.
   */
  readonly notBefore: Revision;
  readonly cause: Error;
}

/** `overtaken`: another write of the key came first, so this one can never take effect. */
export type Settled = { readonly outcome: 'committed'; readonly revision: Revision } | { readonly outcome: 'overtaken' };

/**
 * Throws Timeout when nothing can be known before the deadline, or when nothing is to be seen of the write: it may
 * still arrive.
 */
export async function settle(options: SettleOptions, lost: LostCommit, signal: AbortSignal): Promise<Settled> {
  const deadline = options.clock.now() + options.settleMs;
  const seenAll = await passedEverything(options, deadline, signal);
  if (!seenAll) throw unsettled(lost.cause);
  try {
    return findChange(options.resourceCache, lost);
  } catch (error) {
    if (isStorageError(error)) throw unsettled(error);
    throw error;
  }
}

function findChange(resourceCache: Pick<ResourceCache, 'changeAfter'>, { key, token, ifRevision, notBefore, cause }: LostCommit): Settled {
  let after = notBefore;
  for (let isTaken = false; ;) {
    const change = resourceCache.changeAfter(key, after);
    if (change === undefined) {
      if (isTaken) return { outcome: 'overtaken' };
      throw unsettled(cause);
    }
    if (token !== undefined && change.token === token) return { outcome: 'committed', revision: change.revision };
    // Gone: perhaps by this delete, perhaps by another. Its answer would differ, so there is none.
    if (token === undefined && change.token === undefined) throw unsettled(cause);
    // An existing object has exactly one next state. An absent one may have come and gone before the create that is
    // looked for.
    if (ifRevision !== 0) return { outcome: 'overtaken' };
    // And where it has gone again, the create may still arrive.
    isTaken = change.token !== undefined;
    after = change.revision;
  }
}

/** True once everything that was written before this call is applied to the cache. */
async function passedEverything({ backend, watchCache, clock }: SettleOptions, deadline: number, signal: AbortSignal): Promise<boolean> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted && clock.now() < deadline; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const revision = await backend.currentRevision().catch(() => undefined);
    if (revision !== undefined) return await watchCache.reached(revision, Math.max(0, deadline - clock.now()), signal);
    await clock.sleep(waitMs, signal);
  }
  return false;
}

const unsettled = (cause: Error) =>
  requestTimeout('The storage did not confirm the write: it may or may not have taken effect; read the object before trying again', cause);
