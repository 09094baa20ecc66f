/**
 * Registers this server's storage versions: before it accepts writes it publishes, in the StorageVersion of each
 * resource, in which version it stores objects. It then sends heartbeats. Entries of servers without heartbeats are
 * removed.
 *
 * Invariants:
 * - every entry has a key under `/servers/`, which is written first and deleted last, so that a crash leaves no entry
 *   behind permanently;
 * - everything uses compare-and-set, so servers need not know each other;
 * - a removed entry is restored after the next heartbeat.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import { isView } from '../../apis/kind-view.ts';
import type { Kind, ResourceDefinition } from '../../apis/kind.ts';
import type { Log } from '../../observability/logging.ts';
import type { Backend } from '../../storage/backend.ts';
import type { ServedKind } from '../registry.ts';
import { removeDeadServers, type RemovalOptions } from './remove-dead-servers.ts';
import { Liveness } from './liveness.ts';
import { OwnServer } from './own-server.ts';
import { ownEntries } from './own-entries.ts';
import { publish, withdraw } from './publish.ts';
import { StorageVersionObjects } from './storage-version-objects.ts';
import { removeUnreadable } from './unreadable.ts';

export interface StorageVersionsOptions {
  readonly backend: Pick<Backend, 'get' | 'commit' | 'range'>;
  /** Includes StorageVersion. */
  readonly served: readonly ServedKind[];
  /** Publishing waits for it. It may reject or never resolve. */
  readonly filled: Promise<unknown>;
  /** A DNS subdomain. */
  readonly id: string;
  readonly hostName: string;
  /** Time without heartbeats after which a server is dead. There are three heartbeats in it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
}

export interface StorageVersions {
  /** Why writes cannot be accepted now, in one clause. */
  readonly notReady: string | undefined;
  /** Resolves when the entries are first published; never, when closed before. */
  readonly published: Promise<void>;
  /** Stops heartbeats. The entries stay for a restart until they expire. Can be called twice. */
  close(): Promise<void>;
}

const HEARTBEATS_PER_TIMEOUT = 3;
const FIRST_RETRY_MS = 1000;
const NOT_PUBLISHED = 'storage versions are not published yet';

/** Starts immediately and does not throw; failures are logged and retried. */
export function openStorageVersions(options: StorageVersionsOptions): StorageVersions {
  const reporter = new Reporter(options);
  const stop = new AbortController();
  const running = reporter.run(stop.signal);
  return {
    get notReady() {
      return reporter.isPublished ? undefined : NOT_PUBLISHED;
    },
    published: reporter.published,
    async close() {
      stop.abort();
      await running;
    },
  };
}

class Reporter {
  readonly #options: StorageVersionsOptions;
  readonly #own: OwnServer;
  readonly #removal: RemovalOptions;
  readonly #refreshMs: number;
  readonly #first = Promise.withResolvers<undefined>();
  isPublished = false;
  /** Set until the entries are rewritten. */
  #isDisputed = false;

  constructor(options: StorageVersionsOptions) {
    this.#options = options;
    this.#own = new OwnServer(options);
    this.#refreshMs = options.timeoutMs / HEARTBEATS_PER_TIMEOUT;
    const liveness = new Liveness({ everyMs: this.#refreshMs, timeoutMs: options.timeoutMs });
    this.#removal = { ...options, objects: createObjects(options), liveness };
  }

  get published(): Promise<void> {
    return this.#first.promise;
  }

  /** Never rejects. Resolves soon after `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    const isStopped = () => signal.aborted;
    const filled = Promise.race([this.#options.filled, aborted(signal)]);
    filled.catch(() => undefined); // handled by the await below
    for (let failures = 0; !isStopped();) {
      let waitMs = this.#refreshMs;
      try {
        await this.#refresh();
        // After the first heartbeat, which must not wait for the cache.
        await filled;
        if (isStopped()) return;
        try {
          await this.#publish(signal);
        } finally {
          // Entries of dead servers may be why the store had no room.
          await removeDeadServers(this.#removal, this.#own.id, signal);
        }
        failures = 0;
      } catch (error) {
        if (isStopped()) return;
        log.warn('update of storage versions failed, retrying', { error });
        waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures++, this.#refreshMs);
      }
      await clock.sleep(waitMs, signal);
    }
  }

  async #refresh(): Promise<void> {
    const { id } = this.#own;
    const refreshed = await this.#own.refresh();
    if (refreshed.outcome === 'renewed') return;
    if (refreshed.outcome === 'renamed') this.#options.log.warn('another server has the same id', { id, newId: this.#own.id });
    else this.#isDisputed ||= refreshed.disputed;
    this.isPublished = false;
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { objects } = this.#removal;
    const { id } = this.#own;
    const entries = ownEntries(storedKinds(this.#options.served), id);
    if (!this.isPublished) {
      await removeUnreadable({ ...this.#options, compiled: storageVersionsOf(this.#options.served).compiled, names: entries.keys() });
      // The previous server with this id may have stored more resources.
      await withdraw(objects, id, { except: entries, signal });
    }
    await publish({ objects, entries, id, removeFirst: this.#isDisputed }, signal);
    this.#isDisputed = false;
    this.isPublished = true;
    this.#first.resolve(undefined);
  }
}

export const isStorageVersion = ({ kind }: ResourceDefinition): boolean => kind === 'StorageVersion';

const storedKinds = (served: readonly ServedKind[]): readonly Kind[] =>
  served.map(({ compiled }) => compiled.kind).filter((kind) => !isView(kind));

function storageVersionsOf(served: readonly ServedKind[]): ServedKind {
  const found = served.find(({ store }) => isStorageVersion(store.definition));
  if (found === undefined) throw new Error('the kinds do not include StorageVersion');
  return found;
}

const createObjects = ({ served, clock }: StorageVersionsOptions): StorageVersionObjects =>
  new StorageVersionObjects({ served: storageVersionsOf(served), clock });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
