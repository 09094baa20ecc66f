import { describe, expect, it } from '@jest/globals';
import { FaultyBackend } from '../../test/registry/faulty-backend.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { openTestRegistry, readNewest, sample, storeOf, write } from '../../test/registry/test-registry.ts';

describe('50 writers of one object', () => {
  it('take turns: each change is one commit, and none is tried again', async () => {
    const backend = new MemoryBackend();
    const faulty = new FaultyBackend(backend);
    const registry = await openTestRegistry(faulty);
    try {
      const store = storeOf(registry, 'CronJob');
      await store.create('n', sample('CronJob', { name: 'a' }), write);
      const { commits } = faulty;
      const name = { namespace: 'n', name: 'a' };
      const put = (index: number) => store.replace(name, sample('CronJob', { name: 'a', labels: { writer: `w${index}` } }), '', write);
      await Promise.all(Array.from({ length: 50 }, (_, index) => put(index)));
      expect(faulty.commits - commits).toBe(50);
      expect((await readNewest(store, name)).metadata.labels).toEqual({ writer: 'w49' });
    } finally {
      await registry.close();
      await backend.close();
    }
  });
});
