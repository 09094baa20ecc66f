/** A backend between a registry and the real one: holds its watch back, loses replies, lets another writer in first. */
import type {
  Backend,
  BackendStatus,
  CommitResult,
  GetResult,
  RangePage,
  RangeQuery,
  Revision,
  WatchBatch,
  Write,
} from '../../pkg/storage/backend.ts';
import { StorageError } from '../../pkg/storage/errors.ts';
import type { Key } from '../../pkg/storage/keys.ts';

/** `lost`: done, and nobody says so. `dropped`: not done, and nobody says so. */
type Fault = 'lost' | 'dropped';

export class FaultyBackend implements Backend {
  readonly #backend: Backend;
  readonly #faults: { readonly fault: Fault | undefined; readonly first: (() => Promise<unknown>) | undefined }[] = [];
  #gate: { readonly opened: Promise<undefined>; readonly open: () => void } | undefined;
  #failingChecks = 0;
  /** Of objects. */
  commits = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The watch delivers nothing until `releaseWatch`. */
  holdWatch(): void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#gate = { opened: promise, open: () => resolve(undefined) };
  }

  releaseWatch(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** The next commit of an object has this fault. `first` runs before it. */
  failNext(fault: Fault, first?: () => Promise<unknown>): void {
    this.#faults.push({ fault, first });
  }

  /** The next commit of an object comes after `first`. */
  letFirst(first: () => Promise<unknown>): void {
    this.#faults.push({ fault: undefined, first });
  }

  /** The next `count` questions for the newest revision fail, as they do while a connection is made anew. */
  failChecks(count: number): void {
    this.#failingChecks = count;
  }

  async commit(write: Write): Promise<CommitResult> {
    // The leases of background work are renewed whenever it suits them.
    if (write.key.startsWith('/coxswain/')) return this.#backend.commit(write);
    this.commits++;
    const planned = this.#faults.shift();
    await planned?.first?.();
    if (planned?.fault === 'dropped') return { outcome: 'unknown', cause: new Error('the connection was cut') };
    const result = await this.#backend.commit(write);
    return planned?.fault === 'lost' ? { outcome: 'unknown', cause: new Error('the reply was lost') } : result;
  }

  async *watch(query: { readonly from: Revision; readonly signal: AbortSignal }): AsyncGenerator<WatchBatch> {
    const aborted = new Promise<void>((resolve) => query.signal.addEventListener('abort', () => resolve(), { once: true }));
    for await (const batch of this.#backend.watch(query)) {
      while (this.#gate !== undefined && !query.signal.aborted) await Promise.race([this.#gate.opened, aborted]);
      if (query.signal.aborted) return;
      yield batch;
    }
  }

  async currentRevision(): Promise<Revision> {
    if (this.#failingChecks > 0) {
      this.#failingChecks--;
      throw new StorageError('Unreachable', 'the connection was cut');
    }
    return this.#backend.currentRevision();
  }

  get(key: Key, revision?: Revision): Promise<GetResult> {
    return this.#backend.get(key, revision);
  }

  range(query: RangeQuery): Promise<RangePage> {
    return this.#backend.range(query);
  }

  compact(upTo: Revision): Promise<void> {
    return this.#backend.compact(upTo);
  }

  status(): Promise<BackendStatus> {
    return this.#backend.status();
  }

  /** The real one is its opener's to close. */
  async close(): Promise<void> {
    await Promise.resolve();
  }
}
