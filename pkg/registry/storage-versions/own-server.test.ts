import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { TIMEOUT_MS, withCommit } from '../../../test/registry/storage-version-server.ts';
import { StorageError } from '../../storage/errors.ts';
import { NO_REVISION } from '../../storage/backend.ts';
import { OwnServer } from './own-server.ts';
import { readServer, writeHeartbeat } from './server-key.ts';

const ID = 'one';
const DEAD = { instance: '', timeoutMs: TIMEOUT_MS, gone: true };

it('A server that was declared dead says so, also when the reply to its next heartbeat was lost.', async () => {
  const backend = new MemoryBackend();
  let isLosing = false;
  const losing = withCommit(backend, async (write) => {
    const result = await backend.commit(write);
    return isLosing && result.outcome === 'committed' ? { outcome: 'unknown', cause: new Error('the reply was lost') } : result;
  });
  let commits = 0;
  const own = new OwnServer({
    backend: {
      commit: (write) => {
        commits++;
        return losing.commit(write);
      },
      get: async (key) => {
        // The reply of the second commit is lost, and it cannot be read back.
        if (isLosing && commits === 2) throw new StorageError('Unreachable', 'the connection was cut');
        return backend.get(key);
      },
    },
    id: ID,
    hostName: 'host',
    timeoutMs: TIMEOUT_MS,
    random: randomBytes,
  });
  expect(await own.refresh()).toEqual({ outcome: 'started', disputed: false });
  const marked = await readServer(backend, ID);
  await writeHeartbeat({ backend, random: randomBytes }, ID, marked?.revision ?? NO_REVISION, DEAD);
  commits = 0;
  isLosing = true;
  await expect(own.refresh()).rejects.toThrow('the connection was cut');
  isLosing = false;
  expect(await own.refresh()).toEqual({ outcome: 'started', disputed: true });
  expect(await own.refresh()).toEqual({ outcome: 'renewed' });
});
