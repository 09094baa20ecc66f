import type { StatusError } from '../apimachinery/status/status-error.ts';
import type { ByteSink } from '../apimachinery/streams/byte-sink.ts';
import type { CacheEvent } from './event.ts';
import type { Matcher } from './selection.ts';
import { errorLine } from './stream-lines.ts';
import type { DerivedForm, WatchOutcome } from './watch-cache.ts';

/** One watch stream: what it selects, where it writes, how far it came. */
export class Watcher {
  readonly matcher: Matcher;
  readonly sink: ByteSink;
  readonly bookmarks: boolean;
  /** Of the objects in its lines; undefined: as they are stored. */
  readonly form: DerivedForm | undefined;
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

  constructor(matcher: Matcher, sink: ByteSink, bookmarks: boolean, form?: DerivedForm) {
    this.matcher = matcher;
    this.sink = sink;
    this.bookmarks = bookmarks;
    this.form = form;
    this.groupId = form === undefined ? matcher.id : `${form.id} ${matcher.id}`;
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
    this.condemn(reason, error === undefined ? undefined : errorLine(error, this.form));
    this.finish();
  }

  /** The same, but that `finish` is left to somebody else: it is over, and is written nothing more but `lastLine`. */
  condemn(reason: WatchOutcome['reason'], lastLine: Buffer | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#lastLine = lastLine;
  }

  /** Of one that is over: writes the last line, once, and lets the stream end. */
  finish(): void {
    const line = this.#lastLine;
    this.#lastLine = undefined;
    if (line !== undefined) this.sink.write(line);
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
    if (!this.isOver()) void this.sink.drained().then(() => this.wake());
    return awake;
  }
}
