/**
 * Writers of one key take turns inside the process, so that many writers of one object do not make each other retry.
 */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { requestEnded, throwIfAborted } from './storage-status.ts';
import type { StoredObject } from './stored-object.ts';

/**
 * Beyond it a writer is turned away: each one waiting holds a request, and its turn would come after its deadline
 * anyway.
 */
const MAX_WAITING = 1000;

/** What the writer before left behind. As old as a cached object may be: good for a try, not for a refusal. */
export interface Turn {
  left: { readonly revision: Revision; readonly object: StoredObject | undefined } | undefined;
}

interface Lane {
  readonly turn: Turn;
  readonly waiting: (() => void)[];
}

export class KeyQueue {
  readonly #lanes = new Map<Key, Lane>();

  /**
   * Runs `work` when all earlier writers of `key` are done. Throws Timeout when `signal` aborts first; a turn that was
   * taken is not interrupted.
   */
  async run<T>(key: Key, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
    throwIfAborted(signal);
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = { turn: { left: undefined }, waiting: [] }));
    else await this.#wait(lane, signal);
    try {
      return await work(lane.turn);
    } finally {
      const next = lane.waiting.shift();
      if (next === undefined) this.#lanes.delete(key);
      else next();
    }
  }

  /** Keys that are being written or waited for. */
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
