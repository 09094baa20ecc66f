/** The watch against a scripted etcd with defects of real versions. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { startFakeEtcd, type FakeEtcd, type FakeWatchStream } from '../../../test/support/fake-etcd.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { toRevision } from '../backend.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';

const PREFIX = '/p';
const at = (revision: number, key = `${PREFIX}/k${revision}`) => ({ key, revision, value: `v${revision}` });

describe('the watch of etcd', () => {
  let etcd: FakeEtcd;
  let store: TestBackend;
  beforeEach(async () => {
    etcd = await startFakeEtcd();
    store = await openTestBackend({ servers: [etcd.endpoint], prefix: PREFIX, callTimeoutMs: 1000 });
  });
  afterEach(async () => {
    await store.backend.close();
    etcd.close();
  });

  /** The n-th stream that the backend opened. */
  async function stream(n: number): Promise<FakeWatchStream> {
    await waitFor(() => etcd.streams.length > n, { what: `stream ${n} to be opened` });
    const found = etcd.streams[n];
    if (found === undefined) throw new Error('no such stream');
    return found;
  }
  const start = (from = 10) => record({ backend: store.backend, from: toRevision(from) });
  const revisions = ({ changes }: ReturnType<typeof record>) => changes.map(({ revision }) => revision);

  it('drops repeated events, and those that go back in time', async () => {
    const watch = start();
    const etcdStream = await stream(0);
    etcdStream.events(12, [at(11), at(12)]);
    etcdStream.events(12, [at(11), at(12)]);
    etcdStream.events(13, [at(12), at(13), at(11), at(13)]);
    await watch.reached(toRevision(13));
    await watch.stop();
    expect(revisions(watch)).toEqual([11, 12, 13]);
  });

  it('delivers all keys of one revision together', async () => {
    const watch = start();
    (await stream(0)).events(11, [at(11, '/p/a'), at(11, '/p/b'), at(11, '/p/c')]);
    await watch.reached(toRevision(11));
    await watch.stop();
    expect(watch.batches.map(({ changes }) => changes.length)).toEqual([3]);
  });

  it('assembles fragments, and resumes before the first of them when the stream breaks', async () => {
    const watch = start();
    const first = await stream(0);
    first.events(11, [at(11)]);
    await watch.reached(toRevision(11));
    first.events(13, [at(12), at(13, '/p/a')], true);
    first.end();
    const second = await stream(1);
    expect(second.startRevision).toBe(12);
    second.events(13, [at(12), at(13, '/p/a')], true);
    second.events(13, [at(13, '/p/b')]);
    await watch.reached(toRevision(13));
    await watch.stop();
    expect(revisions(watch)).toEqual([11, 12, 13, 13]);
    expect(watch.batches.at(-1)?.changes).toHaveLength(3);
  });

  it('drops keys outside the prefix, but counts their revisions', async () => {
    const watch = start();
    (await stream(0)).events(13, [at(11, '/other/a'), at(12, '/pq/a'), at(13, '/p/a')]);
    (await stream(0)).events(14, [at(14, '/other/a')]);
    await watch.reached(toRevision(14));
    await watch.stop();
    expect(revisions(watch)).toEqual([13]);
    expect(watch.changes[0]?.key).toBe('/a');
  });

  it('reports a gap as a lost event: counted, logged, and thrown as Compacted', async () => {
    const watch = start();
    (await stream(0)).events(13, [at(11), at(13)]);
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Compacted')).toBe(true);
    expect(store.counts.lost).toBe(1);
    expect(store.lines.at(-1)).toEqual({ level: 'error', message: 'etcd lost an event of a watch: everything is read again' });
  });

  it('detects a gap before its first event, and one that only progress shows', async () => {
    const early = start();
    (await stream(0)).events(12, [at(12)]);
    await early.until(({ ended }) => ended !== undefined);
    expect(isStorageError(early.ended?.error, 'Compacted')).toBe(true);
    const idle = start(12);
    (await stream(1)).progress(14);
    await idle.until(({ ended }) => ended !== undefined);
    expect(isStorageError(idle.ended?.error, 'Compacted')).toBe(true);
    expect(store.counts.lost).toBe(2);
  });

  it('does not report the revision of an empty store as a gap', async () => {
    const watch = start(0);
    const etcdStream = await stream(0);
    expect(etcdStream.startRevision).toBe(2);
    etcdStream.events(2, [at(2)]);
    await watch.reached(toRevision(2));
    await watch.stop();
  });

  it('resumes from the last whole revision when etcd ends the watch without a reason', async () => {
    const watch = start();
    (await stream(0)).events(11, [at(11)]);
    await watch.reached(toRevision(11));
    (await stream(0)).cancel({ reason: 'etcdserver: no leader' });
    const again = await stream(1);
    expect(again.startRevision).toBe(12);
    again.events(12, [at(12)]);
    await watch.reached(toRevision(12));
    await watch.stop();
    expect(revisions(watch)).toEqual([11, 12]);
  });

  it('delivers events that arrive together with the end of the stream', async () => {
    const watch = start();
    const first = await stream(0);
    first.events(11, [at(11)]);
    first.events(12, [at(12)]);
    first.cancel({ reason: 'etcdserver: no leader' });
    const again = await stream(1);
    expect(again.startRevision).toBe(13);
    again.events(13, [at(13)]);
    await watch.reached(toRevision(13));
    await watch.stop();
    expect(revisions(watch)).toEqual([11, 12, 13]);
  });

  it('throws Compacted when the start revision is compacted', async () => {
    const watch = start();
    (await stream(0)).cancel({ compactRevision: 20 });
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Compacted')).toBe(true);
  });

  it('throws Replaced when a stream comes from another cluster', async () => {
    const watch = start();
    const etcdStream = await stream(0);
    etcd.clusterId = '78';
    etcdStream.events(11, [at(11)]);
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect(watch.changes).toEqual([]);
  });

  it('throws Replaced when the history of the store differs from what was delivered', async () => {
    const watch = start();
    const first = await stream(0);
    first.events(12, [at(11, '/p/a'), at(12, '/p/b')]);
    await watch.reached(toRevision(12));
    etcd.told.set('/p/b', [{ key: '/p/b', revision: 12, value: 'other' }]);
    first.end();
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect(watch.changes).toHaveLength(2);
  });

  it('watches the prefix, without the gap check, when the whole key space is denied', async () => {
    const watch = start();
    (await stream(0)).cancel({ reason: 'rpc error: code = PermissionDenied desc = etcdserver: permission denied' });
    const narrow = await stream(1);
    narrow.events(15, [at(12), at(15)]);
    narrow.progress(18);
    await watch.reached(toRevision(18));
    await watch.stop();
    expect(revisions(watch)).toEqual([12, 15]);
    expect(store.backend.freshness).toBe('progress');
  });

  it('logs in again when its member does not know the token', async () => {
    const user = { username: 'u', password: 'p' };
    await store.backend.close();
    store = await openTestBackend({ servers: [etcd.endpoint], prefix: PREFIX, callTimeoutMs: 1000, ...user });
    const watch = start();
    const first = await stream(0);
    expect(first.token).toBe('token 1');
    first.cancel({ reason: 'rpc error: code = Unauthenticated desc = etcdserver: invalid auth token' });
    const second = await stream(1);
    expect(second.token).toBe('token 2');
    second.events(11, [at(11)]);
    await watch.reached(toRevision(11));
    await watch.stop();
  });
});
