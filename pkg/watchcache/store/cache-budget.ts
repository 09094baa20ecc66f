/** Where cacheSpace are kept: bytes that can be made again. A memo is any object; its owner is told when it must let go. */
export interface CacheSpace {
  /** `forget` is called once when there is no room for it, now or later, and not after `drop`. Again when the memo has grown. */
  keep(memo: object, bytes: number, forget: () => void): void;
  touch(memo: object): void;
  drop(memo: object): void;
}

interface BudgetedEntry {
  readonly bytes: number;
  readonly forget: () => void;
  /** The newest answer that had begun then. */
  usedAt: number;
}

/** CacheSpace of gzip blocks, protobuf and Table rows under one budget for the process: the least recently used go first. */
export class CacheBudget implements CacheSpace {
  readonly #limit: number;
  /** In order of use: a Map keeps the order of insertion. */
  readonly #cacheSpace = new Map<object, BudgetedEntry>();
  #used = 0;
  /** Counts answers. */
  #now = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  keep(memo: object, bytes: number, forget: () => void): void {
    this.#keep(memo, bytes, forget, Infinity);
  }

  touch(memo: object): void {
    const held = this.#cacheSpace.get(memo);
    if (held === undefined) return;
    this.#cacheSpace.delete(memo);
    held.usedAt = this.#now;
    this.#cacheSpace.set(memo, held);
  }

  drop(memo: object): void {
    const held = this.#cacheSpace.get(memo);
    if (held === undefined) return;
    this.#cacheSpace.delete(memo);
    this.#used -= held.bytes;
  }

  /**
   * For one answer that needs many cacheSpace, one after the other: none of them takes the place of what was used since the answer began. So a list that does
   * not fit keeps as much of itself as there is room for, and finds that again the next time, where the least recently used is always what it needs next.
   */
  forResponse(): CacheSpace {
    const since = ++this.#now;
    return {
      keep: (memo, bytes, forget) => this.#keep(memo, bytes, forget, since),
      touch: (memo) => this.touch(memo),
      drop: (memo) => this.drop(memo),
    };
  }

  /** Makes room among what was used before `since`. */
  #keep(memo: object, bytes: number, forget: () => void, since: number): void {
    this.drop(memo);
    if (bytes <= this.#limit) {
      for (const [oldest, { usedAt, forget: letGo }] of this.#cacheSpace) {
        if (this.#used + bytes <= this.#limit || usedAt >= since) break;
        this.drop(oldest);
        letGo();
      }
    }
    if (this.#used + bytes > this.#limit) {
      forget();
      return;
    }
    this.#cacheSpace.set(memo, { bytes, forget, usedAt: this.#now });
    this.#used += bytes;
  }
}
