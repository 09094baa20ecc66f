import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Write } from '../storage/backend.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { checkGroupSuffix } from './group-suffix-setting.ts';

describe('the group suffix', () => {
  it('is recorded at the first start, and the same one is fine later', async () => {
    const backend = new MemoryBackend();
    for (let start = 0; start < 2; start++) {
      expect(await checkGroupSuffix({ backend, groupSuffix: 'a.io', random: randomBytes })).toBeUndefined();
    }
  });

  it('cannot be another one later', async () => {
    const backend = new MemoryBackend();
    await checkGroupSuffix({ backend, groupSuffix: 'a.io', random: randomBytes });
    expect(await checkGroupSuffix({ backend, groupSuffix: 'b.io', random: randomBytes })).toMatch(/--group-suffix=a\.io.*b\.io/);
  });

  it('is that of whoever wrote first when two servers begin a store', async () => {
    const backend = new MemoryBackend();
    const overtaken = {
      get: backend.get.bind(backend),
      commit: async (write: Write) => {
        await checkGroupSuffix({ backend, groupSuffix: 'a.io', random: randomBytes });
        return backend.commit(write);
      },
    };
    expect(await checkGroupSuffix({ backend: overtaken, groupSuffix: 'b.io', random: randomBytes })).toMatch(/a\.io/);
  });

  it('is determined by what is stored when the reply was lost', async () => {
    const backend = new MemoryBackend();
    const lossy = {
      get: backend.get.bind(backend),
      commit: async (write: Write) => {
        await backend.commit(write);
        return { outcome: 'unknown', cause: new Error('lost') } as const;
      },
    };
    expect(await checkGroupSuffix({ backend: lossy, groupSuffix: 'a.io', random: randomBytes })).toBeUndefined();
  });
});
