import { setTimeout as pause } from 'node:timers/promises';
import { ScheduledTask, type Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { StatusError } from '../../apimachinery/status/status-error.ts';
import { type Revision, toRevision } from '../../storage/backend.ts';
import type { Representation, WatchEventType } from '../representations/representation.ts';
import type { CacheEvent } from './event.ts';
import { errorEvent, type EventEncoder } from './event-encoder.ts';
import { WatcherBuckets, type WatcherGroup } from './watcher-buckets.ts';
import type { Watcher } from './watcher.ts';

/** Limits of a batch. More would delay its first event, and a slow connection retains the whole batch. */
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 256 * 1024;
/** Pause between two batches for many watchers. */
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 4;
/** Minimum number of watchers and writing time for a pause. */
const MANY_WATCHERS = 100;
const LONG_WRITING_MS = 1;
/** Limit of a write, unless a single event is larger. */
const MAX_WRITE_BYTES = 256 * 1024;
/** Limit of a write to a lagging watcher, whose bytes are copied. */
const LAGGING_WRITE_BYTES = 64 * 1024;

export interface FanOutLimits {
  /** A watcher with more unsent bytes becomes a lagging one. */
  readonly maxQueuedBytes: number;
  /** A watcher that lags further behind is ended. Events are shared, and cost nothing while they are in the ring. */
  readonly maxBehindBytes: number;
}

export const FAN_OUT_LIMITS: FanOutLimits = { maxQueuedBytes: 64 * 1024, maxBehindBytes: 32 * 1024 * 1024 };

export interface FanOutOptions {
  readonly scheduler: Scheduler;
  readonly encoder: EventEncoder;
  readonly limits: FanOutLimits;
  /** All changes up to this revision are among the events. */
  readonly revision: () => Revision;
  /** Default: real timers, because a clock controlled by tests would stop deliveries. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Called when delivery stopped because of a bug: open watches would skip events. */
  readonly failed: (error: unknown) => void;
}

/**
 * Delivers the events of one resource to its watchers. Live watchers were sent everything up to the cursor: a batch of
 * events becomes one Buffer per selection, which is written to all its watchers at about 10 µs each. Lagging watchers
 * read the events individually and become live when they reach the cursor. Both yield.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #buckets = new WatcherBuckets();
  readonly #lagging = new Set<Watcher>();
  #cursor: CacheEvent;
  #isRunning = false;
  #isWriting = false;
  #pauseMs = MIN_PAUSE_MS;
  #bookmarkIsDue = false;
  /** Lagging watchers that are ahead of the cursor. */
  #waiting: (() => void)[] = [];

  /** Delivers all events after `start`. Does not retain `start`, which would keep all later events alive. */
  constructor(start: CacheEvent, options: FanOutOptions) {
    this.#options = options;
    this.#cursor = start;
  }

  get watchers(): number {
    return this.#buckets.size + this.#lagging.size;
  }

  /** Events written to the current watchers. Summed on demand, so that a delivery updates only its watcher. */
  get deliveredEvents(): number {
    return this.#all().reduce((sum, { events }) => sum + events, 0);
  }

  get lagging(): number {
    return this.#lagging.size;
  }

  /** Delivers events after the watcher's position until the watcher ends. */
  async follow(watcher: Watcher): Promise<void> {
    this.#lagging.add(watcher);
    try {
      const task = new ScheduledTask(this.#options.scheduler);
      while (!watcher.isOver()) {
        await this.#writeBacklog(watcher, task);
        // Sleeps until the watcher is ended or becomes slow.
        while (!watcher.isOver() && watcher.slot >= 0) await watcher.sleep();
        await watcher.drained();
      }
    } finally {
      this.#lagging.delete(watcher);
      this.#buckets.remove(watcher);
      watcher.flush();
    }
  }

  /** Applies the limits of lagging watchers while initial events are written. */
  addLagging(watcher: Watcher): void {
    this.#lagging.add(watcher);
  }

  removeLagging(watcher: Watcher): void {
    this.#lagging.delete(watcher);
  }

  /** To be called when there are new events. */
  notify(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Deferred, so that all events of one tick are delivered together.
    setImmediate(() => void this.#run().catch(this.#options.failed));
  }

  /** Sends a bookmark to every live watcher that requested them, after the current batch. */
  bookmark(): void {
    this.#bookmarkIsDue = true;
    this.notify();
  }

  /** The revision that live watchers have completely seen; undefined within a batch or a revision. */
  deliveredRevision(): Revision | undefined {
    if (this.#isWriting) return undefined;
    const { revision, next } = this.#cursor;
    if (next === undefined) return this.#options.revision();
    // Not the cursor's revision, because a bookmark may already have sent a later one.
    return next.revision > revision ? toRevision(next.revision - 1) : undefined;
  }

  /** Ends all watchers with an ERROR event. Streams end one by one: thousands in one tick would block for 0.5 s. */
  expireAll(error: StatusError): void {
    const events = new Map<Representation | undefined, Buffer>();
    const watchers = this.#all();
    for (const watcher of watchers) {
      const { representation } = watcher;
      let event = events.get(representation);
      if (event === undefined) events.set(representation, (event = errorEvent(error, representation)));
      watcher.markEnded('expired', event);
    }
    this.#cursorMoved();
    void this.#flush(watchers);
  }

  /** Ends all watchers immediately, including those that are being ended. */
  close(): void {
    for (const watcher of this.#all()) {
      watcher.end('closed');
      watcher.flush();
    }
    this.#cursorMoved();
  }

  #all(): readonly Watcher[] {
    return [...[...this.#buckets.groups].flatMap((group) => group.share()), ...this.#lagging];
  }

  async #flush(watchers: readonly Watcher[]): Promise<void> {
    const task = new ScheduledTask(this.#options.scheduler);
    for (const watcher of watchers) {
      watcher.flush();
      await task.flushMicrotasks();
      if (task.shouldYield()) await task.yield();
    }
  }

  async #run(): Promise<void> {
    const task = new ScheduledTask(this.#options.scheduler);
    while (this.#cursor.next !== undefined || this.#bookmarkIsDue) {
      const writingMs = this.#cursor.next === undefined ? 0 : await this.#deliver(task);
      // After each batch, so that bookmarks do not wait until there are no more events.
      const revision = this.#bookmarkIsDue ? this.deliveredRevision() : undefined;
      if (revision !== undefined) await this.#writeBookmarks(task, revision);
      if (writingMs >= LONG_WRITING_MS) await this.#pause(task, writingMs);
      else if (task.shouldYield()) await task.yield();
    }
    this.#isRunning = false;
  }

  /**
   * The cost of a write to a connection hardly depends on the number of events. So after a long write to many watchers,
   * delivery pauses for the same time, and the events of that time are written together: with 1,000 watchers and
   * continuous writes an event costs half as much. The pause grows while it collects events and shrinks otherwise.
   */
  async #pause(task: ScheduledTask, writingMs: number): Promise<void> {
    const before = this.#pendingEvents();
    if (before.bytes < MAX_BATCH_BYTES && before.count < MAX_BATCH_EVENTS) {
      const { sleep = pause } = this.#options;
      await sleep(Math.min(writingMs, this.#pauseMs));
      const { count } = this.#pendingEvents();
      const hasPaid = count > 1 && count > before.count;
      this.#pauseMs = hasPaid ? Math.min(2 * this.#pauseMs, MAX_PAUSE_MS) : Math.max(this.#pauseMs / 2, MIN_PAUSE_MS);
    }
    // Otherwise the used quantum would end the next batch after one event.
    await task.yield();
  }

  #pendingEvents(): { readonly count: number; readonly bytes: number } {
    let count = 0;
    let newest = this.#cursor;
    for (let { next } = newest; next !== undefined; { next } = next) {
      newest = next;
      count++;
    }
    return { count, bytes: newest.cumulativeBytes - this.#cursor.cumulativeBytes };
  }

  /** Writes one batch. Returns the time spent on many watchers; 0 if they were few, or more events are pending. */
  async #deliver(task: ScheduledTask): Promise<number> {
    const groups = this.#collect(task);
    const end = this.#cursor;
    const isFull = end.next !== undefined;
    this.#endSlow();
    // A copy: a watcher that becomes live later has already read up to the cursor.
    const batches = groups.map((group) => ({ members: group.share(), events: group.pending.length, writes: takePending(group) }));
    this.#isWriting = true;
    this.#cursorMoved();
    const startedAt = task.workedMs();
    let written = 0;
    for (const { members, events, writes } of batches) {
      written += members.length;
      for (const watcher of members) {
        if (!watcher.isOver()) this.#write(watcher, writes, events, end);
        if (task.shouldYield()) await task.yield();
      }
    }
    this.#isWriting = false;
    return isFull || written < MANY_WATCHERS ? 0 : task.workedMs() - startedAt;
  }

  #write(watcher: Watcher, writes: readonly Buffer[], events: number, end: CacheEvent): void {
    const { writer } = watcher;
    let isDrained = true;
    for (const bytes of writes) isDrained = writer.write(bytes);
    watcher.events += events;
    if (writer.closed) {
      watcher.end('closed');
    } else if (!isDrained && writer.queuedBytes > this.#options.limits.maxQueuedBytes) {
      this.#buckets.remove(watcher);
      this.#lagging.add(watcher);
      watcher.position = end;
      watcher.wake();
    }
  }

  /** Encodes the next events for each group and advances the cursor. Returns the groups with pending events. */
  #collect(task: ScheduledTask): WatcherGroup[] {
    const pending: WatcherGroup[] = [];
    const from = this.#cursor.cumulativeBytes;
    let collected = 0;
    for (let event = this.#cursor.next; event !== undefined; event = event.next) {
      const visited = event;
      this.#buckets.visit(event, (group) => {
        const type = visited.typeFor(group.matcher);
        if (type === undefined) return;
        if (group.pending.push(this.#bytesFor(visited, type, group)) === 1) pending.push(group);
      });
      this.#cursor = event;
      if (++collected >= MAX_BATCH_EVENTS || event.cumulativeBytes - from >= MAX_BATCH_BYTES || task.shouldYield()) break;
    }
    return pending;
  }

  /** Writes the events between the watcher's position and the cursor. Then the watcher is live. */
  async #writeBacklog(watcher: Watcher, task: ScheduledTask): Promise<void> {
    while (!watcher.isOver()) {
      const { position } = watcher;
      if (position === undefined || position === this.#cursor) {
        // Synchronous, because the cursor may move before the caller continues.
        this.#lagging.delete(watcher);
        this.#buckets.add(watcher);
        watcher.position = undefined;
        return;
      }
      if (position.sequence > this.#cursor.sequence) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      this.#writeNext(watcher, position);
      if (watcher.writer.closed) watcher.end('closed');
      else if (watcher.writer.queuedBytes > this.#options.limits.maxQueuedBytes) await watcher.drained();
      if (task.shouldYield()) await task.yield();
    }
  }

  #writeNext(watcher: Watcher, position: CacheEvent): void {
    const events: Buffer[] = [];
    let bytes = 0;
    let at = position;
    for (let visited = 0; at !== this.#cursor && bytes < LAGGING_WRITE_BYTES && visited < MAX_BATCH_EVENTS; visited++) {
      const event = at.next;
      if (event === undefined) break;
      at = event;
      const type = event.typeFor(watcher.matcher);
      if (type === undefined) continue;
      const encoded = this.#bytesFor(event, type, watcher);
      events.push(encoded);
      bytes += encoded.length;
    }
    watcher.position = at;
    watcher.events += events.length;
    for (const write of joinWrites(events)) watcher.writer.write(write);
  }

  #bytesFor(event: CacheEvent, type: WatchEventType, { representation }: Pick<Watcher, 'representation'>): Buffer {
    return event.bytesFor(type, representation, this.#options.encoder);
  }

  async #writeBookmarks(task: ScheduledTask, revision: Revision): Promise<void> {
    this.#bookmarkIsDue = false;
    // A copy: the revision holds only for the current members, and writing may take several ticks.
    const groups = [...this.#buckets.groups].map((group) => ({ watchers: group.share(), representation: group.representation }));
    const events = new Map<Representation | undefined, Buffer>();
    for (const { watchers, representation } of groups) {
      let event = events.get(representation);
      if (event === undefined) events.set(representation, (event = this.#options.encoder.bookmark(revision, representation)));
      for (const watcher of watchers) {
        if (watcher.isOver()) continue;
        if (watcher.writer.closed) watcher.end('closed');
        else if (watcher.bookmarks && watcher.slot >= 0) watcher.writer.write(event);
        if (task.shouldYield()) await task.yield();
      }
    }
  }

  #endSlow(): void {
    const newest = this.#cursor.cumulativeBytes;
    for (const watcher of this.#lagging) {
      const { position } = watcher;
      if (position !== undefined && newest - position.cumulativeBytes > this.#options.limits.maxBehindBytes) watcher.end('slow');
    }
  }

  #cursorMoved(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

function takePending(group: WatcherGroup): readonly Buffer[] {
  const events = group.pending;
  group.pending = [];
  return joinWrites(events);
}

/** Concatenates events into writes within the limit. */
function joinWrites(events: readonly Buffer[]): readonly Buffer[] {
  if (events.length <= 1) return events;
  const writes: Buffer[] = [];
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    if (parts.length > 0 && bytes + event.length > MAX_WRITE_BYTES) {
      writes.push(Buffer.concat(parts, bytes));
      parts = [];
      bytes = 0;
    }
    parts.push(event);
    bytes += event.length;
  }
  writes.push(Buffer.concat(parts, bytes));
  return writes;
}
