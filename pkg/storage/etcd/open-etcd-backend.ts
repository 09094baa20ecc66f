/**
 * The backend on etcd. A key's revision is its mod revision; every key lies under a prefix that callers never see.
 *
 * - One transaction per write: compare, put or delete, else read; never sent a second time. A lost reply is `unknown`.
 * - Every call has a deadline; nothing waits for a connection for longer than a few seconds.
 * - Every linearizable answer is held against the cluster id and the highest revision known when it was asked for
 *   (`identity.ts`).
 *
 * It leaves expiry, leader election and the settling of unknown outcomes to its callers.
 */
import type {
  Backend,
  BackendStatus,
  CommitResult,
  Freshness,
  GetResult,
  RangePage,
  RangeQuery,
  Revision,
  WatchBatch,
  Write,
} from '../backend.ts';
import { NO_REVISION, toRevision } from '../backend.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Key } from '../keys.ts';
import type { PageMemory } from '../page-pool.ts';
import { keyText, prefixEnd, toKey } from '../keys.ts';
import { toStorageError, writeRefusal } from './call-errors.ts';
import { Calls } from './calls.ts';
import { StoreIdentity, type Known } from './identity.ts';
import { alarmText, readAlarms, readMemberStatus, type Call } from './maintenance.ts';
import { createOldestRevision } from './oldest-revision.ts';
import { Cluster, DEFAULT_CALL_TIMEOUT_MS } from './members.ts';
import type { EtcdBackendOptions, EtcdClient, EtcdOperation } from './options.ts';
import { PageReader } from './pages.ts';
import { answersProgressRightly, endOfLife } from './versions.ts';
import type { OpenChannel } from './transport.ts';
import type { WatchContext, WatchScope } from './watch.ts';
import { Watch } from './watch.ts';
import { WatchStreams } from './watch-streams.ts';
import type { Decoder, Header, RangeAnswer, RangeRequest } from './wire.ts';
import { createDecoder, encodeCompact, encodeRange, encodeTxn } from './wire.ts';

const DEFAULT_PREFIX = '/registry';
const RANGE_PATH = '/etcdserverpb.KV/Range';
const TXN_PATH = '/etcdserverpb.KV/Txn';
const COMPACT_PATH = '/etcdserverpb.KV/Compact';

/** Resolves once etcd has answered. Rejects with Unreachable or Denied, leaving nothing open. */
export async function openEtcdBackend(options: EtcdBackendOptions): Promise<Backend> {
  const backend = new EtcdBackend(options, new Cluster(options, await openChannelOf(options.client ?? 'native')));
  try {
    await backend.start();
    return backend;
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** The etcd3 package takes a while to load, so it is imported when it is asked for. */
const openChannelOf = async (client: EtcdClient): Promise<OpenChannel> =>
  client === 'etcd3' ? (await import('./etcd3-channel.ts')).openEtcd3Channel : (await import('./grpc/channel.ts')).openNativeChannel;

class EtcdBackend implements Backend {
  readonly #options: EtcdBackendOptions;
  readonly #cluster: Cluster;
  readonly #calls: Calls;
  readonly #streams: WatchStreams;
  readonly #prefix: Key;
  readonly #decoder: Decoder;
  readonly #identity: StoreIdentity;
  readonly #scope: Scope;
  readonly #watches = new Set<Watch>();
  readonly #closing = new AbortController();
  readonly #pages: PageReader;
  /**
   * A key that nobody writes: what counts is the header. It lies under the prefix, which every user of ours may read.
   */
  readonly #probe: RangeRequest;
  readonly #maintenance: Call;
  readonly #oldestRevision: (current: number) => Promise<number>;
  #version = '';
  #running = 0;
  #idle: (() => void) | undefined;

  constructor(options: EtcdBackendOptions, cluster: Cluster) {
    const calls = new Calls(options, cluster);
    this.#options = options;
    this.#cluster = cluster;
    this.#calls = calls;
    this.#streams = new WatchStreams(cluster, calls.login);
    this.#prefix = normalPrefix(options.prefix ?? DEFAULT_PREFIX);
    this.#probe = { key: `${this.#prefix}/`, keysOnly: true };
    this.#decoder = createDecoder(this.#prefix);
    this.#identity = new StoreIdentity(options.log);
    this.#scope = new Scope(this.#prefix);
    this.#pages = new PageReader((start, end, limit, revision, memory) =>
      this.#range('list', { key: this.#prefix + start, end: this.#prefix + end, limit, ...(revision > 0 ? { revision } : {}) }, memory),
    );
    this.#maintenance = (call) => this.#timed('status', () => calls.call(call));
    this.#oldestRevision = createOldestRevision((revision) => this.#isReadable(revision));
  }

  async start(): Promise<void> {
    const revision = await this.currentRevision();
    this.#version = (await readMemberStatus(this.#maintenance)).version;
    const { log, servers } = this.#options;
    log.info('etcd is connected', {
      servers,
      prefix: keyText(this.#prefix),
      version: this.#version,
      clusterId: this.#identity.clusterId,
      revision,
    });
    const ended = endOfLife(this.#version);
    if (ended !== undefined) log.warn(`${ended}: upgrade it`);
  }

  get freshness(): Freshness {
    if (this.#scope.wholeKeySpace) return 'whole-key-space';
    return answersProgressRightly(this.#version) ? 'progress' : 'backend';
  }

  async get(key: Key, revision: Revision = NO_REVISION): Promise<GetResult> {
    const { header, records } = await this.#range('get', { key: this.#prefix + key, ...(revision > 0 ? { revision } : {}) });
    const record = records[0];
    return { revision: revision > 0 ? revision : toRevision(header.revision), ...(record === undefined ? {} : { record }) };
  }

  async range(query: RangeQuery): Promise<RangePage> {
    if (query.start >= query.end) {
      const { revision: asked = NO_REVISION, count } = query;
      const revision = asked > 0 ? asked : await this.currentRevision();
      return { revision, records: [], more: false, ...(count === true ? { remaining: 0 } : {}) };
    }
    return this.#pages.read(query);
  }

  async commit({ key, ifRevision, value }: Write): Promise<CommitResult> {
    // etcd would take the deletion of what is absent and count no revision for it.
    if (value === null && ifRevision === NO_REVISION) {
      const { revision, record } = await this.get(key);
      return { outcome: 'mismatch', revision, ...(record === undefined ? {} : { current: record }) };
    }
    const operation = value === null ? 'delete' : ifRevision === NO_REVISION ? 'create' : 'update';
    const known = this.#identity.known();
    const message = encodeTxn({ key: this.#prefix + key, ifRevision, value });
    let answer;
    try {
      answer = await this.#timed(operation, () => this.#calls.call({ path: TXN_PATH, message, decode: this.#decoder.txn }));
    } catch (error) {
      const refusal = writeRefusal(error);
      if (refusal !== undefined) throw refusal;
      return { outcome: 'unknown', cause: error instanceof Error ? error : new Error('the call to etcd failed', { cause: error }) };
    }
    const revision = toRevision(answer.header.revision);
    try {
      await this.#check(known, answer.header);
    } catch (error) {
      // It is written all the same, in the store that answers now; the watches tell of the replacement.
      if (!answer.succeeded) throw error;
    }
    this.#expect(revision);
    if (answer.succeeded) return { outcome: 'committed', revision };
    return { outcome: 'mismatch', revision, ...(answer.current === undefined ? {} : { current: answer.current }) };
  }

  async *watch({ from, signal }: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    const untold = this.#identity.takeUntold();
    if (untold !== undefined) throw untold;
    const over = AbortSignal.any([signal, this.#closing.signal]);
    const watch = new Watch(this.#watchContext(), from, over);
    this.#watches.add(watch);
    this.#identity.watchers++;
    try {
      yield* watch.batches();
    } finally {
      this.#watches.delete(watch);
      this.#identity.watchers--;
    }
  }

  /** Where the watches see the whole key space, they must hear of a revision that etcd has named. */
  #expect(revision: Revision): void {
    if (this.#scope.wholeKeySpace) for (const watch of this.#watches) watch.expect(revision);
  }

  async currentRevision(): Promise<Revision> {
    const { header } = await this.#range('revision', this.#probe);
    const revision = toRevision(header.revision);
    this.#expect(revision);
    if (!this.#scope.wholeKeySpace && this.freshness === 'progress') for (const watch of this.#watches) watch.wantProgress(revision);
    return revision;
  }

  async compact(upTo: Revision): Promise<void> {
    const known = this.#identity.known();
    try {
      const message = encodeCompact(upTo);
      const { header } = await this.#timed('compact', () =>
        this.#calls.call({ path: COMPACT_PATH, message, decode: this.#decoder.compact }),
      );
      await this.#check(known, header);
    } catch (error) {
      const failure = toStorageError(error);
      if (failure.code !== 'Compacted') throw failure;
    }
  }

  async status(): Promise<BackendStatus> {
    const revision = await this.currentRevision();
    const [member, alarms, oldest] = await Promise.all([
      readMemberStatus(this.#maintenance),
      readAlarms(this.#maintenance),
      this.#oldestRevision(revision),
    ]);
    this.#version = member.version;
    const ended = endOfLife(member.version);
    const notReady = this.#identity.notReady ?? alarmText(alarms) ?? this.#watchProblem();
    return {
      kind: 'etcd',
      version: member.version,
      ...(ended === undefined ? {} : { endOfLife: ended }),
      bytes: member.bytes,
      alarms,
      oldestRevision: toRevision(oldest),
      clusterId: this.#identity.clusterId,
      ...(notReady === undefined ? {} : { notReady }),
    };
  }

  /** A watch is ready while etcd is known to send it what happens. */
  #watchProblem(): string | undefined {
    return [...this.#watches].every(({ isLive }) => isLive) ? undefined : 'the watch of etcd is not known to be alive';
  }

  async close(): Promise<void> {
    // Watches cancel their streams by this themselves; a reader that has left one half read is not waited for.
    this.#closing.abort();
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        const others = this.#idle;
        this.#idle = () => {
          others?.();
          resolve();
        };
      });
    }
    this.#cluster.close();
  }

  async #range(operation: EtcdOperation, request: RangeRequest, memory?: PageMemory): Promise<RangeAnswer> {
    const known = this.#identity.known();
    try {
      const call = { path: RANGE_PATH, message: encodeRange(request), allocate: memory?.take, decode: this.#decoder.range };
      const answer = await this.#timed(operation, () => this.#calls.call(call));
      await this.#check(known, answer.header);
      return answer;
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Throws Replaced when another store answers, and Unreachable when only this answer was out of date. */
  async #check(known: Known, header: Header): Promise<void> {
    if (this.#identity.accepts(known, header)) return;
    // Some versions answer linearizable reads from the past after their process was held still (etcd-io/etcd#20418).
    // Ask again before every watch is ended for it.
    const again = this.#identity.known();
    const message = encodeRange(this.#probe);
    const answer = await this.#timed('revision', () => this.#calls.call({ path: RANGE_PATH, message, decode: this.#decoder.range }));
    if (!this.#identity.accepts(again, answer.header)) this.#identity.confirm(again, answer.header);
    throw new StorageError('Unreachable', 'etcd answered from the past');
  }

  async #isReadable(revision: number): Promise<boolean> {
    try {
      await this.#range('status', { ...this.#probe, revision });
      return true;
    } catch (error) {
      if (isStorageError(error, 'Compacted')) return false;
      throw error;
    }
  }

  async #timed<T>(operation: EtcdOperation, call: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw new StorageError('Closed', 'the etcd backend is closed');
    const started = performance.now();
    let failed = true;
    this.#enter();
    try {
      const result = await call();
      failed = false;
      return result;
    } finally {
      this.#leave();
      this.#options.metrics?.called(operation, performance.now() - started, failed);
    }
  }

  #enter(): void {
    this.#running++;
  }

  #leave(): void {
    if (--this.#running === 0) this.#idle?.();
  }

  #watchContext(): WatchContext {
    const { clock, log, metrics, callTimeoutMs } = this.#options;
    return {
      streams: this.#streams,
      decoder: this.#decoder,
      identity: this.#identity,
      clock,
      log,
      metrics,
      callTimeoutMs: callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
      scope: this.#scope,
      currentRevision: () => this.currentRevision(),
      recordAt: async (key, revision) => (await this.get(key, revision)).record,
    };
  }
}

class Scope implements WatchScope {
  readonly #prefix: Key;
  #whole = true;

  constructor(prefix: Key) {
    this.#prefix = prefix;
  }

  get wholeKeySpace(): boolean {
    return this.#whole;
  }

  request(startRevision: number) {
    // etcd's way to say "all keys": from the zero byte to the zero byte.
    if (this.#whole) return { key: '\0', end: '\0', startRevision };
    const start = `${this.#prefix}/` as Key;
    return { key: start, end: prefixEnd(start), startRevision };
  }

  narrow(): void {
    this.#whole = false;
  }
}

/** With a leading slash and none at the end: keys bring their own. */
function normalPrefix(prefix: string): Key {
  const trimmed = prefix.replace(/^\/+|\/+$/g, '');
  return toKey(trimmed === '' ? '' : `/${trimmed}`);
}
