/** Compacts a store that does not do so itself. Keeps the last period, and what the watch has not delivered. */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision } from '../../storage/backend.ts';
import type { ResourceCache } from '../../watchcache/watch-cache.ts';
import type { Lead } from './lease.ts';

export interface CompactionOptions {
  readonly backend: Pick<Backend, 'compact' | 'currentRevision'>;
  readonly resources: readonly Pick<ResourceCache, 'revision'>[];
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs: number;
}

export const createCompaction =
  ({ backend, resources, clock, log, everyMs }: CompactionOptions): Lead =>
  async (signal) => {
    let before = NO_REVISION;
    while (!signal.aborted) {
      try {
        const now = await backend.currentRevision();
        const upTo = resources.reduce<Revision>((least, { revision }) => (revision < least ? revision : least), before);
        if (upTo > 0) {
          await backend.compact(upTo);
          log.debug('history compacted', { revision: upTo });
        }
        before = now;
      } catch (error) {
        log.warn('history compaction failed', { error });
      }
      await clock.sleep(everyMs, signal);
    }
  };
