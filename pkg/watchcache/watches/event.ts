import type { Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { Representation, WatchEventType } from '../representations/representation.ts';
import { matchSameSelections, type Matcher } from '../selection.ts';
import type { Entry } from '../store/entry.ts';
import type { EncodedEvent, EventEncoder } from './event-encoder.ts';

/** Approximate memory of an event besides the bytes of objects. */
const EVENT_BYTES = 256;

export interface EventContent {
  readonly revision: Revision;
  readonly key: Key;
  /** As in CachedChange. */
  readonly token: string | undefined;
  readonly previous: Entry | undefined;
  readonly current: Entry | undefined;
  /** Time of arrival, in milliseconds since the epoch. */
  readonly at: number;
}

/** Bytes that the events of a ring cache in representations. */
export interface RepresentationBytes {
  bytes: number;
}

interface CachedEvent extends EncodedEvent {
  readonly type: WatchEventType;
  readonly representation: Representation | undefined;
}

/** A change of one object. Events form a linked list in revision order, so lagging watchers need no queues. */
export class CacheEvent implements EventContent {
  readonly revision: Revision;
  readonly key: Key;
  readonly token: string | undefined;
  /** The previous state; equals `current` if no selector can distinguish them. */
  readonly previous: Entry | undefined;
  readonly current: Entry | undefined;
  readonly at: number;
  /** Number of the event within the resource. */
  readonly sequence: number;
  /** Bytes of all events up to this one. */
  readonly cumulativeBytes: number;
  next: CacheEvent | undefined = undefined;
  #encoded: readonly CachedEvent[] = [];
  #representationBytes: RepresentationBytes | undefined;
  #isInRing = true;

  /** `representationBytes` belongs to the ring. */
  constructor(content: EventContent, before: CacheEvent | undefined, representationBytes?: RepresentationBytes) {
    const { previous, current } = content;
    this.revision = content.revision;
    this.key = content.key;
    this.token = content.token;
    // Only a watch whose selection the change entered or left shows the previous state.
    this.previous = matchSameSelections(previous, current) ? current : previous;
    this.current = current;
    this.at = content.at;
    this.sequence = before === undefined ? 0 : before.sequence + 1;
    this.cumulativeBytes = (before?.cumulativeBytes ?? 0) + this.bytes;
    this.#representationBytes = representationBytes;
    this.current?.retain();
    if (this.previous !== this.current) this.previous?.retain();
  }

  /** Approximate memory that it retains: the previous state, if it may be shown, and one line of JSON. */
  get bytes(): number {
    const before = this.previous === this.current ? 0 : (this.previous?.size ?? 0);
    return EVENT_BYTES + before + (this.current?.size ?? this.previous?.size ?? 0);
  }

  /** The event for a watch of this selection; undefined if there is none. */
  typeFor(matcher: Matcher): WatchEventType | undefined {
    const had = this.previous !== undefined && matcher.matches(this.previous);
    const has = this.current !== undefined && matcher.matches(this.current);
    if (has) return had ? 'MODIFIED' : 'ADDED';
    return had ? 'DELETED' : undefined;
  }

  /** The encoded event, cached while it is in the ring and valid. `type` must be the result of `typeFor`. */
  bytesFor(type: WatchEventType, representation: Representation | undefined, encoder: EventEncoder): Buffer {
    const cached = this.#encoded.find((each) => each.type === type && each.representation === representation);
    if (cached !== undefined && (representation === undefined || representation.now() < cached.validUntil)) return cached.bytes;
    const encoded = encoder.encode(this, type, representation);
    if (this.#isInRing) this.#cache({ ...encoded, type, representation }, cached);
    return encoded.bytes;
  }

  /** Called when the ring drops it. A lagging watcher may keep the event alive, but not its encoded bytes. */
  dropFromRing(): void {
    for (const { representation, bytes } of this.#encoded) this.#count(representation, -bytes.length);
    this.#representationBytes = undefined;
    this.#isInRing = false;
    this.#encoded = [];
    this.current?.release();
    if (this.previous !== this.current) this.previous?.release();
  }

  #cache(encoded: CachedEvent, replaced: CachedEvent | undefined): void {
    this.#encoded = [...this.#encoded.filter((each) => each !== replaced), encoded];
    this.#count(encoded.representation, encoded.bytes.length - (replaced?.bytes.length ?? 0));
  }

  /** Lines of JSON are included in `bytes`. */
  #count(representation: Representation | undefined, bytes: number): void {
    if (representation !== undefined && this.#representationBytes !== undefined) this.#representationBytes.bytes += bytes;
  }
}
