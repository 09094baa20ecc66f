/** Queues the writers of a key within the process, so that they do not cause each other to retry. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { requestEnded, throwIfAborted } from './storage-status.ts';
import type { StoredObject } from './stored-object.ts';

/** Further writers get TooManyRequests: each waiting one holds a request, and would exceed its deadline anyway. */
const MAX_WAITING = 1000;

/** What writers of a key pass on. The last write may be stale, like a cached object: only a commit may rely on it. */
export interface KeyState {
  lastWrite: { readonly revision: Revision; readonly object: StoredObject | undefined } | undefined;
}

/** The writers of one key: one runs, the others wait in the order in which they came. */
interface WriterQueue {
  readonly state: KeyState;
  readonly waiting: (() => void)[];
}

export class KeyQueue {
  readonly #queues = new Map<Key, WriterQueue>();

  /** Runs `work` after all earlier writers of `key`. Throws Timeout when `signal` aborts before `work` starts. */
  async run<T>(key: Key, signal: AbortSignal, work: (state: KeyState) => Promise<T>): Promise<T> {
    throwIfAborted(signal);
    let queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, (queue = { state: { lastWrite: undefined }, waiting: [] }));
    else await this.#wait(queue, signal);
    try {
      return await work(queue.state);
    } finally {
      const next = queue.waiting.shift();
      if (next === undefined) this.#queues.delete(key);
      else next();
    }
  }

  /** Number of keys with a writer. */
  get size(): number {
    return this.#queues.size;
  }

  #wait(queue: WriterQueue, signal: AbortSignal): Promise<void> {
    if (queue.waiting.length >= MAX_WAITING) {
      throw new StatusError('TooManyRequests', 'Too many writes of this object are waiting', { details: { retryAfterSeconds: 1 } });
    }
    return new Promise((resolve, reject) => {
      const aborted = () => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1);
        reject(requestEnded(signal));
      };
      const start = () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      queue.waiting.push(start);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}
