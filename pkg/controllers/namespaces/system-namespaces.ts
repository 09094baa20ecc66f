/**
 * Before a server takes writes, the system's own namespaces exist. A store that was written before there were
 * Namespaces gets one for each namespace in use.
 */
import type { Namespaces } from '../../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { SYSTEM_NAMESPACES } from '../../apis/core/v1/namespaces/names.ts';
import type { Log } from '../../observability/logging.ts';
import type { ResourceCache } from '../../watchcache/watch-cache.ts';
import { namespacesInUse } from './namespaces-in-use.ts';

export interface SystemNamespacesOptions {
  readonly namespaces: Namespaces;
  /** The stored resources that have namespaces. */
  readonly contents: readonly ResourceCache[];
  /** Nothing is written before it resolves. It may reject or never resolve. */
  readonly after: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SystemNamespaces {
  /** Why writes cannot be accepted now, in one clause. */
  readonly notReady: string | undefined;
  /** Resolves when they exist; never, when closed before. */
  readonly created: Promise<void>;
  /** Can be called twice. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;
/** While it is missing, the namespaces in use may be missing too: a start may have been cut off. */
const LAST_CREATED = 'default';
/** In the log. */
const MAX_NAMES = 10;

/** Starts immediately and does not throw; failures are logged and retried. */
export function openSystemNamespaces(options: SystemNamespacesOptions): SystemNamespaces {
  const { clock, log, after } = options;
  const stop = new AbortController();
  const created = Promise.withResolvers<undefined>();
  const state = { exist: false };
  const isStopped = () => stop.signal.aborted;
  const run = async () => {
    const isFilled = await Promise.race([
      after.then(
        () => true,
        () => false,
      ),
      aborted(stop.signal),
    ]);
    for (let failures = 0; isFilled && !state.exist && !isStopped();) {
      try {
        await createNamespaces(options, stop.signal);
        state.exist = true;
        created.resolve(undefined);
      } catch (error) {
        if (isStopped()) return;
        log.warn('system namespaces could not be created, retrying', { error });
        await clock.sleep(Math.min(FIRST_RETRY_MS * 2 ** failures++, MAX_RETRY_MS), stop.signal);
      }
    }
  };
  const running = run();
  return {
    get notReady() {
      return state.exist ? undefined : 'the system namespaces are not created yet';
    },
    created: created.promise,
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function createNamespaces({ namespaces, contents, log }: SystemNamespacesOptions, signal: AbortSignal): Promise<void> {
  if ((await namespaces.phase(LAST_CREATED, signal)) === undefined) await createNamespacesInUse({ namespaces, contents, log }, signal);
  const others = SYSTEM_NAMESPACES.filter((name) => name !== LAST_CREATED);
  const create = async (name: string) => {
    if (namespaces.cachedPhase(name) === undefined) await namespaces.create(name, signal);
  };
  await Promise.all(others.map(create));
  await create(LAST_CREATED);
}

async function createNamespacesInUse(
  { namespaces, contents, log }: Pick<SystemNamespacesOptions, 'namespaces' | 'contents' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const inUse = [...(await namespacesInUse(contents, new Scheduler(), signal))].filter((name) => !SYSTEM_NAMESPACES.includes(name));
  signal.throwIfAborted();
  const created: string[] = [];
  const refused: string[] = [];
  const create = async (name: string) => {
    try {
      await namespaces.create(name, signal);
      created.push(name);
    } catch (error) {
      if (!isStatusError(error, 'Invalid')) throw error;
      refused.push(name);
    }
  };
  await Promise.all(inUse.map(create));
  const inLog = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, MAX_NAMES) });
  if (created.length > 0) log.info('namespaces created for stored objects', inLog(created));
  if (refused.length > 0) log.warn('stored objects are in namespaces whose names are not valid', inLog(refused));
}

const aborted = (signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
