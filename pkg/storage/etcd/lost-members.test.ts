/** The backend while etcd crashes, restarts, changes its leader, or is replaced. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { startEtcd, startEtcdCluster, type EtcdProcess } from '../../../test/support/etcd.ts';
import { ETCD_CLIENTS, openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { waitFor } from '../../../test/support/wait.ts';
import type { Backend, Revision } from '../backend.ts';
import { NO_REVISION, toRevision } from '../backend.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';
import { toKey, type Key } from '../keys.ts';
import type { EtcdClient } from './options.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function opener(client: EtcdClient) {
  return async (etcd: readonly EtcdProcess[], options: { readonly prefix?: string } = {}): Promise<TestBackend> => {
    const backend = await openTestBackend({ servers: etcd.map(({ endpoint }) => endpoint), callTimeoutMs: 2000, client, ...options });
    opened.push(backend.backend);
    return backend;
  };
}

interface Acknowledged {
  readonly key: Key;
  readonly revision: Revision;
  readonly value: string;
}

/** Creates keys until stopped. Returns the acknowledged writes and those of unknown outcome. */
function startWriters(backend: Backend, count: number) {
  const acknowledged: Acknowledged[] = [];
  const unknown: Key[] = [];
  let refused = 0;
  let stopped = false;
  const writer = async (id: number) => {
    for (let i = 0; !stopped; i++) {
      const key = toKey(`/things/w${id}-${i}`);
      const value = `${id}.${i}`;
      try {
        const result = await backend.commit({ key, ifRevision: NO_REVISION, value: Buffer.from(value) });
        if (result.outcome === 'committed') acknowledged.push({ key, revision: result.revision, value });
        else if (result.outcome === 'unknown') unknown.push(key);
        else throw new Error('its own write was reported as a conflict', { cause: result });
      } catch (error) {
        if (!isStorageError(error, 'Unreachable')) throw error;
        refused++;
      }
    }
  };
  const running = Promise.all(Array.from({ length: count }, (_, id) => writer(id)));
  return {
    acknowledged,
    unknown,
    get refused() {
      return refused;
    },
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

async function expectEverythingAcknowledged(
  backend: Backend,
  from: Revision,
  writers: ReturnType<typeof startWriters>,
  watch: ReturnType<typeof record>,
) {
  await watch.reached(await backend.currentRevision());
  await watch.stop();
  const told = new Map(watch.changes.map(({ key, revision, record: found }) => [key, `${revision} ${found?.value.toString()}`]));
  expect(told.size).toBe(watch.changes.length);
  for (const { key, revision, value } of writers.acknowledged) expect(told.get(key)).toBe(`${revision} ${value}`);
  // All other records must be writes of unknown outcome.
  const known = new Set([...writers.acknowledged.map(({ key }) => key), ...writers.unknown]);
  expect([...told.keys()].filter((key) => !known.has(key))).toEqual([]);
  expect(watch.changes.map(({ revision }) => revision)).toEqual(Array.from({ length: watch.changes.length }, (_, i) => from + 1 + i));
}

describe.each(ETCD_CLIENTS)('one etcd, by the %s client,', (client) => {
  const open = opener(client);

  it('that is killed under writers and restarted has every acknowledged write, and the others are unknown', async () => {
    const etcd = await startEtcd({ durable: true });
    opened.push(etcd);
    const { backend, counts } = await open([etcd]);
    const from = await backend.currentRevision();
    const watch = record({ backend, from });
    const writers = startWriters(backend, 16);
    for (let round = 1; round <= 2; round++) {
      const goal = writers.acknowledged.length + 200;
      await waitFor(() => writers.acknowledged.length >= goal, { what: 'writes to be acknowledged' });
      await etcd.kill('SIGKILL');
      await etcd.start();
    }
    const goal = writers.acknowledged.length + 50;
    await waitFor(() => writers.acknowledged.length >= goal, { what: 'writes to go on' });
    await writers.stop();
    await expectEverythingAcknowledged(backend, from, writers, watch);
    expect(counts.lost).toBe(0);
    expect(counts.reopened).toBeGreaterThan(0);
    // Sixteen writes were running each time.
    expect(writers.unknown.length).toBeGreaterThan(0);
  });

  it('that does not respond at the start is named in the error', async () => {
    const error = await openTestBackend({ servers: ['http://127.0.0.1:1'], callTimeoutMs: 300, client }).catch(
      (failure: unknown) => failure,
    );
    expect(isStorageError(error, 'Unreachable')).toBe(true);
    expect(String(error)).toContain('http://127.0.0.1:1: connect ECONNREFUSED');
  });

  it('that is out of space refuses writes, serves reads, and is not ready', async () => {
    const etcd = await startEtcd({ flags: ['--quota-backend-bytes', '2000000'] });
    opened.push(etcd);
    const { backend, put } = await open([etcd]);
    let error: unknown;
    for (let i = 0; error === undefined && i < 50; i++)
      error = await put(`a${i}`, Buffer.alloc(400_000))
        .then(() => undefined)
        .catch((e: unknown) => e);
    expect(isStorageError(error, 'ReadOnly')).toBe(true);
    expect((await backend.get(toKey('/things/a0'))).record).toBeDefined();
    const status = await backend.status();
    expect(status.alarms).toEqual(['NOSPACE']);
    expect(status.notReady).toContain('out of space');
  });

  it('that is restored to an older state ends watches with Replaced, and is not ready until a watch runs again', async () => {
    const etcd = await startEtcd();
    opened.push(etcd);
    const { backend, put, lines } = await open([etcd]);
    const first = await put('a', 'one');
    await etcd.kill('SIGTERM');
    const copy = await etcd.copyData();
    await etcd.start();
    const second = await put('a', 'two', first);
    for (let i = 0; i < 5; i++) await put(`b${i}`, 'x');
    const watch = record({ backend, from: second });
    await watch.until(({ changes }) => changes.length === 5);
    await etcd.kill('SIGKILL');
    await etcd.replaceData(copy);
    await etcd.start();
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect((await backend.status()).notReady).toContain('restored or replaced');
    expect((await backend.get(toKey('/things/a'))).record).toMatchObject({ revision: first });
    const again = record({ backend, from: await backend.currentRevision() });
    await again.reached(await put('c', 'x'));
    expect(await backend.status()).not.toHaveProperty('notReady');
    await again.stop();
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('that is restored, and has passed the delivered revision again, ends watches with Replaced', async () => {
    const etcd = await startEtcd();
    const proxy = await openTcpProxy({ host: etcd.host, port: etcd.port });
    opened.push(etcd, proxy);
    const behind = await openTestBackend({ servers: [`http://127.0.0.1:${proxy.port}`], callTimeoutMs: 2000, client });
    opened.push(behind.backend);
    const first = await behind.put('a', 'one');
    await etcd.kill('SIGTERM');
    const copy = await etcd.copyData();
    await etcd.start();
    const second = await behind.put('a', 'two', first);
    const watch = record({ backend: behind.backend, from: first });
    await watch.reached(second);

    const cut = () => {
      proxy.accept(false);
      proxy.cut();
    };
    // The same store does not end watches, even when the delivered value is compacted.
    cut();
    await etcd.kill('SIGTERM');
    await etcd.start();
    const other = await open([etcd], { prefix: behind.prefix });
    const third = await other.put('a', 'three', second);
    await other.backend.compact(third);
    proxy.accept(true);
    await watch.reached(third);

    cut();
    await etcd.kill('SIGKILL');
    await etcd.replaceData(copy);
    await etcd.start();
    const restored = await open([etcd], { prefix: behind.prefix });
    for (let revision = first; revision <= third;) revision = await restored.put('a', 'another', revision);
    proxy.accept(true);
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect(watch.changes.map(({ revision }) => revision)).toEqual([second, third]);
    const again = record({ backend: behind.backend, from: await behind.backend.currentRevision() });
    await again.reached(await behind.put('b', 'x'));
    expect(await behind.backend.status()).not.toHaveProperty('notReady');
    await again.stop();
  });

  it('that is restored is detected by the first reader or writer, without a watch', async () => {
    const etcd = await startEtcd();
    opened.push(etcd);
    const { backend, put } = await open([etcd]);
    for (let i = 0; i < 5; i++) await put(`b${i}`, 'x');
    await etcd.kill('SIGKILL');
    await etcd.replaceData(undefined);
    await etcd.start();
    const errors: unknown[] = [];
    await waitFor(
      async () => {
        const error = await backend
          .currentRevision()
          .then(() => undefined)
          .catch((failure: unknown) => failure);
        errors.push(error);
        return isStorageError(error, 'Replaced');
      },
      { what: 'the replacement to be noticed' },
    );
    // A reader may have listed the old store: its watch must not continue from there.
    const from = await backend.currentRevision();
    const watch = record({ backend, from });
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    const again = record({ backend, from });
    await again.reached(await put('c', 'x'));
    await again.stop();
    expect(await backend.status()).not.toHaveProperty('notReady');
  });

  it('that another cluster has replaced is Replaced too', async () => {
    const etcd = await startEtcd();
    opened.push(etcd);
    const { backend, put } = await open([etcd]);
    const first = await put('a', 'one');
    await etcd.kill('SIGKILL');
    const other = await startEtcd({ ports: { client: etcd.port, peer: etcd.port + 1 }, name: 'other' });
    opened.push(other);
    // Beyond the old revision, so that only the id differs.
    const { put: putOther } = await open([other]);
    for (let i = 0; i < first + 5; i++) await putOther(`x${i}`, 'x');
    const watch = record({ backend, from: first });
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Replaced')).toBe(true);
    expect(watch.changes).toEqual([]);
  });

  it('leaves nothing open after close', async () => {
    const etcd = await startEtcd();
    opened.push(etcd);
    const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const { backend, put } = await open([etcd]);
    const watch = record({ backend, from: await put('a', 'x') });
    await backend.close();
    await watch.until(({ ended }) => ended !== undefined);
    await waitFor(() => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length <= before, {
      what: () => `sockets to close: ${process.getActiveResourcesInfo().join(', ')}`,
    });
  });
});

describe.each(ETCD_CLIENTS)('three members of etcd, by the %s client,', (client) => {
  const open = opener(client);

  it('whose leader is killed lose no acknowledged write and no event, even if it does not restart', async () => {
    const members = await startEtcdCluster();
    opened.push(...members);
    const { backend, counts } = await open(members);
    const from = await backend.currentRevision();
    const watch = record({ backend, from });
    const writers = startWriters(backend, 8);
    await waitFor(() => writers.acknowledged.length >= 100, { what: 'writes to be acknowledged' });
    await (await leaderOf(members)).kill('SIGKILL');
    const goal = writers.acknowledged.length + 100;
    await waitFor(() => writers.acknowledged.length >= goal, { what: 'writes to go on with two members', timeoutMs: 15_000 });
    await writers.stop();
    await expectEverythingAcknowledged(backend, from, writers, watch);
    expect(counts.lost).toBe(0);
    // Starting while one is down works too.
    const again = await open(members);
    expect(await again.backend.currentRevision()).toBeGreaterThanOrEqual(toRevision(writers.acknowledged.length));
  });

  it('that are paused one after the other are read, written and watched through the others', async () => {
    const members = await startEtcdCluster();
    opened.push(...members);
    const { backend, put, lines } = await open(members);
    const from = await put('a', 'x');
    const watch = record({ backend, from });
    let last = from;
    for (const [index, member] of members.entries()) {
      member.pause();
      const before = last;
      // Each attempt has its own key, because a write of unknown outcome may have happened.
      for (let attempt = 0; last === before && attempt < 20; attempt++) last = await put(`b${index}-${attempt}`, 'x').catch(() => before);
      expect(last).toBeGreaterThan(before);
      await waitFor(
        async () =>
          backend.currentRevision().then(
            () => true,
            () => false,
          ),
        { what: 'another member to answer' },
      );
      member.resume();
    }
    await watch.reached(last);
    await watch.stop();
    // A paused member is not a replaced store.
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

async function leaderOf(members: readonly EtcdProcess[]): Promise<EtcdProcess> {
  for (const member of members) if (await member.isLeader()) return member;
  throw new Error('no member leads');
}
