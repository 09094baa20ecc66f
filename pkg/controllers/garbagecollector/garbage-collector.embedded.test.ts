import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeGarbageCollector } from '../../../test/controllers/garbage-collector-suite.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { openEmbeddedBackend } from '../../storage/embedded/open-embedded-backend.ts';

describeGarbageCollector('the embedded store', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'coxswain-collector-'));
  const backend = await openEmbeddedBackend({ dir, clock: systemClock });
  return {
    backend,
    close: async () => {
      await backend.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
});
