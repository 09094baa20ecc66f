/**
 * Deletes expired objects at a limited rate, one key per revision, so that a watch can resume between any two. Objects
 * that expired while no server ran are found in the cache too. Each delete has the revision of the expired state as a
 * precondition, so renewed objects survive.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import type { Backend, Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { ResourceCache } from '../../watchcache/watch-cache.ts';
import type { Lead } from './lease.ts';

export interface ExpiryOptions {
  readonly backend: Pick<Backend, 'commit'>;
  readonly resources: readonly ResourceCache[];
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum delay of a deletion. */
  readonly sweepMs: number;
  readonly maxPerSecond: number;
}

interface Due {
  readonly key: Key;
  readonly revision: Revision;
}

/** Concurrent deletes: enough for the rate at a few milliseconds each, and few enough for client requests. */
const BATCH = 16;
/** Entries scanned per tick, in about a millisecond. */
const SCAN_BATCH = 5000;

export const createExpiry =
  (options: ExpiryOptions): Lead =>
  async (signal) => {
    while (!signal.aborted) {
      for (const resource of options.resources) await sweep(options, resource, signal);
      await options.clock.sleep(options.sweepMs, signal);
    }
  };

async function sweep(options: ExpiryOptions, resource: ResourceCache, signal: AbortSignal): Promise<void> {
  const { clock, log, maxPerSecond } = options;
  let deleted = 0;
  let batch: Due[] = [];
  const flush = async () => {
    const startedMs = clock.now();
    deleted += await deleteAll(options, batch);
    const paceMs = (batch.length * 1000) / maxPerSecond - (clock.now() - startedMs);
    batch = [];
    if (paceMs > 0) await clock.sleep(paceMs, signal);
  };
  let scanned = 0;
  for (const { key, revision, expiresAt } of resource.snapshot().page({ selection: {} }).objects) {
    if (signal.aborted) return;
    if (++scanned % SCAN_BATCH === 0) await clock.sleep(0, signal);
    if (expiresAt === undefined || expiresAt > clock.now()) continue;
    batch.push({ key, revision });
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  if (deleted > 0) log.debug('expired objects deleted', { resource: resource.resource.name, count: deleted });
}

/** The number of deleted objects. Failed ones are retried by the next sweep. */
async function deleteAll({ backend, log }: ExpiryOptions, batch: readonly Due[]): Promise<number> {
  const results = await Promise.allSettled(batch.map(({ key, revision }) => backend.commit({ key, ifRevision: revision, value: null })));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) log.warn('deletion of expired objects failed', { error: failed.reason });
  return results.filter((result) => result.status === 'fulfilled' && result.value.outcome === 'committed').length;
}
