/**
 * The backend on etcd. The revision of a key is its mod revision. All keys have a prefix that callers do not see.
 *
 * - A write is one transaction: compare, then put or delete, else read. It is never retried; a lost reply is `unknown`.
 * - Every call has a deadline, and waits only a few seconds for a connection.
 * - Every linearizable response is checked against the cluster id and the highest known revision (`identity.ts`).
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
import { keyText, toKey } from '../keys.ts';
import { toStorageError, writeRefusal } from './call-errors.ts';
import { Calls } from './calls.ts';
import { StoreIdentity, type Baseline } from './identity.ts';
import { alarmText, readAlarms, readMemberStatus, type Call } from './maintenance.ts';
import { createOldestRevision } from './oldest-revision.ts';
import { Cluster, DEFAULT_CALL_TIMEOUT_MS } from './members.ts';
import type { EtcdBackendOptions, EtcdClient, EtcdOperation } from './options.ts';
import { PageReader } from './pages.ts';
import { repeatLate } from './repeat-late.ts';
import { endOfLife, hasReliableProgress } from './versions.ts';
import type { OpenChannel } from './transport.ts';
import { Watch, type WatchContext, WatchScope } from './watch.ts';
import { WatchStreams } from './watch-streams.ts';
import type { Decoder, Header, RangeAnswer, RangeRequest } from './wire.ts';
import { createDecoder, encodeCompact, encodeRange, encodeTxn } from './wire.ts';

const DEFAULT_PREFIX = '/registry';
const RANGE_PATH = '/etcdserverpb.KV/Range';
const TXN_PATH = '/etcdserverpb.KV/Txn';
const COMPACT_PATH = '/etcdserverpb.KV/Compact';

/** Resolves once etcd has responded. Rejects with Unreachable or Denied and leaves nothing open. */
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

/** Imported on demand, because the etcd3 package is slow to load. */
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
  readonly #scope: WatchScope;
  readonly #watches = new Set<Watch>();
  readonly #closing = new AbortController();
  readonly #pages: PageReader;
  /** A key that is never written, to read the header. It is inside the prefix, which every user may read. */
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
    this.#scope = new WatchScope(this.#prefix);
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
    return hasReliableProgress(this.#version) ? 'progress' : 'backend';
  }

  async get(key: Key, revision: Revision = NO_REVISION): Promise<GetResult> {
    const { header, records } = await this.#range('get', { key: this.#prefix + key, ...(revision > 0 ? { revision } : {}) });
    const record = records[0];
    return { revision: revision > 0 ? revision : toRevision(header.revision), ...(record === undefined ? {} : { record }) };
  }

  async range(query: RangeQuery): Promise<RangePage> {
    if (query.start >= query.end) {
      const { revision: requested = NO_REVISION, count } = query;
      const revision = requested > 0 ? requested : await this.currentRevision();
      return { revision, records: [], more: false, ...(count === true ? { remaining: 0 } : {}) };
    }
    return this.#pages.read(query);
  }

  async commit({ key, ifRevision, value }: Write): Promise<CommitResult> {
    // etcd accepts the deletion of an absent key, without a new revision.
    if (value === null && ifRevision === NO_REVISION) {
      const { revision, record } = await this.get(key);
      return { outcome: 'mismatch', revision, ...(record === undefined ? {} : { current: record }) };
    }
    const operation = value === null ? 'delete' : ifRevision === NO_REVISION ? 'create' : 'update';
    const baseline = this.#identity.baseline();
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
      await this.#check(baseline, answer.header);
    } catch (error) {
      // The write succeeded in the new store. The watches report the replacement.
      if (!answer.succeeded) throw error;
    }
    this.#expect(revision);
    if (answer.succeeded) return { outcome: 'committed', revision };
    return { outcome: 'mismatch', revision, ...(answer.current === undefined ? {} : { current: answer.current }) };
  }

  async *watch({ from, signal }: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    const undelivered = this.#identity.takeUndelivered();
    if (undelivered !== undefined) throw undelivered;
    const end = AbortSignal.any([signal, this.#closing.signal]);
    const watch = new Watch(this.#watchContext(), from, end);
    this.#watches.add(watch);
    this.#identity.watchers++;
    try {
      yield* watch.batches();
    } finally {
      this.#watches.delete(watch);
      this.#identity.watchers--;
    }
  }

  /** A watch of the whole key space must reach every revision that etcd has reported. */
  #expect(revision: Revision): void {
    if (this.#scope.wholeKeySpace) for (const watch of this.#watches) watch.expect(revision);
  }

  async currentRevision(): Promise<Revision> {
    const { header } = await repeatLate(() => this.#range('revision', this.#probe), this.#cluster.suspectAfterMs);
    const revision = toRevision(header.revision);
    this.#expect(revision);
    if (!this.#scope.wholeKeySpace && this.freshness === 'progress') for (const watch of this.#watches) watch.requestProgress(revision);
    return revision;
  }

  async compact(upTo: Revision): Promise<void> {
    const baseline = this.#identity.baseline();
    try {
      const message = encodeCompact(upTo);
      const { header } = await this.#timed('compact', () => this.#calls.call({ path: COMPACT_PATH, message, decode: this.#decoder.range }));
      await this.#check(baseline, header);
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

  #watchProblem(): string | undefined {
    return [...this.#watches].every(({ isLive }) => isLive) ? undefined : 'the watch of etcd is not known to be alive';
  }

  async close(): Promise<void> {
    // This ends the watches. Their readers are not waited for, because they may never read again.
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
    const baseline = this.#identity.baseline();
    try {
      const call = { path: RANGE_PATH, message: encodeRange(request), allocate: memory?.take, decode: this.#decoder.range };
      const answer = await this.#timed(operation, () => this.#calls.call(call));
      await this.#check(baseline, answer.header);
      return answer;
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Throws Replaced when another store responds, and Unreachable when only this response was out of date. */
  async #check(baseline: Baseline, header: Header): Promise<void> {
    if (this.#identity.accepts(baseline, header)) return;
    // Some versions return stale linearizable reads after their process was paused (etcd-io/etcd#20418). A second read
    // avoids ending every watch for that.
    const again = this.#identity.baseline();
    const message = encodeRange(this.#probe);
    const answer = await this.#timed('revision', () => this.#calls.call({ path: RANGE_PATH, message, decode: this.#decoder.range }));
    if (!this.#identity.accepts(again, answer.header)) this.#identity.confirm(again, answer.header);
    throw new StorageError('Unreachable', 'etcd returned a stale response');
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
    this.#running++;
    try {
      const result = await call();
      failed = false;
      return result;
    } finally {
      if (--this.#running === 0) this.#idle?.();
      this.#options.metrics?.called(operation, performance.now() - started, failed);
    }
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

/** Adds a leading slash and removes trailing ones, because keys start with one. */
function normalPrefix(prefix: string): Key {
  const trimmed = prefix.replace(/^\/+|\/+$/g, '');
  return toKey(trimmed === '' ? '' : `/${trimmed}`);
}
