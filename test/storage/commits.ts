import { describe, expect, it } from '@jest/globals';
import { NO_REVISION, toRevision, type StoredRecord } from '../../pkg/storage/backend.ts';
import { isStorageError } from '../../pkg/storage/errors.ts';
import { toKey } from '../../pkg/storage/keys.ts';
import { rejection, useBackend, type BackendCapabilities, type OpenBackend } from './contract-options.ts';

export function describeCommits(open: OpenBackend, can: BackendCapabilities): void {
  describe('commit', () => {
    const store = useBackend(open);

    it('creates a key that is absent', async () => {
      const { backend, key, put } = store();
      const before = await backend.currentRevision();
      const revision = await put('a', 'one');
      expect(revision).toBeGreaterThan(before);
      const { record } = await backend.get(key('a'));
      expect(record).toEqual({ key: key('a'), revision, value: Buffer.from('one') });
    });

    it('refuses to create a key that exists, and returns what is there', async () => {
      const { backend, key, put } = store();
      const revision = await put('a', 'one');
      const result = await backend.commit({ key: key('a'), ifRevision: NO_REVISION, value: Buffer.from('two') });
      expect(result).toMatchObject({ outcome: 'mismatch', current: { key: key('a'), revision, value: Buffer.from('one') } });
    });

    it('replaces a value at the revision it has', async () => {
      const { backend, key, put } = store();
      const first = await put('a', 'one');
      const second = await put('a', 'two', first);
      expect(second).toBeGreaterThan(first);
      expect((await backend.get(key('a'))).record).toMatchObject({ revision: second, value: Buffer.from('two') });
    });

    it('refuses to replace or delete at a revision that has passed, and returns what is there', async () => {
      const { backend, key, put } = store();
      const first = await put('a', 'one');
      const second = await put('a', 'two', first);
      for (const value of [Buffer.from('three'), null]) {
        const result = await backend.commit({ key: key('a'), ifRevision: first, value });
        expect(result).toMatchObject({ outcome: 'mismatch', current: { revision: second, value: Buffer.from('two') } });
        expect(result.outcome === 'mismatch' && result.revision).toBeGreaterThanOrEqual(second);
      }
    });

    it('refuses to replace or delete a key that is absent, and says that it is', async () => {
      const { backend, key, put } = store();
      const elsewhere = await put('b', 'one');
      for (const value of [Buffer.from('two'), null]) {
        const result = await backend.commit({ key: key('a'), ifRevision: elsewhere, value });
        expect(result.outcome).toBe('mismatch');
        expect(result).not.toHaveProperty('current');
      }
    });

    it('deletes at the revision the key has, and lets it be created again', async () => {
      const { backend, key, put, remove } = store();
      const first = await put('a', 'one');
      const deleted = await remove('a', first);
      expect(deleted).toBeGreaterThan(first);
      expect(await backend.get(key('a'))).not.toHaveProperty('record');
      const again = await put('a', 'two');
      expect(again).toBeGreaterThan(deleted);
      expect((await backend.get(key('a'))).record).toMatchObject({ revision: again, value: Buffer.from('two') });
    });

    it('takes an empty value for a value', async () => {
      const { backend, key, put } = store();
      const revision = await put('a', '');
      expect((await backend.get(key('a'))).record).toMatchObject({ revision, value: Buffer.alloc(0) });
    });

    it('lets exactly one of many racing creators win, and shows the winner to the others', async () => {
      const { backend, key } = store();
      const results = await Promise.all(
        Array.from({ length: 16 }, (_, i) => backend.commit({ key: key('a'), ifRevision: NO_REVISION, value: Buffer.from(`writer ${i}`) })),
      );
      const winner = results.findIndex(({ outcome }) => outcome === 'committed');
      expect(results.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
      for (const [i, result] of results.entries()) {
        if (i !== winner) expect(result).toMatchObject({ outcome: 'mismatch', current: { value: Buffer.from(`writer ${winner}`) } });
      }
    });

    it('lets exactly one of a racing update and a racing delete win', async () => {
      const { backend, key, put } = store();
      for (let round = 0; round < 20; round++) {
        const ifRevision = await put(`a${round}`, 'one');
        const results = await Promise.all([
          backend.commit({ key: key(`a${round}`), ifRevision, value: null }),
          backend.commit({ key: key(`a${round}`), ifRevision, value: Buffer.from('two') }),
        ]);
        expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['committed', 'mismatch']);
      }
    });

    it('loses no increment of writers that retry from the record a mismatch returned', async () => {
      const { backend, key, put } = store();
      const start = await put('counter', '0');
      const increment = async () => {
        for (let seen: Pick<StoredRecord, 'revision' | 'value'> = { revision: start, value: Buffer.from('0') }; ;) {
          const next = Buffer.from(String(Number(seen.value.toString()) + 1));
          const result = await backend.commit({ key: key('counter'), ifRevision: seen.revision, value: next });
          if (result.outcome === 'committed') return;
          if (result.outcome === 'unknown' || result.current === undefined) throw new Error('unexpected', { cause: result });
          seen = result.current;
        }
      };
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let i = 0; i < 5; i++) await increment();
        }),
      );
      expect((await backend.get(key('counter'))).record?.value.toString()).toBe('40');
    });

    it('gives every commit a revision of its own, also across keys and at once', async () => {
      const { put } = store();
      const revisions = await Promise.all(Array.from({ length: 50 }, (_, i) => put(`a${i}`, 'x')));
      expect(new Set(revisions).size).toBe(50);
    });

    it('shows a commit to every read that starts after it resolved', async () => {
      const { backend, key, put } = store();
      let last = NO_REVISION;
      for (let i = 0; i < 50; i++) {
        last = await put('a', `value ${i}`, last);
        const [current, got] = await Promise.all([backend.currentRevision(), backend.get(key('a'))]);
        expect(current).toBeGreaterThanOrEqual(last);
        expect(got.record).toMatchObject({ revision: last, value: Buffer.from(`value ${i}`) });
      }
    });

    it('refuses a value that is too large, and writes nothing', async () => {
      const { backend, key } = store();
      const value = Buffer.alloc(can.tooLargeValueBytes);
      const error = await rejection(backend.commit({ key: key('a'), ifRevision: NO_REVISION, value }));
      expect(isStorageError(error, 'TooLarge')).toBe(true);
      expect(await backend.get(key('a'))).not.toHaveProperty('record');
    });

    if (can.tooLargeKeyBytes !== undefined) {
      const bytes = can.tooLargeKeyBytes;
      it('refuses a key that is too long, and takes one that is just short enough', async () => {
        const { backend } = store();
        const write = (length: number) =>
          backend.commit({ key: toKey('/k/'.padEnd(length, 'x')), ifRevision: NO_REVISION, value: Buffer.from('v') });
        expect(isStorageError(await rejection(write(bytes)), 'TooLarge')).toBe(true);
        const first = await write(bytes - 1);
        expect(first.outcome).toBe('committed');
        const key = toKey('/k/'.padEnd(bytes - 1, 'x'));
        const ifRevision = first.outcome === 'committed' ? first.revision : NO_REVISION;
        await backend.commit({ key, ifRevision, value: Buffer.from('w') });
        expect((await backend.get(key)).record?.value.toString()).toBe('w');
        expect((await backend.get(key, ifRevision)).record?.value.toString()).toBe('v');
      });
    }

    it('keeps data and revisions across a reopen', async () => {
      const { backend, key, put, remove, reopen } = store();
      const a = await put('a', 'one');
      const b = await put('b', 'two');
      const c = await put('a', 'three', a);
      const d = await remove('b', b);
      const { clusterId } = await backend.status();
      const again = await reopen();
      expect((await again.status()).clusterId).toBe(clusterId);
      expect(await again.currentRevision()).toBeGreaterThanOrEqual(d);
      expect((await again.get(key('a'))).record).toMatchObject({ revision: c, value: Buffer.from('three') });
      expect(await again.get(key('b'))).not.toHaveProperty('record');
      expect((await again.get(key('b'), b)).record?.value.toString()).toBe('two');
      expect(await put('b', 'four')).toBeGreaterThan(d);
    });

    it('names a cluster id and the oldest readable revision', async () => {
      const { backend, put } = store();
      const revision = await put('a', 'one');
      const status = await backend.status();
      expect(status.clusterId).not.toBe('');
      expect(status.version).not.toBe('');
      expect(status.oldestRevision).toBeLessThanOrEqual(revision);
      expect(status).not.toHaveProperty('notReady');
    });

    it('refuses everything after close, which may be called twice', async () => {
      const { backend, key } = store();
      await Promise.all([backend.close(), backend.close()]);
      await backend.close();
      const errors = await Promise.all([
        rejection(backend.get(key('a'))),
        rejection(backend.currentRevision()),
        rejection(backend.commit({ key: key('a'), ifRevision: NO_REVISION, value: Buffer.from('x') })),
        rejection(backend.compact(toRevision(1))),
      ]);
      expect(errors.map((error) => isStorageError(error, 'Closed'))).toEqual([true, true, true, true]);
    });
  });
}
