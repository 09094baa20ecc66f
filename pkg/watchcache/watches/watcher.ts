import type { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { CacheEvent } from './event.ts';
import type { Matcher } from '../selection.ts';
import { errorLine } from './stream-events.ts';
import type { Representation, WatchOutcome } from '../watch-cache.ts';

/** One watch stream: what it selects, where it writes, how far it came. */
export class Watcher {
  readonly matcher: Matcher;
  readonly writer: ResponseWriter;
  readonly bookmarks: boolean;
  /** Of the objects in its lines; undefined: as they are stored. */
  readonly representation: Representation | undefined;
  /** The same for watchers that are written the same bytes. */
  readonly groupId: string;
  /** Everything up to this event is written. Not kept up while the watcher is live. */
  position: CacheEvent | undefined;
  /** Its place among the live watchers of its group; -1: not live. */
  slot = -1;
  events = 0;
  #ended: WatchOutcome['reason'] | undefined;
  #lastLine: Buffer | undefined;
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

  /** The first reason counts. The ERROR is written before the stream ends. */
  end(reason: WatchOutcome['reason'], error?: StatusError): void {
    if (this.#ended !== undefined) return;
    this.markEnded(reason, error === undefined ? undefined : errorLine(error, this.representation));
    this.flush();
  }

  /** The same, but that `finish` is left to somebody else: it is over, and is written nothing more but `lastLine`. */
  markEnded(reason: WatchOutcome['reason'], lastLine: Buffer | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#lastLine = lastLine;
  }

  /** Of one that is over: writes the last line, once, and lets the stream end. */
  flush(): void {
    const line = this.#lastLine;
    this.#lastLine = undefined;
    if (line !== undefined) this.writer.write(line);
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Until `wake` or the end. One waiter at a time. */
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
