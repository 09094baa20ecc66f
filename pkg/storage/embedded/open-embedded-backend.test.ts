import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { describeBackend } from '../../../test/storage/backend-contract.ts';
import { MAX_VALUE_BYTES, openEmbeddedBackend } from './open-embedded-backend.ts';
import { MAX_KEY_BYTES } from './tables.ts';

describeBackend(
  'embedded',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'coxswain-embedded-'));
    let backend = await openEmbeddedBackend({ dir, clock: systemClock });
    return {
      backend,
      reopen: async () => {
        await backend.close();
        backend = await openEmbeddedBackend({ dir, clock: systemClock });
        return backend;
      },
      close: async () => {
        await backend.close();
        rmSync(dir, { recursive: true });
      },
    };
  },
  { progress: true, tooLargeValueBytes: MAX_VALUE_BYTES + 1, tooLargeKeyBytes: MAX_KEY_BYTES + 1 },
);
