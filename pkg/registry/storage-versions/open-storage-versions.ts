/**
 * The server's own use of a kind: it says in the StorageVersion of each resource in which version it stores the
 * objects, before it takes writes, and gives signs of life for as long as it does. Entries of servers that give none
 * any more are removed.
 *
 * Invariants:
 * - an entry is never without a key under `/servers/`: the key comes first and goes last, so that no crash leaves an
 *   entry behind for good;
 * - all is compare-and-set, so servers over one store need not know of each other;
 * - an entry that somebody took away is back after the next sign of life.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import { isView } from '../../apis/kind-view.ts';
import type { Kind, ResourceDefinition } from '../../apis/kind.ts';
import type { Log } from '../../observability/logging.ts';
import type { Backend } from '../../storage/backend.ts';
import type { ServedKind } from '../registry.ts';
import { collectGone, type CollectOptions } from './collect-gone.ts';
import { Liveness } from './liveness.ts';
import { OwnServer } from './own-server.ts';
import { ownEntries } from './own-entries.ts';
import { publish, withdraw } from './publish.ts';
import { StorageVersionObjects } from './storage-version-objects.ts';
import { removeUnreadable } from './unreadable.ts';

export interface StorageVersionsOptions {
  readonly backend: Pick<Backend, 'get' | 'commit' | 'range'>;
  /** The StorageVersion itself is among them. */
  readonly served: readonly ServedKind[];
  /** Nothing is published before it resolves. Rejects, or never resolves, when that never is. */
  readonly filled: Promise<unknown>;
  /** A DNS subdomain. */
  readonly id: string;
  readonly hostName: string;
  /** A server is gone when it gave no sign of life for so long. It gives three in that time. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicNow: () => number;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
}

export interface StorageVersions {
  /** One clause that says why no writes must be taken now. */
  readonly notReady: string | undefined;
  /** Resolves when the entries are in for the first time; never, when it is closed before. */
  readonly published: Promise<void>;
  /** The sign of life ends; the entries stay for a restart, and go with their time. May be called twice. */
  close(): Promise<void>;
}

const SIGNS_PER_TIMEOUT = 3;
const FIRST_RETRY_MS = 1000;
const NOT_PUBLISHED = 'storage versions are not published yet';

/** Starts at once and does not throw: what fails is logged and tried again. */
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
  readonly #collecting: CollectOptions;
  readonly #refreshMs: number;
  readonly #first = Promise.withResolvers<undefined>();
  isPublished = false;
  /** Set until the entries have been written anew. */
  #isDisputed = false;

  constructor(options: StorageVersionsOptions) {
    this.#options = options;
    this.#own = new OwnServer(options);
    this.#refreshMs = options.timeoutMs / SIGNS_PER_TIMEOUT;
    const liveness = new Liveness({ everyMs: this.#refreshMs, timeoutMs: options.timeoutMs });
    this.#collecting = { ...options, objects: createObjects(options), liveness };
  }

  get published(): Promise<void> {
    return this.#first.promise;
  }

  /** Never rejects. Ends soon after `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    const isStopped = () => signal.aborted;
    const filled = Promise.race([this.#options.filled, aborted(signal)]);
    filled.catch(() => undefined); // whoever waits for it below is told
    for (let failures = 0; !isStopped();) {
      let waitMs = this.#refreshMs;
      try {
        await this.#refresh();
        // The first sign of life does not wait for it.
        await filled;
        if (isStopped()) return;
        try {
          await this.#publish(signal);
        } finally {
          // What others have left may be why there was no room for more.
          await collectGone(this.#collecting, this.#own.id, signal);
        }
        failures = 0;
      } catch (error) {
        if (isStopped()) return;
        log.warn('the storage versions could not be kept, and are tried again', { error });
        waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures++, this.#refreshMs);
      }
      await clock.sleep(waitMs, signal);
    }
  }

  async #refresh(): Promise<void> {
    const { id } = this.#own;
    const refreshed = await this.#own.refresh();
    if (refreshed.outcome === 'kept') return;
    if (refreshed.outcome === 'renamed') this.#options.log.warn('another server runs under the same id', { id, newId: this.#own.id });
    else this.#isDisputed ||= refreshed.disputed;
    this.isPublished = false;
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { objects } = this.#collecting;
    const { id } = this.#own;
    const entries = ownEntries(storedKinds(this.#options.served), id);
    if (!this.isPublished) {
      await removeUnreadable({ ...this.#options, compiled: storageVersionsOf(this.#options.served).compiled, names: entries.keys() });
      // The last server under this id may have been of a version that stored more.
      await withdraw(objects, id, { except: entries, signal });
    }
    await publish({ objects, entries, id, anew: this.#isDisputed }, signal);
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
  if (found === undefined) throw new Error('there is no StorageVersion among the kinds');
  return found;
}

const createObjects = ({ served, clock }: StorageVersionsOptions): StorageVersionObjects =>
  new StorageVersionObjects({ served: storageVersionsOf(served), clock });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
