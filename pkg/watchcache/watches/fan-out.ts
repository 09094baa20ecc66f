import { setTimeout as pause } from 'node:timers/promises';
import type { StatusError } from '../../apimachinery/status/status-error.ts';
import { type Revision, toRevision } from '../../storage/backend.ts';
import type { SingleObjectOf, CacheEvent, LineStarts } from './event.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { errorLine } from './stream-events.ts';
import type { Representation, WatchEventType } from '../watch-cache.ts';
import { WatcherBuckets, type WatcherGroup } from './watcher-buckets.ts';
import type { Watcher } from './watcher.ts';

/** Events taken together at most: more would delay the first of them, and a connection that is slow holds what was taken together. */
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 256 * 1024;
/** Between two batches for many watchers: at most, and at least, once it was tried and brought nothing. */
const MAX_REST_MS = 4;
const MIN_REST_MS = 1;
/** Those that were written to, and how long the writing took by itself, from which on resting is worth it. */
const MANY_WATCHERS = 100;
const LONG_WRITING_MS = 1;
/** Of one write, or of one line. */
const MAX_WRITE_BYTES = 256 * 1024;
/** Of one write to a watcher that reads on: these bytes are copied for it singleObject. */
const READ_ON_BYTES = 64 * 1024;

export interface FanOutLimits {
  /** A watcher with more than this unread in its connection leaves the live ones and reads on from the events when it has drained. */
  readonly maxQueuedBytes: number;
  /**
   * A watcher that is more than this behind the newest event is ended. What is kept for it is kept once for all of the resource, and costs nothing
   * as long as the ring of recent events holds it anyway.
   */
  readonly maxBehindBytes: number;
}

export const FAN_OUT_LIMITS: FanOutLimits = { maxQueuedBytes: 64 * 1024, maxBehindBytes: 32 * 1024 * 1024 };

export interface FanOutOptions {
  readonly scheduler: Scheduler;
  readonly lineStarts: LineStarts;
  readonly limits: FanOutLimits;
  readonly singleObjectOf: SingleObjectOf;
  readonly bookmark: (revision: Revision, representation: Representation | undefined) => Buffer;
  /** Everything up to here is among the events. */
  readonly revision: () => Revision;
  /** For so many milliseconds. Absent: by the timers of the process, not the clock of the cache: one that is set by hand would hold deliveries up. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Delivery has stopped for good, because of a bug: watches that stay open would skip events. */
  readonly failed: (error: unknown) => void;
}

/**
 * Delivers the events of one resource. Live watchers have been written everything up to the cursor, or are being written it; a batch of events becomes
 * one Buffer per selection, written to each watcher of it: 1,000 watchers leave about 10 µs for each. Lagging watchers read the events
 * themselves and join again when they have come to the cursor. Both run in slices.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #buckets = new WatcherBuckets();
  readonly #lagging = new Set<Watcher>();
  #cursor: CacheEvent;
  #isRunning = false;
  #isWriting = false;
  #restMs = MIN_REST_MS;
  #bookmarkIsDue = false;
  #waiting: (() => void)[] = [];

  /** Delivers every event behind `start`. It is let go of as soon as there is one: it would keep all later events alive. */
  constructor(start: CacheEvent, options: FanOutOptions) {
    this.#options = options;
    this.#cursor = start;
  }

  get watchers(): number {
    return this.#buckets.size + this.#lagging.size;
  }

  /** Events that those who follow were written. Counted when asked: a delivery adds to its watcher only. */
  get deliveredEvents(): number {
    let events = 0;
    for (const group of this.#buckets.groups) for (const watcher of group.share()) events += watcher.events;
    for (const watcher of this.#lagging) events += watcher.events;
    return events;
  }

  get lagging(): number {
    return this.#lagging.size;
  }

  /** Follows the events behind the watcher's position until the watcher has ended. */
  async follow(watcher: Watcher): Promise<void> {
    this.#lagging.add(watcher);
    try {
      const task = new ScheduledTask(this.#options.scheduler);
      while (!watcher.isOver()) {
        await this.#catchUp(watcher, task);
        // Until it is ended or has become slow.
        while (!watcher.isOver() && watcher.slot >= 0) await watcher.sleep();
        await watcher.drained();
      }
    } finally {
      this.#lagging.delete(watcher);
      this.#buckets.remove(watcher);
      // It may have found out by itself that it is over.
      watcher.flush();
    }
  }

  /** Counts a watcher that is being written its initial events among the lagging, so that it is bounded like them. */
  watchLag(watcher: Watcher): void {
    this.#lagging.add(watcher);
  }

  forget(watcher: Watcher): void {
    this.#lagging.delete(watcher);
  }

  /** There are new events. */
  wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Behind the turn's other work, so that the events of one turn are delivered together.
    setImmediate(() => void this.#run().catch(this.#options.failed));
  }

  /** Every live watcher that asked for bookmarks gets one, behind what is being delivered. */
  bookmark(): void {
    this.#bookmarkIsDue = true;
    this.wake();
  }

  /** What a live watcher can be told it has seen everything of; undefined while a batch is being written, or when the last one ended within a revision. */
  settledRevision(): Revision | undefined {
    if (this.#isWriting) return undefined;
    const { revision, next } = this.#cursor;
    if (next === undefined) return this.#options.revision();
    // Not the cursor's: a bookmark may have told of a later one already.
    return next.revision > revision ? toRevision(next.revision - 1) : undefined;
  }

  /** No watcher is written anything more but the ERROR. Their streams end in slices: thousands in one turn would hold the loop for half a second. */
  expireAll(error: StatusError): void {
    const lines = new Map<Representation | undefined, Buffer>();
    const watchers = this.#all();
    for (const watcher of watchers) {
      const { representation } = watcher;
      let line = lines.get(representation);
      if (line === undefined) lines.set(representation, (line = errorLine(error, representation)));
      watcher.markEnded('expired', line);
    }
    this.#moved();
    void this.#finish(watchers);
  }

  /** Ends every watcher at once, also those whose end is under way. */
  close(): void {
    for (const watcher of this.#all()) {
      watcher.end('closed');
      watcher.flush();
    }
    this.#moved();
  }

  #all(): readonly Watcher[] {
    return [...[...this.#buckets.groups].flatMap((group) => group.share()), ...this.#lagging];
  }

  async #finish(watchers: readonly Watcher[]): Promise<void> {
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
      // Behind a batch, not behind all: a bookmark does not wait for a writer to stop.
      const revision = this.#bookmarkIsDue ? this.settledRevision() : undefined;
      if (revision !== undefined) await this.#writeBookmarks(task, revision);
      if (writingMs >= LONG_WRITING_MS) await this.#rest(task, writingMs);
      else if (task.shouldYield()) await task.yield();
    }
    this.#isRunning = false;
  }

  /**
   * Most of what a write to a connection costs is the same for one event and for ten. After writing to many watchers took long, requests have the loop for as long, and
   * what they change is delivered together: with 1,000 watchers and a writer flat out, an event costs half as much. The rest grows as long as events come of
   * it, and shrinks where the readers are what everybody waits for.
   */
  async #rest(task: ScheduledTask, writingMs: number): Promise<void> {
    const before = this.#waitingEvents();
    if (before.bytes < MAX_BATCH_BYTES && before.count < MAX_BATCH_EVENTS) {
      const { sleep = pause } = this.#options;
      await sleep(Math.min(writingMs, this.#restMs));
      const { count } = this.#waitingEvents();
      const wasWorthIt = count > 1 && count > before.count;
      this.#restMs = wasWorthIt ? Math.min(2 * this.#restMs, MAX_REST_MS) : Math.max(this.#restMs / 2, MIN_REST_MS);
    }
    // The slice began before; used up, it would end the next batch at its first event.
    await task.yield();
  }

  #waitingEvents(): { readonly count: number; readonly bytes: number } {
    let count = 0;
    let newest = this.#cursor;
    for (let { next } = newest; next !== undefined; { next } = next) {
      newest = next;
      count++;
    }
    return { count, bytes: newest.through - this.#cursor.through };
  }

  /** One batch. Returns how long it took to write it to many watchers; 0: they were few, or more events wait already. */
  async #deliver(task: ScheduledTask): Promise<number> {
    const groups = this.#collect(task);
    const end = this.#cursor;
    const isFull = end.next !== undefined;
    this.#endSlow();
    // Members as they are now: a watcher that joins from here on has read up to the cursor already.
    const batches = groups.map((group) => ({ members: group.share(), lines: group.pending.length, writes: takePending(group) }));
    this.#isWriting = true;
    this.#moved();
    const workedMs = task.workedMs();
    let written = 0;
    for (const { members, lines, writes } of batches) {
      written += members.length;
      for (const watcher of members) {
        if (!watcher.isOver()) this.#write(watcher, writes, lines, end);
        if (task.shouldYield()) await task.yield();
      }
    }
    this.#isWriting = false;
    return isFull || written < MANY_WATCHERS ? 0 : task.workedMs() - workedMs;
  }

  #write(watcher: Watcher, writes: readonly Buffer[], lines: number, end: CacheEvent): void {
    const { writer } = watcher;
    let isDrained = true;
    for (const bytes of writes) isDrained = writer.write(bytes);
    watcher.events += lines;
    if (writer.closed) {
      watcher.end('closed');
    } else if (!isDrained && writer.queuedBytes > this.#options.limits.maxQueuedBytes) {
      this.#buckets.remove(watcher);
      this.#lagging.add(watcher);
      watcher.position = end;
      watcher.wake();
    }
  }

  /** Takes the next events and moves the cursor behind them. Returns the groups that have lines to write. */
  #collect(task: ScheduledTask): WatcherGroup[] {
    const dirty: WatcherGroup[] = [];
    const from = this.#cursor.through;
    let taken = 0;
    for (let event = this.#cursor.next; event !== undefined; event = event.next) {
      const visited = event;
      this.#buckets.visit(event, (group) => {
        const type = visited.typeFor(group.matcher);
        if (type === undefined) return;
        if (group.pending.push(this.#line(visited, type, group.representation)) === 1) dirty.push(group);
      });
      this.#cursor = event;
      if (++taken >= MAX_BATCH_EVENTS || event.through - from >= MAX_BATCH_BYTES || task.shouldYield()) break;
    }
    return dirty;
  }

  /** Writes what is behind the watcher's position, up to the cursor; from there on it is live. */
  async #catchUp(watcher: Watcher, task: ScheduledTask): Promise<void> {
    while (!watcher.isOver()) {
      const { position } = watcher;
      if (position === undefined || position === this.#cursor) {
        // At once: the cursor may have moved when an awaiting caller goes on.
        this.#lagging.delete(watcher);
        this.#buckets.add(watcher);
        watcher.position = undefined;
        return;
      }
      if (position.sequence > this.#cursor.sequence) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      this.#readOn(watcher, position);
      if (watcher.writer.closed) watcher.end('closed');
      else if (watcher.writer.queuedBytes > this.#options.limits.maxQueuedBytes) await watcher.drained();
      if (task.shouldYield()) await task.yield();
    }
  }

  #readOn(watcher: Watcher, position: CacheEvent): void {
    const lines: Buffer[] = [];
    let bytes = 0;
    let at = position;
    for (let looked = 0; at !== this.#cursor && bytes < READ_ON_BYTES && looked < MAX_BATCH_EVENTS; looked++) {
      const event = at.next;
      if (event === undefined) break;
      at = event;
      const type = event.typeFor(watcher.matcher);
      if (type === undefined) continue;
      const line = this.#line(event, type, watcher.representation);
      lines.push(line);
      bytes += line.length;
    }
    watcher.position = at;
    watcher.events += lines.length;
    for (const write of toWrites(lines)) watcher.writer.write(write);
  }

  #line(event: CacheEvent, type: WatchEventType, representation: Representation | undefined): Buffer {
    return representation === undefined
      ? event.line(type, this.#options.lineStarts)
      : event.representationLine(type, representation, this.#options.singleObjectOf);
  }

  /** `revision`: of one instant, however many scheduler it takes to write them. */
  async #writeBookmarks(task: ScheduledTask, revision: Revision): Promise<void> {
    this.#bookmarkIsDue = false;
    const lines = new Map<Representation | undefined, Buffer>();
    for (const { representation } of this.#buckets.groups)
      if (!lines.has(representation)) lines.set(representation, this.#options.bookmark(revision, representation));
    const groups = [...this.#buckets.groups].map((group) => ({ watchers: group.share(), line: lines.get(group.representation) }));
    for (const { watchers, line } of groups) {
      for (const watcher of watchers) {
        if (watcher.isOver()) continue;
        if (watcher.writer.closed) watcher.end('closed');
        else if (line !== undefined && watcher.bookmarks && watcher.slot >= 0) watcher.writer.write(line);
        if (task.shouldYield()) await task.yield();
      }
    }
  }

  #endSlow(): void {
    const newest = this.#cursor.through;
    for (const watcher of this.#lagging) {
      const { position } = watcher;
      if (position !== undefined && newest - position.through > this.#options.limits.maxBehindBytes) watcher.end('slow');
    }
  }

  #moved(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

function takePending(group: WatcherGroup): readonly Buffer[] {
  const lines = group.pending;
  group.pending = [];
  return toWrites(lines);
}

/** Lines packed into writes of at most 256 KB, or of one line. */
function toWrites(lines: readonly Buffer[]): readonly Buffer[] {
  if (lines.length <= 1) return lines;
  const writes: Buffer[] = [];
  let run: Buffer[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (run.length > 0 && bytes + line.length > MAX_WRITE_BYTES) {
      writes.push(Buffer.concat(run, bytes));
      run = [];
      bytes = 0;
    }
    run.push(line);
    bytes += line.length;
  }
  writes.push(Buffer.concat(run, bytes));
  return writes;
}
