import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { never, openTestRegistry, servedNamed } from '../../../test/registry/test-registry.ts';
import { silentLog } from '../../observability/logging.ts';
import type { Registry } from '../../registry/registry.ts';
import { createTtlAfterFinished } from './ttl-after-finished.ts';

let registry: Registry;
beforeEach(async () => {
  registry = await openTestRegistry(new MemoryBackend());
});
afterEach(() => registry.close());

it('leaves nothing behind when it fails', async () => {
  const clock = new ManualClock(0);
  const jobs = servedNamed(registry, 'Job');
  const error = new Error('unreadable');
  const cache = {
    subscribe: () => () => undefined,
    snapshot: () => {
      throw error;
    },
  };
  const lead = createTtlAfterFinished({ jobs: { ...jobs, cache: cache as never }, clock, log: silentLog });
  await expect(lead(never)).rejects.toBe(error);
  expect(clock.sleepers).toBe(0);
});
