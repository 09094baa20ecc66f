import type { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Representation } from '../representations/representation.ts';
import type { Matcher } from '../selection.ts';
import type { WatchOutcome } from '../watch-cache.ts';
import type { CacheEvent } from './event.ts';
import { errorEvent } from './event-encoder.ts';

/** One watch stream: what it selects, where it writes, how far it is. */
export class Watcher {
  readonly matcher: Matcher;
  readonly writer: ResponseWriter;
  readonly bookmarks: boolean;
  /** Of the objects in its events; undefined: as they are stored. */
  readonly representation: Representation | undefined;
  /** The same for watchers that are sent the same bytes. */
  readonly groupId: string;
  /** Everything up to this event is written. Not updated while the watcher is live. */
  position: CacheEvent | undefined;
  /** Index among the live watchers of its group; -1: not live. */
  slot = -1;
  events = 0;
  #ended: WatchOutcome['reason'] | undefined;
  #lastEvent: Buffer | undefined;
  #wake: (() => void) | undefined;

  constructor(matcher: Matcher, writer: ResponseWriter, bookmarks: boolean, representation?: Representation) {
    this.matcher = matcher;
    this.writer = writer;
    this.bookmarks = bookmarks;
    this.representation = representation;
    this.groupId = representation === undefined ? matcher.id : `${representation.id} ${matcher.id}`;
  }

  get ended(): WatchOutcome['reason'] | undefined {
    return this.#ended;
  }

  isOver(): boolean {
    return this.#ended !== undefined;
  }

  /** The first reason counts. The ERROR event is written before the stream ends. */
  end(reason: WatchOutcome['reason'], error?: StatusError): void {
    if (this.#ended !== undefined) return;
    this.markEnded(reason, error === undefined ? undefined : errorEvent(error, this.representation));
    this.flush();
  }

  /** As `end`, but leaves `flush` to the caller: nothing but `lastEvent` is written any more. */
  markEnded(reason: WatchOutcome['reason'], lastEvent: Buffer | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#lastEvent = lastEvent;
  }

  /** Writes the last event of an ended watcher, once, and lets its stream end. */
  flush(): void {
    const event = this.#lastEvent;
    this.#lastEvent = undefined;
    if (event !== undefined) this.writer.write(event);
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Until `wake` or the end. One caller at a time. */
  sleep(): Promise<void> {
    if (this.#ended !== undefined) return Promise.resolve();
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Until the reader has taken what was written, or the end. */
  drained(): Promise<void> {
    const awake = this.sleep();
    if (!this.isOver()) void this.writer.drained().then(() => this.wake());
    return awake;
  }
}
