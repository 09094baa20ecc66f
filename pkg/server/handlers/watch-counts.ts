/** Counts the open watches of each user, and refuses more than the limit. */
import { StatusError } from '../../apimachinery/status/status-error.ts';

/** A client that finds no place is not the only one: it comes back when others may have gone. */
const RETRY_AFTER_SECONDS = 10;

export class WatchCounts {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** 0: no limit. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Throws TooManyRequests. Returns the function that ends the watch, to be called once. */
  open(user: string): () => void {
    const open = this.#open.get(user) ?? 0;
    if (this.#max > 0 && open >= this.#max) {
      throw new StatusError('TooManyRequests', `user ${JSON.stringify(user)} has ${open} watches open, and may not have more`, {
        details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
      });
    }
    this.#open.set(user, open + 1);
    return () => {
      const left = (this.#open.get(user) ?? 1) - 1;
      if (left === 0) this.#open.delete(user);
      else this.#open.set(user, left);
    };
  }
}
