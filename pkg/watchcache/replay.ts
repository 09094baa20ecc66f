/**
 * The first fill starts at a past revision. The changes since then are replayed from the backend's watch into the ring,
 * so that clients can resume watches after a restart of the server instead of all listing again.
 */
import type { Clock } from '../apimachinery/time/clock.ts';
import { type Backend, type Revision, toRevision } from '../storage/backend.ts';

/** Without `status` the oldest available revision is unknown, so nothing is replayed. */
export type ReplayableBackend = Pick<Backend, 'currentRevision' | 'freshness'> & Partial<Pick<Backend, 'status'>>;

/** The changes of a 10-second restart at 100 per second. 5,000 took a third of a start with 10,000 objects. */
const MAX_REPLAYED_REVISIONS = 1000;
/** Polling makes a watch that does not see every revision report its progress. */
const POLL_MS = 100;
/** If the replay takes longer, the cache is filled at the newest revision instead. */
const MAX_REPLAY_MS = 5_000;

export interface ReplayStart {
  readonly from: Revision;
  /** The newest revision. The cache is not ready before it has reached it. */
  readonly newest: Revision;
}

/** Undefined: fill at the newest revision. Throws the backend's errors. */
export async function findReplayStart(backend: ReplayableBackend): Promise<ReplayStart | undefined> {
  if (backend.status === undefined || backend.freshness === 'backend') return undefined;
  // In parallel, because each is a round trip.
  const status = backend.status();
  status.catch(() => undefined);
  const newest = await backend.currentRevision();
  try {
    const { oldestRevision } = await status;
    // Excludes the oldest revision: on a new store it precedes the first write, and its few readers list again.
    return { from: toRevision(Math.min(newest, Math.max(oldestRevision + 1, newest - MAX_REPLAYED_REVISIONS))), newest };
  } catch {
    // An etcd may restrict this call to administrators.
    return undefined;
  }
}

/**
 * Limits the duration of a replay. `signal` ends the watch, also when `closing` aborts. `end` must be called after the
 * watch has ended and releases all resources.
 */
export function startReplay(backend: ReplayableBackend, clock: Clock, isBehind: () => boolean, closing: AbortSignal) {
  const timeout = new AbortController();
  const ended = new AbortController();
  const waiting = AbortSignal.any([closing, ended.signal]);
  const isOver = () => waiting.aborted;
  const advance = async () => {
    const until = clock.now() + MAX_REPLAY_MS;
    while (isBehind() && !isOver()) {
      // A watch without progress reports cannot be awaited; `freshness` is only final after it was opened.
      if (backend.freshness === 'backend' || clock.now() >= until) {
        timeout.abort();
        return;
      }
      await clock.sleep(POLL_MS, waiting);
      if (!isOver()) await backend.currentRevision().catch(() => undefined);
    }
  };
  const advancing = advance();
  return {
    signal: AbortSignal.any([closing, timeout.signal]),
    isTimedOut: () => timeout.signal.aborted,
    end: (): Promise<void> => {
      ended.abort();
      return advancing;
    },
  };
}
