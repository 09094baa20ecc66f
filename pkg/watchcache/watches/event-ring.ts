import { type Revision } from '../../storage/backend.ts';
import { StorageError } from '../../storage/errors.ts';
import type { Key } from '../../storage/keys.ts';
import { CacheEvent, type RepresentationBytes, type EventContent } from './event.ts';
import type { CachedChange } from '../watch-cache.ts';

export interface RingLimits {
  /** Retained whatever their age, within `maxBytes`. */
  readonly minEvents: number;
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export const RING_LIMITS: RingLimits = { minEvents: 100, maxAgeMs: 75_000, maxBytes: 32 * 1024 * 1024 };

/** The recent changes of one resource: all after `oldest`. `maxBytes` takes precedence over `minEvents`. */
export class EventRing {
  readonly #limits: RingLimits;
  /** The first `#dropped` slots are empty and removed occasionally. */
  #events: (CacheEvent | undefined)[] = [];
  #dropped = 0;
  /** The event before the first one. */
  #anchor: CacheEvent;
  #tail: CacheEvent;
  #oldest: Revision;
  readonly #derived: RepresentationBytes = { bytes: 0 };

  constructor(oldest: Revision, limits: RingLimits) {
    this.#limits = limits;
    this.#oldest = oldest;
    this.#anchor = this.#tail = startOf(oldest);
  }

  /** All changes after this revision are known. */
  get oldest(): Revision {
    return this.#oldest;
  }

  /** The newest event; initially one without content. */
  get tail(): CacheEvent {
    return this.#tail;
  }

  get size(): number {
    return this.#events.length - this.#dropped;
  }

  get bytes(): number {
    return this.#tail.cumulativeBytes - this.#anchor.cumulativeBytes + this.#derived.bytes;
  }

  append(content: EventContent): CacheEvent {
    const event = new CacheEvent(content, this.#tail, this.#derived);
    this.#tail.next = event;
    this.#tail = event;
    this.#events.push(event);
    this.trim(content.at);
    return event;
  }

  /** Drops events that exceed the limits. A reader that references a dropped event can still continue from it. */
  trim(now: number): void {
    const { minEvents, maxAgeMs, maxBytes } = this.#limits;
    for (;;) {
      const first = this.#events[this.#dropped];
      if (first === undefined) break;
      const isTooMuch = this.size > 1 && this.bytes > maxBytes;
      if (!isTooMuch && (this.size <= minEvents || first.at > now - maxAgeMs)) break;
      this.#events[this.#dropped++] = undefined;
      first.dropFromRing();
      this.#anchor = first;
      this.#oldest = first.revision;
    }
    if (this.#dropped > 1024 && this.#dropped > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#dropped);
      this.#dropped = 0;
    }
  }

  /** Drops all events, after another ring has replaced this one. */
  clear(): void {
    for (const event of this.#events) event?.dropFromRing();
    this.#events = [];
    this.#dropped = 0;
  }

  /** The last event at or before `revision`; undefined if not all changes after it are known. */
  before(revision: Revision): CacheEvent | undefined {
    if (revision < this.#oldest) return undefined;
    const index = this.#firstAfter(revision);
    return index === this.#dropped ? this.#anchor : this.#events[index - 1];
  }

  /** Throws StorageError Compacted if not all changes are known. */
  changeAfter(key: Key, revision: Revision): CachedChange | undefined {
    let event = this.before(revision);
    if (event === undefined) throw new StorageError('Compacted', `changes after revision ${revision} are no longer known`);
    for (event = event.next; event !== undefined; event = event.next) {
      if (event.key === key) return { revision: event.revision, ...(event.token === undefined ? {} : { token: event.token }) };
    }
    return undefined;
  }

  #firstAfter(revision: Revision): number {
    let low = this.#dropped;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event !== undefined && event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const startOf = (revision: Revision): CacheEvent =>
  new CacheEvent({ revision, key: '' as Key, token: undefined, previous: undefined, current: undefined, at: 0 }, undefined);
