/** The identity checks against a scripted etcd. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { startFakeEtcd, type FakeEtcd } from '../../../test/support/fake-etcd.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { toRevision } from '../backend.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';
import { toKey } from '../keys.ts';

describe('the identity of an etcd', () => {
  let etcd: FakeEtcd;
  let store: TestBackend;
  beforeEach(async () => {
    etcd = await startFakeEtcd();
    store = await openTestBackend({ servers: [etcd.endpoint], callTimeoutMs: 1000 });
  });
  afterEach(async () => {
    await store.backend.close();
    etcd.close();
  });
  const codeOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'ok',
      (error: unknown) => (isStorageError(error) ? error.code : String(error)),
    );
  const errors = () => store.lines.filter(({ level }) => level === 'error').length;

  it('survives one stale response, which is rejected', async () => {
    etcd.staleRevisions.push(8);
    expect(await codeOf(store.backend.get(toKey('/a')))).toBe('Unreachable');
    expect(await codeOf(store.backend.get(toKey('/a')))).toBe('ok');
    expect(errors()).toBe(0);
    expect(await store.backend.status()).not.toHaveProperty('notReady');
  });

  it('is lost when the revision went back permanently, which is logged once', async () => {
    etcd.revision = 5;
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(store.backend.get(toKey('/a')))));
    expect(codes).toContain('Replaced');
    expect(codes).not.toContain('ok');
    expect(await codeOf(store.backend.get(toKey('/a')))).toBe('ok');
    expect(errors()).toBe(1);
    expect((await store.backend.status()).notReady).toContain('its revision went back from 10 to 5');
  });

  it('is lost when another cluster responds', async () => {
    etcd.clusterId = '255';
    expect(await codeOf(store.backend.currentRevision())).toBe('Replaced');
    expect((await store.backend.status()).clusterId).toBe('ff');
    expect(errors()).toBe(1);
  });

  it('is regained, and the store ready, once a watch runs on the new store', async () => {
    etcd.revision = 5;
    expect(await codeOf(store.backend.currentRevision())).toBe('Replaced');
    const early = record({ backend: store.backend, from: toRevision(10) });
    await early.until(({ ended }) => ended !== undefined);
    expect(isStorageError(early.ended?.error, 'Replaced')).toBe(true);
    const watch = record({ backend: store.backend, from: toRevision(5) });
    await waitFor(() => etcd.streams.length > 0, { what: 'the watch to be opened' });
    etcd.streams[0]?.events(6, [{ key: '/other', revision: 6, value: 'x' }]);
    await watch.reached(toRevision(6));
    expect(await store.backend.status()).not.toHaveProperty('notReady');
    await watch.stop();
  });

  it('is lost when the revision is below that of a watch', async () => {
    const watch = record({ backend: store.backend, from: toRevision(10) });
    await waitFor(() => etcd.streams.length > 0, { what: 'the watch to be opened' });
    etcd.streams[0]?.events(
      20,
      Array.from({ length: 10 }, (_, i) => ({ key: '/a', revision: 11 + i, value: 'x' })),
    );
    await watch.reached(toRevision(20));
    etcd.revision = 15;
    etcd.streams[0]?.end();
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect((await store.backend.status()).notReady).toContain('its revision went back from 20 to 15');
    expect(errors()).toBe(1);
  });
});
