/** Dead connections and stopped members are detected long before keepalives and deadlines. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { startEtcd, startEtcdCluster, type EtcdProcess } from '../../../test/support/etcd.ts';
import { ETCD_CLIENTS, openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { deadline, waitFor } from '../../../test/support/wait.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** Timeouts that are too long to detect anything. */
const PATIENT = { keepaliveMs: 120_000, keepaliveTimeoutMs: 120_000, callTimeoutMs: 120_000 };

describe.each(ETCD_CLIENTS)('dead connections to etcd, by the %s client,', (client) => {
  async function open(): Promise<{ proxy: TcpProxy; proxied: TestBackend; direct: TestBackend }> {
    const etcd = await startEtcd();
    const proxy = await openTcpProxy({ host: etcd.host, port: etcd.port });
    const direct = await openTestBackend({ servers: [etcd.endpoint] });
    const proxied = await openTestBackend({ client, ...PATIENT, servers: [`http://127.0.0.1:${proxy.port}`], prefix: direct.prefix });
    opened.push(etcd, proxy, direct.backend, proxied.backend);
    return { proxy, proxied, direct };
  }

  const isNotReady = async ({ backend }: TestBackend): Promise<boolean> =>
    backend.status().then(
      ({ notReady }) => notReady !== undefined,
      (error: unknown) => isStorageError(error, 'Unreachable'),
    );

  it('of a watch are detected by the revisions of calls, and etcd is not ready until the watch runs again', async () => {
    const { proxy, proxied, direct } = await open();
    const first = await direct.put('a', 'one');
    const watch = record({ backend: proxied.backend, from: first });
    const second = await direct.put('a', 'two', first);
    await watch.reached(second);
    proxy.strand();
    // Calls get a new connection; the watch keeps the dead one.
    proxied.backend.currentRevision().catch(() => undefined);
    const third = await direct.put('a', 'three', second);
    const states: boolean[] = [];
    await deadline(
      waitFor(
        async () => {
          if (watch.changes.at(-1)?.revision === third) return true;
          states.push(await isNotReady(proxied));
          return false;
        },
        { what: 'the watch to go on', timeoutMs: 10_000 },
      ),
      10_000,
      'the watch to go on',
    );
    expect(states).toContain(true);
    expect(await isNotReady(proxied)).toBe(false);
    await watch.stop();
    expect(watch.changes.map(({ revision }) => revision)).toEqual([second, third]);
  });

  it('of calls and of watches are detected together', async () => {
    const { proxy, proxied, direct } = await open();
    const first = await direct.put('a', 'one');
    const watch = record({ backend: proxied.backend, from: first });
    const second = await direct.put('a', 'two', first);
    await watch.reached(second);
    proxy.strand();
    const third = await direct.put('a', 'three', second);
    // Only the watch and this call can detect it.
    expect(isStorageError(await proxied.backend.currentRevision().catch((error: unknown) => error), 'Unreachable')).toBe(true);
    await deadline(watch.reached(third), 8000, 'the watch to go on');
    expect(await isNotReady(proxied)).toBe(false);
    await watch.stop();
  });

  it('of a stopped member block neither writes nor the watch while the others have a quorum', async () => {
    const members = await startEtcdCluster();
    opened.push(...members);
    const servers = members.map(({ endpoint }: EtcdProcess) => endpoint);
    const { backend, put } = await openTestBackend({ client, ...PATIENT, servers });
    opened.push(backend);
    let last = await put('a', 'x');
    const watch = record({ backend, from: last });
    for (const [index, member] of members.entries()) {
      // A write that etcd loses at a change of its leader fails there only after 7 s.
      const withinMs = (await member.isLeader()) ? 20_000 : 8000;
      member.pause();
      const before = last;
      const write = async (): Promise<void> => {
        // Each attempt has its own key, because a write of unknown outcome may have happened.
        for (let attempt = 0; last === before; attempt++) last = await put(`b${index}-${attempt}`, 'x').catch(() => before);
      };
      await deadline(write(), withinMs, 'a write to be taken');
      // Long, since the machine may be busy with other tests.
      await deadline(watch.reached(last), 20_000, 'the watch to go on');
      member.resume();
    }
    await watch.stop();
  }, 120_000);
});
