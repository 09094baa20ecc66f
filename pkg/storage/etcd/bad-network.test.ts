/** The backend against a real etcd behind a network with failures that are known to break etcd clients. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openEtcd, type Etcd } from '../../../test/support/etcd.ts';
import { ETCD_CLIENTS, openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { deadline, waitFor } from '../../../test/support/wait.ts';
import type { Revision } from '../backend.ts';
import { NO_REVISION, toRevision } from '../backend.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';
import { toKey } from '../keys.ts';
import type { EtcdBackendOptions } from './options.ts';

describe.each(ETCD_CLIENTS)('etcd behind a bad network, by the %s client,', (client) => {
  let etcd: Etcd | undefined;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    etcd = await openEtcd();
  }, 300_000);
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });
  afterAll(() => etcd?.close());

  /** One backend through the proxy, and one directly, over the same keys. */
  async function open(options: Partial<EtcdBackendOptions> = {}): Promise<{ proxy: TcpProxy; proxied: TestBackend; direct: TestBackend }> {
    const endpoint = new URL(etcd?.endpoints[0] ?? '');
    const proxy = await openTcpProxy({ host: endpoint.hostname, port: Number(endpoint.port) });
    opened.push(proxy);
    const direct = await openTestBackend({ servers: etcd?.endpoints ?? [] });
    opened.push(direct.backend);
    const proxied = await openTestBackend({ client, ...options, servers: [`http://127.0.0.1:${proxy.port}`], prefix: direct.prefix });
    opened.push(proxied.backend);
    return { proxy, proxied, direct };
  }

  /** Creates `count` keys concurrently, and returns their revisions in order. */
  async function history({ put }: TestBackend, count: number, bytes: number): Promise<Revision[]> {
    const value = Buffer.alloc(bytes, 'x');
    const revisions: Revision[] = [];
    const writer = async (id: number) => {
      for (let i = id; i < count; i += 32) revisions.push(await put(`h${i}`, value));
    };
    await Promise.all(Array.from({ length: 32 }, (_, id) => writer(id)));
    return revisions.toSorted((a, b) => a - b);
  }

  it('loses and duplicates nothing when connections break repeatedly during a replay', async () => {
    const { proxy, proxied, direct } = await open();
    const from = await direct.backend.currentRevision();
    const revisions = await history(direct, 4000, 1000);
    // Each connection breaks within a batch: a thousand revisions are over a megabyte.
    proxy.cutAfterReplies(1_700_000);
    const watch = record({ backend: proxied.backend, from });
    await watch.until(() => proxied.counts.reopened >= 2);
    proxy.cutAfterReplies(undefined);
    await watch.reached(toRevision(revisions.at(-1) ?? 0));
    await watch.stop();
    expect(watch.changes.map(({ revision }) => revision)).toEqual(revisions);
    expect(proxied.counts.lost).toBe(0);
  });

  it('resumes a live watch after a broken connection', async () => {
    const { proxy, proxied, direct } = await open();
    const from = await direct.backend.currentRevision();
    const watch = record({ backend: proxied.backend, from });
    const first = await direct.put('a', 'one');
    await watch.reached(first);
    proxy.accept(false);
    proxy.cut();
    const second = await direct.put('a', 'two', first);
    const third = await direct.put('a', 'three', second);
    proxy.accept(true);
    await watch.reached(third);
    await watch.stop();
    expect(watch.changes.map(({ record: found }) => found?.value.toString())).toEqual(['one', 'two', 'three']);
    expect(proxied.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toContain(
      'the watch of etcd failed and is reopened',
    );
  });

  it.each(['create', 'update', 'delete'] as const)(
    'calls the outcome of a lost reply unknown, and sends the write once: %s',
    async (operation) => {
      const { proxy, proxied, direct } = await open();
      const key = toKey('/things/a');
      const ifRevision = operation === 'create' ? NO_REVISION : await direct.put('a', 'one');
      const before = await direct.backend.currentRevision();
      proxy.swallowReplies(true);
      const result = proxied.backend.commit({ key, ifRevision, value: operation === 'delete' ? null : Buffer.from('two') });
      await waitFor(async () => (await direct.backend.currentRevision()) > before, { what: 'the write to arrive' });
      proxy.swallowReplies(false);
      proxy.cut();
      const { outcome } = await deadline(result, 5000, 'the outcome');
      expect(outcome).toBe('unknown');
      const seen = record({ backend: direct.backend, from: before });
      await seen.reached(await direct.put('end', 'x'));
      await seen.stop();
      expect(seen.changes.map((change) => [change.key, change.record?.value.toString()])).toEqual([
        [key, operation === 'delete' ? undefined : 'two'],
        [toKey('/things/end'), 'x'],
      ]);
    },
  );

  it('calls a write unknown when the deadline passes, and refuses reads', async () => {
    const { proxy, proxied } = await open({ callTimeoutMs: 300 });
    proxy.blackHole(true);
    const [write, read] = await deadline(
      Promise.all([
        proxied.backend.commit({ key: toKey('/things/a'), ifRevision: NO_REVISION, value: Buffer.from('x') }),
        proxied.backend.get(toKey('/things/a')).catch((error: unknown) => error),
      ]),
      2000,
      'the deadline',
    );
    expect(write.outcome).toBe('unknown');
    expect(isStorageError(read, 'Unreachable')).toBe(true);
    proxy.cut();
    proxy.blackHole(false);
  });

  it('rejects a write, instead of calling it unknown, when there was no connection', async () => {
    const { proxy, proxied } = await open({ callTimeoutMs: 300 });
    proxy.accept(false);
    proxy.cut();
    await waitFor(() => proxy.connections === 0, { what: 'the connections to end' });
    const write = () => proxied.backend.commit({ key: toKey('/things/a'), ifRevision: NO_REVISION, value: Buffer.from('x') });
    // The first may still use the closing connection.
    await write().catch(() => undefined);
    const error = await write().catch((failure: unknown) => failure);
    expect(isStorageError(error, 'Unreachable')).toBe(true);
    proxy.accept(true);
    await waitFor(async () => (await write().catch(() => undefined))?.outcome === 'committed', { what: 'etcd to be reached again' });
  });

  it('detects a dead connection of the watch by keepalive, and loses nothing', async () => {
    const { proxy, proxied, direct } = await open({ keepaliveMs: 1000, keepaliveTimeoutMs: 500, callTimeoutMs: 1000 });
    const from = await direct.backend.currentRevision();
    const watch = record({ backend: proxied.backend, from });
    const first = await direct.put('a', 'one');
    await watch.reached(first);
    proxy.blackHole(true);
    const second = await direct.put('a', 'two', first);
    // Old connections stay dead, new ones work.
    await waitFor(() => proxied.counts.reopened > 0, { what: 'the keepalive to give up', timeoutMs: 5000 });
    proxy.blackHole(false);
    await watch.reached(second);
    await watch.stop();
    expect(watch.changes.map(({ revision }) => revision)).toEqual([first, second]);
  });

  it('transfers a response of many megabytes while other calls continue', async () => {
    const { proxied, direct } = await open();
    const value = Buffer.alloc(1_000_000, 'y');
    for (let i = 0; i < 8; i++) await direct.put(`big${i}`, value);
    const whole = { start: toKey('/things/'), end: toKey('/things0'), limit: 1000, maxBytes: 1 << 26 };
    // The second range knows the record sizes, and reads everything in one response.
    await proxied.backend.range(whole);
    const [page, ...others] = await Promise.all([
      proxied.backend.range(whole),
      ...Array.from({ length: 50 }, (_, i) => proxied.put(`small${i}`, 'x')),
      ...Array.from({ length: 50 }, () => proxied.backend.currentRevision()),
    ]);
    expect(page.records.filter(({ key }) => key.startsWith('/things/big')).map(({ value: { length } }) => length)).toEqual(
      Array.from({ length: 8 }, () => 1_000_000),
    );
    expect(others).toHaveLength(100);
  });

  it('preserves the order on a slow network', async () => {
    const { proxy, proxied } = await open();
    proxy.delay(20);
    const from = await proxied.backend.currentRevision();
    const watch = record({ backend: proxied.backend, from });
    const revisions = await Promise.all(Array.from({ length: 50 }, (_, i) => proxied.put(`a${i}`, 'x')));
    await watch.reached(toRevision(Math.max(...revisions)));
    await watch.stop();
    expect(watch.changes.map(({ revision }) => revision)).toEqual(revisions.toSorted((a, b) => a - b));
  });

  it('reads and writes while its watch is paused, and then delivers everything', async () => {
    const { proxy, proxied } = await open();
    const first = await proxied.put('a', 'one');
    const watch = record({ backend: proxied.backend, from: first });
    await watch.reached(await proxied.put('b', 'x'));
    proxy.holdReplies(true, 1);
    const second = await proxied.put('a', 'two', first);
    expect(await proxied.backend.currentRevision()).toBeGreaterThanOrEqual(second);
    expect(watch.batches.at(-1)?.revision).toBeLessThan(second);
    proxy.holdReplies(false, 1);
    await watch.reached(second);
    await watch.stop();
  });

  it('throws Compacted when the history was compacted while the watch was disconnected', async () => {
    const { proxy, proxied, direct } = await open();
    const from = await direct.backend.currentRevision();
    const watch = record({ backend: proxied.backend, from });
    const first = await direct.put('a', 'one');
    await watch.reached(first);
    proxy.accept(false);
    proxy.cut();
    const second = await direct.put('a', 'two', first);
    const third = await direct.put('a', 'three', second);
    await direct.backend.compact(third);
    proxy.accept(true);
    await watch.until(({ ended }) => ended !== undefined);
    expect(isStorageError(watch.ended?.error, 'Compacted')).toBe(true);
    expect(watch.changes.map(({ revision }) => revision)).toEqual([first]);
  });

  it('ends a watch at once when its signal aborts while nothing responds', async () => {
    const { proxy, proxied } = await open();
    const watch = record({ backend: proxied.backend, from: await proxied.backend.currentRevision() });
    proxy.blackHole(true);
    await deadline(watch.stop(), 500, 'the watch to end');
    expect(watch.ended).toEqual({});
    proxy.cut();
    proxy.blackHole(false);
  });
});
