/** Accounts for cached derived bytes. A cache entry is any object; its owner is called back on eviction. */
export interface CacheSpace {
  /** Counts `bytes`; call it again after the entry has grown. `evict` is called once, and never after `drop`. */
  count(entry: object, bytes: number, evict: () => void): void;
  /** Marks the entry as used. */
  touch(entry: object): void;
  drop(entry: object): void;
}

interface CountedEntry {
  readonly bytes: number;
  readonly evict: () => void;
  /** The newest response at the time of the last use. */
  usedAt: number;
}

/** One budget for all cache entries: gzip blocks, protobuf, Table rows. Evicts the least recently used. */
export class CacheBudget implements CacheSpace {
  readonly #limit: number;
  /** In order of use, since a Map preserves insertion order. */
  readonly #entries = new Map<object, CountedEntry>();
  #used = 0;
  /** Counts responses. */
  #now = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  count(entry: object, bytes: number, evict: () => void): void {
    this.#count(entry, bytes, evict, Infinity);
  }

  touch(entry: object): void {
    const counted = this.#entries.get(entry);
    if (counted === undefined) return;
    this.#entries.delete(entry);
    counted.usedAt = this.#now;
    this.#entries.set(entry, counted);
  }

  drop(entry: object): void {
    const counted = this.#entries.get(entry);
    if (counted === undefined) return;
    this.#entries.delete(entry);
    this.#used -= counted.bytes;
  }

  /**
   * For one response that needs many entries in sequence: none of them evicts an entry used since the response began.
   * So a list that does not fit still hits the cache for a part; with plain LRU every list would evict what it needs
   * next.
   */
  forResponse(): CacheSpace {
    const since = ++this.#now;
    return {
      count: (entry, bytes, evict) => this.#count(entry, bytes, evict, since),
      touch: (entry) => this.touch(entry),
      drop: (entry) => this.drop(entry),
    };
  }

  /** Evicts entries last used before `since`, as far as needed. */
  #count(entry: object, bytes: number, evict: () => void, since: number): void {
    this.drop(entry);
    if (bytes <= this.#limit) {
      for (const [oldest, { usedAt, evict: evictOldest }] of this.#entries) {
        if (this.#used + bytes <= this.#limit || usedAt >= since) break;
        this.drop(oldest);
        evictOldest();
      }
    }
    if (this.#used + bytes > this.#limit) {
      evict();
      return;
    }
    this.#entries.set(entry, { bytes, evict, usedAt: this.#now });
    this.#used += bytes;
  }
}
