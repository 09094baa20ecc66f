/** Deletes Jobs `ttlSecondsAfterFinished` after they ended, as Kubernetes' controller of this name. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { parseObjectKey } from '../../registry/keys.ts';
import type { Lead } from '../../registry/leases/lease.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import type { ServedKind } from '../../registry/registry.ts';
import { Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { Key } from '../../storage/keys.ts';
import type { CachedObject } from '../../watchcache/watch-cache.ts';
import { WorkQueue } from '../work-queue.ts';
import { expiryOfJob } from './expiry-of-job.ts';

export interface TtlAfterFinishedOptions {
  readonly jobs: ServedKind;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

const WORKERS = 5;

/** Ends when the cache was filled again, since changes may have been missed. */
export const createTtlAfterFinished =
  ({ jobs: { store, cache }, clock, log, metrics }: TtlAfterFinishedOptions): Lead =>
  async (signal) => {
    const scheduler = new Scheduler();
    const queue = new WorkQueue<Key>({
      name: 'ttl_jobs_to_delete',
      clock,
      metrics,
      scheduler,
      failed: (key, error) => log.warn('finished job could not be deleted, retrying', { ...parseObjectKey(store.definition, key), error }),
    });
    const stop = new AbortController();
    const ending = AbortSignal.any([signal, stop.signal]);
    const schedule = ({ key, itemBytes }: CachedObject) => {
      const expiresAt = expiryOfJob(itemBytes);
      if (expiresAt !== undefined) queue.addAfter(key, expiresAt - clock.now());
    };
    const unsubscribe = cache.subscribe({
      changed: ({ current }) => {
        if (current !== undefined) schedule(current);
      },
      replaced: () => stop.abort(),
    });
    const scheduleStored = async () => {
      const task = new ScheduledTask(scheduler);
      for (const job of cache.snapshot().page({ selection: {} }).objects) {
        schedule(job);
        if (task.shouldYield()) await task.yield();
        if (ending.aborted) return;
      }
    };
    /** The Job may have changed or gone since, or have a later time now. */
    const remove = async (key: Key) => {
      const job = cache.get(key);
      const expiresAt = job === undefined ? undefined : expiryOfJob(job.itemBytes);
      if (job === undefined || expiresAt === undefined) return;
      if (expiresAt > clock.now()) {
        queue.addAfter(key, expiresAt - clock.now());
        return;
      }
      const { namespace, name, uid, revision } = job;
      try {
        await store.delete(
          { namespace, name },
          {
            preconditions: { uid, resourceVersion: String(revision) },
            propagationPolicy: 'Foreground',
            dryRun: false,
            fieldManager: FIELD_MANAGER,
            signal: ending,
          },
        );
        log.debug('finished job deleted', { namespace, name });
      } catch (error) {
        // The change that came in between schedules it again.
        if (!(error instanceof StatusError) || (error.reason !== 'NotFound' && error.reason !== 'Conflict')) throw error;
      }
    };
    const running = [queue.run(WORKERS, remove, ending), scheduleStored()];
    try {
      await Promise.all(running);
    } finally {
      unsubscribe();
      // When one fails, the other ends too.
      stop.abort();
      await Promise.allSettled(running);
    }
  };
