/**
 * Where the first fill begins: some changes ago. The changes since then come by the watch, and into the ring, so that
 * watches which a restart of the server has cut go on where they were, instead of thousands of clients listing again at
 * once.
 */
import type { Clock } from '../apimachinery/time/clock.ts';
import { type Backend, type Revision, toRevision } from '../storage/backend.ts';

/** One without `status` cannot say how far back it reaches: the cache begins in its present. */
export type ReplayableBackend = Pick<Backend, 'currentRevision' | 'freshness'> & Partial<Pick<Backend, 'status'>>;

/**
 * What happens in a restart of 10 seconds at 100 changes a second. Each takes its time of a start: 5,000 of them were a
 * third of one with 10,000 objects.
 */
const LOOK_BACK_REVISIONS = 1000;
/** A watch that does not see every revision says how far it is when it is asked. */
const ASK_MS = 100;
/** A cache that has not come from its past to the present by then begins in the present. */
const MAX_REPLAY_MS = 5_000;

export interface ReplayStart {
  readonly from: Revision;
  /** The newest revision: a cache that has not come so far shows what is over. */
  readonly present: Revision;
}

/** Undefined: begin in the present. Throws what the backend throws when it does not answer. */
export async function findReplayStart(backend: ReplayableBackend): Promise<ReplayStart | undefined> {
  if (backend.status === undefined || backend.freshness === 'backend') return undefined;
  // Both are asked at once: each is a round trip.
  const status = backend.status();
  status.catch(() => undefined);
  const present = await backend.currentRevision();
  try {
    const { oldestRevision } = await status;
    // On a young store the oldest is the empty one before its first write: whoever listed it then lists again.
    return { from: toRevision(Math.min(present, Math.max(oldestRevision + 1, present - LOOK_BACK_REVISIONS))), present };
  } catch {
    // An etcd may keep this for its administrators, which is no reason not to start.
    return undefined;
  }
}

export interface Replay {
  /** Ends the watch, with `closing` or because it does not come to the present. */
  readonly signal: AbortSignal;
  isGivenUp(): boolean;
  /** To be called when the watch has ended. Leaves nothing behind. */
  end(): Promise<void>;
}

export interface ReplayOptions {
  readonly backend: ReplayableBackend;
  readonly clock: Clock;
  readonly isBehind: () => boolean;
  readonly closing: AbortSignal;
}

/** Sees to it that a watch from the past comes to the present, or ends. */
export function startReplay({ backend, clock, isBehind, closing }: ReplayOptions): Replay {
  const givingUp = new AbortController();
  const ended = new AbortController();
  const waiting = AbortSignal.any([closing, ended.signal]);
  const isOver = () => waiting.aborted;
  const advance = async () => {
    const until = clock.now() + MAX_REPLAY_MS;
    while (isBehind() && !isOver()) {
      // A watch that never says how far it is cannot be waited for, and what it is allowed to see is only known once it
      // was opened.
      if (backend.freshness === 'backend' || clock.now() >= until) {
        givingUp.abort();
        return;
      }
      await clock.sleep(ASK_MS, waiting);
      if (!isOver()) await backend.currentRevision().catch(() => undefined);
    }
  };
  const advancing = advance();
  return {
    signal: AbortSignal.any([closing, givingUp.signal]),
    isGivenUp: () => givingUp.signal.aborted,
    end: () => {
      ended.abort();
      return advancing;
    },
  };
}
