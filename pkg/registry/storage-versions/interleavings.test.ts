/** Several servers, with their store calls in any order. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { silentLog } from '../../observability/logging.ts';
import type { Backend } from '../../storage/backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { KINDS, never, openTestRegistry } from '../../../test/registry/test-registry.ts';
import { removeDeadServers } from './remove-dead-servers.ts';
import { Liveness } from './liveness.ts';
import { ownEntries } from './own-entries.ts';
import { OwnServer } from './own-server.ts';
import { publish } from './publish.ts';
import { listServers } from './server-key.ts';
import {
  everywhere,
  objectsOf,
  readStorageVersion,
  serversByName,
  startTestServer,
  TIMEOUT_MS,
  type TestServer,
} from '../../../test/registry/storage-version-server.ts';

/** Each read and write of the store waits for the scheduler. */
const scheduled = (backend: Backend, scheduler: fc.Scheduler, who: string): Backend => {
  const turn = (what: string) => scheduler.schedule(Promise.resolve(), `${who} ${what}`);
  return {
    get: (key, revision) => turn('get').then(() => backend.get(key, revision)),
    range: (query) => turn('range').then(() => backend.range(query)),
    commit: (write) => turn('commit').then(() => backend.commit(write)),
    watch: (query) => backend.watch(query),
    currentRevision: () => backend.currentRevision(),
    compact: (upTo) => backend.compact(upTo),
    status: () => backend.status(),
    close: () => backend.close(),
  };
};

async function closeAll(servers: readonly TestServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}

describe('In any order', () => {
  it('servers that start at once all have their entries, and a common version', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const backend = new MemoryBackend();
        const clock = new ManualClock(1_773_500_000_000);
        const servers = await scheduler.waitFor(
          Promise.all(['a', 'b', 'c'].map((id) => startTestServer({ backend: scheduled(backend, scheduler, id), id, clock }))),
        );
        try {
          await scheduler.waitFor(Promise.all(servers.map(({ storageVersions }) => storageVersions.published)));
          const [first] = servers;
          if (first === undefined) throw new Error('no server');
          expect(await scheduler.waitFor(serversByName(first.registry, clock))).toEqual(everywhere('a', 'b', 'c'));
          const { status } = await scheduler.waitFor(readStorageVersion(first.registry, 'batch.cronjobs'));
          expect(status?.commonEncodingVersion).toBe('batch/v1');
        } finally {
          await scheduler.waitFor(closeAll(servers));
        }
      }),
      { numRuns: 15 },
    );
  }, 30_000);

  it('a server that comes back while it is being removed has its entries when it takes writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const backend = new MemoryBackend();
        const clock = new ManualClock(1_773_500_000_000);
        const before = await startTestServer({ backend, id: 'back', clock });
        await before.storageVersions.published;
        await before.close();
        const [slowOne, slowOther] = [scheduled(backend, scheduler, 'collector'), scheduled(backend, scheduler, 'back')];
        const [one, other] = await scheduler.waitFor(Promise.all([openTestRegistry(slowOne), openTestRegistry(slowOther)]));
        try {
          const liveness = new Liveness({ everyMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS });
          liveness.look(await listServers(backend), 0);
          const collecting = {
            objects: objectsOf(one, clock),
            liveness,
            random: randomBytes,
            monotonicNow: () => TIMEOUT_MS,
            log: silentLog,
          };
          const collected = removeDeadServers({ backend: slowOne, ...collecting }, 'collector', never);
          const own = new OwnServer({ backend: slowOther, id: 'back', hostName: 'host', timeoutMs: TIMEOUT_MS, random: randomBytes });
          const cameBack = own.refresh().then((refreshed) => {
            const removeFirst = refreshed.outcome === 'started' && refreshed.disputed;
            return publish({ objects: objectsOf(other, clock), entries: ownEntries(KINDS, 'back'), id: 'back', removeFirst }, never);
          });
          await scheduler.waitFor(Promise.all([collected, cameBack]));
          expect(await scheduler.waitFor(serversByName(one, clock))).toEqual(everywhere('back'));
          expect((await listServers(backend)).find(({ id }) => id === 'back')?.heartbeat?.gone).toBe(false);
        } finally {
          await scheduler.waitFor(Promise.all([one.close(), other.close()]));
        }
      }),
      { numRuns: 40 },
    );
  }, 30_000);
});
