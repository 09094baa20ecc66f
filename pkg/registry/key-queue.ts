/** Queues the writers of a key within the process, so that they do not cause each other to retry. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { requestEnded, throwIfAborted } from './storage-status.ts';
import type { StoredObject } from './stored-object.ts';

/** Further writers get TooManyRequests: each waiting one holds a request, and would exceed its deadline anyway. */
const MAX_WAITING = 1000;

/** The result of the previous writer. It may be stale, like a cached object, so only a commit may rely on it. */
export interface Turn {
  previous: { readonly revision: Revision; readonly object: StoredObject | undefined } | undefined;
}

interface Lane {
  readonly turn: Turn;
  readonly waiting: (() => void)[];
}

export class KeyQueue {
  readonly #lanes = new Map<Key, Lane>();

  /** Runs `work` after all earlier writers of `key`. Throws Timeout when `signal` aborts before `work` starts. */
  async run<T>(key: Key, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
    throwIfAborted(signal);
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = { turn: { previous: undefined }, waiting: [] }));
    else await this.#wait(lane, signal);
    try {
      return await work(lane.turn);
    } finally {
      const next = lane.waiting.shift();
      if (next === undefined) this.#lanes.delete(key);
      else next();
    }
  }

  /** Number of keys with a writer. */
  get size(): number {
    return this.#lanes.size;
  }

  #wait(lane: Lane, signal: AbortSignal): Promise<void> {
    if (lane.waiting.length >= MAX_WAITING) {
      throw new StatusError('TooManyRequests', 'Too many writes of this object are waiting', { details: { retryAfterSeconds: 1 } });
    }
    return new Promise((resolve, reject) => {
      const aborted = () => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        reject(requestEnded(signal));
      };
      const start = () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      lane.waiting.push(start);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}
