/**
 * A watch: a stream to one member, reopened from the last fully delivered revision when it fails.
 *
 * It watches the whole key space, where etcd's revisions have no gaps: a gap is an event that etcd lost. If the user
 * may read only the prefix, it watches that, without the gap check.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { RevisedChange, Revision, WatchBatch } from '../backend.ts';
import { type StoredRecord, toRevision } from '../backend.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { type Key, prefixEnd } from '../keys.ts';
import type { AnswerStream } from './answer-stream.ts';
import { isMemberFailure, needsNewToken, toStorageError } from './call-errors.ts';
import { GrpcError, UnprocessedError } from './grpc/status.ts';
import type { StoreIdentity } from './identity.ts';
import { toReplaced } from './identity.ts';
import { IdentityProbe } from './identity-probe.ts';
import type { EtcdLog, EtcdMetrics } from './options.ts';
import type { WatchStreams } from './watch-streams.ts';
import type { Decoder, WatchAnswer, WatchEvent, WatchCreateRequest } from './wire.ts';
import { encodeWatchCreate, encodeWatchProgress } from './wire.ts';

const BACKOFF_MS = { first: 20, max: 1000 };
/** A watch that is this far behind the revision of etcd may hang on a dead connection. */
const SUSPECT_AFTER_MS = 1000;
/** etcd may ignore a progress request while the watcher catches up. */
const PROGRESS_RETRY_MS = 100;

/** The revision of an empty etcd, for which there is no event. */
const EMPTY_STORE_REVISION = 1;

/** Shared by all watches of a backend. */
export interface WatchContext {
  readonly streams: WatchStreams;
  readonly decoder: Decoder;
  readonly identity: StoreIdentity;
  readonly clock: Clock;
  readonly log: EtcdLog;
  readonly metrics: EtcdMetrics | undefined;
  readonly callTimeoutMs: number;
  readonly scope: WatchScope;
  /** A linearizable read, which also checks the identity of the store. */
  readonly currentRevision: () => Promise<Revision>;
  /** Reads a key at a revision. Rejects with Compacted. */
  readonly recordAt: (key: Key, revision: Revision) => Promise<StoredRecord | undefined>;
}

/** The whole key space, until etcd denies it to this user; then the prefix. */
export class WatchScope {
  readonly #prefix: Key;
  wholeKeySpace = true;

  constructor(prefix: Key) {
    this.#prefix = prefix;
  }

  request(startRevision: number): WatchCreateRequest {
    // In etcd this range means all keys.
    if (this.wholeKeySpace) return { key: '\0', end: '\0', startRevision };
    const start = `${this.#prefix}/` as Key;
    return { key: start, end: prefixEnd(start), startRevision };
  }
}

export class Watch {
  readonly #context: WatchContext;
  readonly #signal: AbortSignal;
  readonly #epoch: AbortSignal;
  /** All revisions up to this one were delivered completely. */
  #delivered: number;
  /** The last delivered value. */
  #probe: IdentityProbe | undefined;
  /** The revision that progress was requested for. */
  #wanted = 0;
  #isRequesting = false;
  #isExpecting = false;
  #isOpen = false;
  #stream: AnswerStream | undefined;
  /** Failed attempts since a stream last worked. */
  #failures = 0;
  /** The current stream watches the whole key space. */
  #whole = true;

  constructor(context: WatchContext, from: Revision, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#epoch = context.identity.epoch;
    this.#delivered = Math.max(from, EMPTY_STORE_REVISION);
  }

  /** Ends when the signal aborts. Throws Compacted, Replaced or Denied, and reconnects after other errors. */
  async *batches(): AsyncGenerator<WatchBatch> {
    const { log, metrics, clock } = this.#context;
    while (!this.#signal.aborted) {
      try {
        yield* this.#oneStream();
        if (this.#isDone()) return;
      } catch (error) {
        if (this.#isDone()) return;
        if (error instanceof StorageError && error.code !== 'Unreachable') throw error;
        if (this.#failures++ === 0)
          log.warn('the watch of etcd failed and is reopened', { from: this.#delivered, cause: causeText(error) });
        metrics?.watchReopened();
        if (isMemberFailure(error)) this.#context.streams.failed();
        if (needsNewToken(error)) this.#context.streams.invalidateToken();
      }
      await clock.sleep(Math.min(BACKOFF_MS.first * 2 ** this.#failures, BACKOFF_MS.max), this.#signal);
    }
  }

  /** True while the stream is open and its member not suspected. */
  get isLive(): boolean {
    return this.#isOpen && !this.#context.streams.isSuspected;
  }

  /** Suspects the member when this watch of the whole key space does not reach `revision` soon. */
  expect(revision: number): void {
    if (this.#isExpecting || !this.#isOpen || revision <= this.#delivered) return;
    void this.#suspectUntil(() => !this.#isOpen || revision <= this.#delivered);
  }

  async #suspectUntil(isSettled: () => boolean): Promise<void> {
    this.#isExpecting = true;
    for (;;) {
      await this.#context.clock.sleep(SUSPECT_AFTER_MS, this.#signal);
      if (this.#signal.aborted || isSettled()) break;
      this.#context.streams.suspect();
    }
    this.#isExpecting = false;
  }

  /** Requests progress until the stream is complete up to `revision`. Needs `hasReliableProgress`. */
  requestProgress(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
    if (!this.#isRequesting && this.#wanted > this.#delivered) void this.#sendProgressRequests();
  }

  async #sendProgressRequests(): Promise<void> {
    this.#isRequesting = true;
    while (this.#wanted > this.#delivered && !this.#signal.aborted) {
      this.#stream?.send(encodeWatchProgress());
      await this.#context.clock.sleep(PROGRESS_RETRY_MS, this.#signal);
    }
    this.#isRequesting = false;
  }

  /** Throws Replaced when another store responds. */
  #isDone(): boolean {
    if (this.#signal.aborted) return true;
    if (this.#epoch.aborted) throw toReplaced(this.#epoch.reason);
    return false;
  }

  async *#oneStream(): AsyncGenerator<WatchBatch> {
    const { streams, decoder, scope, currentRevision } = this.#context;
    // Checks the identity first: a restored etcd would send nothing until it reaches the delivered revision again.
    await unlessAborted(currentRevision(), this.#signal);
    if (this.#isDone()) return;
    await unlessAborted(this.#checkHistory(), this.#signal);
    if (this.#isDone()) return;
    const stream = await unlessAborted(streams.open(decoder.watch), this.#signal, (late) => late.cancel());
    if (stream === undefined) return;
    const cancel = (): void => stream.cancel();
    this.#signal.addEventListener('abort', cancel, { once: true });
    this.#epoch.addEventListener('abort', cancel, { once: true });
    const opened = new AbortController();
    try {
      if (this.#isDone()) return;
      this.#stream = stream;
      this.#whole = scope.wholeKeySpace;
      stream.send(encodeWatchCreate(scope.request(this.#delivered + 1)));
      void this.#cancelUnlessOpened(stream, opened.signal);
      yield* this.#batchesOf(stream, opened);
    } finally {
      this.#isOpen = false;
      this.#stream = undefined;
      opened.abort();
      this.#signal.removeEventListener('abort', cancel);
      this.#epoch.removeEventListener('abort', cancel);
      stream.cancel();
    }
  }

  /** Throws Replaced when a restored store has passed the delivered revision again, unless that was compacted. */
  async #checkHistory(): Promise<void> {
    const probe = this.#probe;
    if (probe === undefined) return;
    const { identity, recordAt } = this.#context;
    try {
      const record = await recordAt(probe.key, probe.revision);
      if (!probe.matches(record)) identity.historyDiffers(this.#epoch, `its history differs at revision ${probe.revision}`);
    } catch (error) {
      if (!isStorageError(error, 'Compacted')) throw error;
    }
  }

  /** A stopped member accepts connections but does not respond, so it is tested long before the timeout. */
  async #cancelUnlessOpened(stream: AnswerStream, opened: AbortSignal): Promise<void> {
    const { clock, callTimeoutMs, streams } = this.#context;
    for (let waitedMs = 0; waitedMs < callTimeoutMs; waitedMs += SUSPECT_AFTER_MS) {
      if (waitedMs > 0) streams.suspect();
      await clock.sleep(Math.min(SUSPECT_AFTER_MS, callTimeoutMs - waitedMs), opened);
      if (opened.aborted) return;
    }
    stream.cancel();
  }

  async *#batchesOf(stream: AnswerStream, opened: AbortController): AsyncGenerator<WatchBatch> {
    const { identity, log } = this.#context;
    let fragments: WatchEvent[] = [];
    for (;;) {
      const answers = await stream.take();
      if (answers === undefined) {
        if (!opened.signal.aborted && !this.#isDone()) throw new StorageError('Unreachable', 'etcd did not open the watch in time');
        return;
      }
      const changes: RevisedChange[] = [];
      const before = this.#delivered;
      let last: WatchAnswer | undefined;
      for (const answer of answers) {
        identity.checkCluster(answer.header.clusterId);
        if (answer.canceled) {
          last = answer;
          break;
        }
        if (answer.created) {
          opened.abort();
          this.#isOpen = true;
          identity.watchStarted(this.#epoch);
          if (this.#failures > 0) log.info('the watch of etcd works again', { from: this.#delivered });
          this.#failures = 0;
        } else if (answer.fragment) {
          fragments.push(...answer.events);
        } else if (fragments.length > 0 || answer.events.length > 0) {
          this.#deliver([...fragments, ...answer.events], changes);
          fragments = [];
        } else {
          this.#onProgress(answer.header.revision);
        }
      }
      identity.delivered(this.#epoch, this.#delivered);
      this.#probe = IdentityProbe.of(changes) ?? this.#probe;
      if (this.#delivered > before) yield { revision: toRevision(this.#delivered), changes };
      // Handled last, after the events that arrived before it.
      if (last !== undefined) {
        this.#onCanceled(last);
        return;
      }
    }
  }

  /** Returns if the stream should be reopened immediately; throws otherwise. */
  #onCanceled(answer: WatchAnswer): void {
    if (this.#tryNarrowScope(answer)) return;
    // Members track tokens separately. An unknown token cancels the watch instead of failing the stream.
    if (/invalid auth token|revision of auth store is old/.test(answer.cancelReason)) this.#context.streams.invalidateToken();
    throw cancellation(answer);
  }

  /** Adds whole revisions to `changes` and advances the resume point. */
  #deliver(events: readonly WatchEvent[], changes: RevisedChange[]): void {
    let at = this.#delivered;
    let keysAt = new Set<string>();
    for (const { revision, key, record } of events) {
      // etcd 3.4 repeats events, and goes back in time after a snapshot.
      if (revision <= this.#delivered || revision < at) continue;
      if (revision > at) {
        if (this.#whole && revision !== at + 1) this.#throwEventLost(at, revision);
        at = revision;
        keysAt = new Set();
      }
      if (key === undefined || keysAt.has(key)) continue;
      keysAt.add(key);
      changes.push({ key, revision: toRevision(revision), ...(record === undefined ? {} : { record }) });
    }
    this.#delivered = at;
  }

  #onProgress(revision: number): void {
    if (revision <= this.#delivered) return;
    if (this.#whole) this.#throwEventLost(this.#delivered, revision + 1);
    this.#delivered = revision;
  }

  #throwEventLost(last: number, next: number): never {
    this.#context.metrics?.eventLost();
    this.#context.log.error('etcd lost an event of a watch: everything is read again', { after: last, before: next });
    throw new StorageError('Compacted', `etcd lost the events after revision ${last} and before ${next}`);
  }

  /** Narrows the scope when the user may not read the whole key space. False for any other reason of a cancellation. */
  #tryNarrowScope({ cancelReason }: WatchAnswer): boolean {
    const { scope, log } = this.#context;
    if (!this.#whole || !/permission ?denied/i.test(cancelReason)) return false;
    // Another watch may have narrowed the scope already.
    if (!scope.wholeKeySpace) return true;
    scope.wholeKeySpace = false;
    log.warn('etcd lets this user read only the prefix: lost events cannot be detected, and consistent reads cost more');
    return true;
  }
}

/** Resolves with undefined when `signal` aborts; a later result is passed to `late`. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, late?: (value: T) => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => resolve(undefined);
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener('abort', aborted);
        if (signal.aborted) late?.(value);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', aborted);
        reject(error instanceof Error ? error : new Error('the call failed', { cause: error }));
      },
    );
  });
}

function cancellation({ compactRevision, cancelReason }: WatchAnswer): StorageError {
  if (compactRevision > 0) return new StorageError('Compacted', `the history before revision ${compactRevision} has been compacted`);
  if (/permission ?denied/i.test(cancelReason)) return new StorageError('Denied', 'etcd does not let this user watch the prefix');
  return new StorageError('Unreachable', `etcd ended the watch: ${cancelReason}`);
}

function causeText(error: unknown): string {
  if (error instanceof GrpcError) return error.details;
  return error instanceof UnprocessedError ? error.message : toStorageError(error).message;
}
