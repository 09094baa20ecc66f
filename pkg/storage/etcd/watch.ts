/**
 * The watch: a raw stream to one member, opened again from the last fully delivered revision whenever it breaks.
 *
 * It watches the whole key space, because there etcd's revisions have no gaps: whatever the stream has passed is known
 * to be complete, and a hole is an event that etcd lost. Where the user may see only the prefix it watches that, and
 * the hole check is off.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { RevisedChange, Revision, WatchBatch } from '../backend.ts';
import { type StoredRecord, toRevision } from '../backend.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
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
/** A watch that has not reached a revision this long after etcd named it may hang on a dead connection. */
const LATE_MS = 1000;
/** A progress request may be left unanswered while the watcher catches up. */
const PROGRESS_RETRY_MS = 100;

/** An etcd without a single write is at revision 1, of which no event tells. */
const EMPTY_STORE_REVISION = 1;

/** What all watches of one backend share. */
export interface WatchContext {
  readonly streams: WatchStreams;
  readonly decoder: Decoder;
  readonly identity: StoreIdentity;
  readonly clock: Clock;
  readonly log: EtcdLog;
  readonly metrics: EtcdMetrics | undefined;
  readonly callTimeoutMs: number;
  readonly scope: WatchScope;
  /** Reads the newest revision linearizably, which also finds out whether it is still the same store. */
  readonly currentRevision: () => Promise<Revision>;
  /** Reads a key as it was at a revision. Rejects with Compacted when that is gone. */
  readonly recordAt: (key: Key, revision: Revision) => Promise<StoredRecord | undefined>;
}

/** The whole key space, until etcd says that this user may see only the prefix. */
export interface WatchScope {
  readonly wholeKeySpace: boolean;
  readonly request: (startRevision: number) => WatchCreateRequest;
  /** Narrows the scope, once; the following streams watch the prefix. */
  readonly narrow: () => void;
}

/** One watch's wish to hear how far the stream is complete. */
export interface ProgressWish {
  wantProgress(revision: number): void;
}

export class Watch implements ProgressWish {
  readonly #context: WatchContext;
  readonly #signal: AbortSignal;
  readonly #epoch: AbortSignal;
  /** Everything up to here has been delivered, whole. */
  #delivered: number;
  /** Of what was delivered. */
  #probe: IdentityProbe | undefined;
  #wanted = 0;
  #asking = false;
  #isExpecting = false;
  #isOpen = false;
  #stream: AnswerStream | undefined;
  /** Since a stream last ran. */
  #failures = 0;
  /** Whether the stream that runs sees the whole key space. */
  #whole = true;

  constructor(context: WatchContext, from: Revision, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#epoch = context.identity.epoch;
    this.#delivered = Math.max(from, EMPTY_STORE_REVISION);
  }

  /** Ends when the signal aborts. Throws Compacted, Replaced or Denied; reconnects after everything else. */
  async *batches(): AsyncGenerator<WatchBatch> {
    const { log, metrics, clock } = this.#context;
    while (!this.#signal.aborted) {
      try {
        yield* this.#oneStream();
        if (this.#over()) return;
      } catch (error) {
        if (this.#over()) return;
        if (error instanceof StorageError && error.code !== 'Unreachable') throw error;
        if (this.#failures++ === 0)
          log.warn('the watch of etcd broke and is opened again', { from: this.#delivered, cause: causeText(error) });
        metrics?.watchReopened();
        if (isMemberFailure(error)) this.#context.streams.failed();
        if (needsNewToken(error)) this.#context.streams.forgetToken();
      }
      await clock.sleep(Math.min(BACKOFF_MS.first * 2 ** this.#failures, BACKOFF_MS.max), this.#signal);
    }
  }

  /** True while etcd is known to send what happens. */
  get isLive(): boolean {
    return this.#isOpen && !this.#context.streams.isSuspected;
  }

  /** etcd is at `revision`, of which a watch of the whole key space must hear soon. */
  expect(revision: number): void {
    if (this.#isExpecting || !this.#isOpen || revision <= this.#delivered) return;
    void this.#suspectUntil(() => !this.#isOpen || revision <= this.#delivered);
  }

  /** Has the member tested for as long as it is late. */
  async #suspectUntil(isSettled: () => boolean): Promise<void> {
    this.#isExpecting = true;
    for (;;) {
      await this.#context.clock.sleep(LATE_MS, this.#signal);
      if (this.#signal.aborted || isSettled()) break;
      this.#context.streams.suspect();
    }
    this.#isExpecting = false;
  }

  /**
   * Asks until the stream is known to be complete up to `revision`. Only for an etcd that answers progress requests
   * rightly.
   */
  wantProgress(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
    if (!this.#asking && this.#wanted > this.#delivered) void this.#askForProgress();
  }

  async #askForProgress(): Promise<void> {
    this.#asking = true;
    while (this.#wanted > this.#delivered && !this.#signal.aborted) {
      this.#stream?.send(encodeWatchProgress());
      await this.#context.clock.sleep(PROGRESS_RETRY_MS, this.#signal);
    }
    this.#asking = false;
  }

  /** Throws Replaced when another store answers. */
  #over(): boolean {
    if (this.#signal.aborted) return true;
    if (this.#epoch.aborted) throw toReplaced(this.#epoch.reason);
    return false;
  }

  async *#oneStream(): AsyncGenerator<WatchBatch> {
    const { streams, decoder, scope, currentRevision } = this.#context;
    // Before anything is believed that the stream says: a restored etcd would have us wait for revisions that it counts
    // again.
    await unlessAborted(currentRevision(), this.#signal);
    if (this.#over()) return;
    await unlessAborted(this.#checkHistory(), this.#signal);
    if (this.#over()) return;
    const stream = await unlessAborted(streams.open(decoder.watch), this.#signal, (late) => late.cancel());
    if (stream === undefined) return;
    const cancel = (): void => stream.cancel();
    this.#signal.addEventListener('abort', cancel, { once: true });
    this.#epoch.addEventListener('abort', cancel, { once: true });
    const opened = new AbortController();
    try {
      if (this.#over()) return;
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

  /**
   * A store that was restored from a backup counts the same revisions again, and may have come past those that were
   * delivered before it is met. Throws Replaced. What was compacted since cannot be told apart.
   */
  async #checkHistory(): Promise<void> {
    const probe = this.#probe;
    if (probe === undefined) return;
    const { identity, recordAt } = this.#context;
    try {
      const record = await recordAt(probe.key, probe.revision);
      if (!probe.is(record)) identity.contradict(this.#epoch, `it does not know what it wrote at revision ${probe.revision}`);
    } catch (error) {
      if (!isStorageError(error, 'Compacted')) throw error;
    }
  }

  /**
   * A member that has stopped takes connections, and says nothing: it is tested long before the time for an answer is
   * over.
   */
  async #cancelUnlessOpened(stream: AnswerStream, opened: AbortSignal): Promise<void> {
    const { clock, callTimeoutMs, streams } = this.#context;
    for (let waitedMs = 0; waitedMs < callTimeoutMs; waitedMs += LATE_MS) {
      if (waitedMs > 0) streams.suspect();
      await clock.sleep(Math.min(LATE_MS, callTimeoutMs - waitedMs), opened);
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
        if (!opened.signal.aborted && !this.#over()) throw new StorageError('Unreachable', 'etcd did not open the watch in time');
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
          identity.watched(this.#epoch);
          if (this.#failures > 0) log.info('the watch of etcd runs again', { from: this.#delivered });
          this.#failures = 0;
        } else if (answer.fragment) {
          fragments.push(...answer.events);
        } else if (fragments.length > 0 || answer.events.length > 0) {
          this.#deliver([...fragments, ...answer.events], changes);
          fragments = [];
        } else {
          this.#progress(answer.header.revision);
        }
      }
      identity.heard(this.#epoch, this.#delivered);
      this.#probe = IdentityProbe.of(changes) ?? this.#probe;
      if (this.#delivered > before) yield { revision: toRevision(this.#delivered), changes };
      // Only now: what arrived together with it counts as delivered.
      if (last !== undefined) {
        this.#canceled(last);
        return;
      }
    }
  }

  /** Returns when another stream is to be opened at once, with nothing to be said of it. */
  #canceled(answer: WatchAnswer): void {
    if (this.#narrowed(answer)) return;
    // A member drops a token that only others are asked with, and says so here instead of refusing the stream.
    if (/invalid auth token|revision of auth store is old/.test(answer.cancelReason)) this.#context.streams.forgetToken();
    throw cancellation(answer);
  }

  /** Adds whole revisions to `changes` and moves the resume point behind them. */
  #deliver(events: readonly WatchEvent[], changes: RevisedChange[]): void {
    let at = this.#delivered;
    let keysAt = new Set<string>();
    for (const { revision, key, record } of events) {
      // etcd 3.4 is known to repeat events and to go back in time after a snapshot.
      if (revision <= this.#delivered || revision < at) continue;
      if (revision > at) {
        if (this.#whole && revision !== at + 1) this.#lost(at, revision);
        at = revision;
        keysAt = new Set();
      }
      if (key === undefined || keysAt.has(key)) continue;
      keysAt.add(key);
      changes.push({ key, revision: toRevision(revision), ...(record === undefined ? {} : { record }) });
    }
    this.#delivered = at;
  }

  #progress(revision: number): void {
    if (revision <= this.#delivered) return;
    if (this.#whole) this.#lost(this.#delivered, revision + 1);
    this.#delivered = revision;
  }

  #lost(last: number, next: number): never {
    this.#context.metrics?.eventLost();
    this.#context.log.error('etcd lost an event of a watch: everything is read anew', { after: last, before: next });
    throw new StorageError('Compacted', `etcd lost the events after revision ${last} and before ${next}`);
  }

  /** True when this cancellation only says that the user may not see the whole key space. */
  #narrowed({ cancelReason }: WatchAnswer): boolean {
    const { scope, log } = this.#context;
    if (!this.#whole || !/permission ?denied/i.test(cancelReason)) return false;
    // Another watch may have learned it first.
    if (!scope.wholeKeySpace) return true;
    scope.narrow();
    log.warn('etcd lets this user see only the prefix: lost events cannot be noticed, and consistent reads cost more');
    return true;
  }
}

/** Undefined as soon as `signal` aborts; what `promise` then still gives goes to `late`. */
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
