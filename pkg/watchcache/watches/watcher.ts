import type { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Representation } from '../representations/representation.ts';
import type { Matcher } from '../selection.ts';
import type { WatchOutcome } from '../watch-cache.ts';
import type { CacheEvent } from './event.ts';
import { errorEvent } from './event-encoder.ts';

/** One watch stream: its selection, connection and position. */
export class Watcher {
  readonly matcher: Matcher;
  readonly writer: ResponseWriter;
  readonly bookmarks: boolean;
  /** The representation of the objects in events. Undefined: the stored one. */
  readonly representation: Representation | undefined;
  /** Equal for watchers that receive the same bytes. */
  readonly groupId: string;
  /** The last written event. Not updated while the watcher is live. */
  position: CacheEvent | undefined;
  /** Index among the live watchers of its group; -1 if not live. */
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

  /** As `end`, but without `flush`. Only `lastEvent` may be written after this. */
  markEnded(reason: WatchOutcome['reason'], lastEvent: Buffer | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#lastEvent = lastEvent;
  }

  /** Writes the last event of an ended watcher once, and ends its stream. */
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

  /** Resolves at `wake` or at the end. Only one caller at a time. */
  sleep(): Promise<void> {
    if (this.#ended !== undefined) return Promise.resolve();
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Resolves when written bytes were sent, or at the end. */
  drained(): Promise<void> {
    const awake = this.sleep();
    if (!this.isOver()) void this.writer.drained().then(() => this.wake());
    return awake;
  }
}
