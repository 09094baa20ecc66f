/** TLS, client certificates, passwords, and a user who may access only the prefix. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Etcd3 } from 'etcd3';
import { startEtcd, type EtcdProcess } from '../../../test/support/etcd.ts';
import { ETCD_CLIENTS, openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { record } from '../../../test/storage/recording.ts';
import { isStorageError } from '../errors.ts';

const TLS = join(import.meta.dirname, '../../../test/support/testdata/tls');
const pem = (name: string) => readFile(join(TLS, `${name}.pem`));

function useBackends(): (backend: TestBackend) => TestBackend {
  const opened: TestBackend[] = [];
  afterEach(async () => {
    for (const { backend } of opened.splice(0)) await backend.close();
  });
  return (backend) => {
    opened.push(backend);
    return backend;
  };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(ETCD_CLIENTS)('etcd with TLS and passwords, by the %s client,', (client) => {
  let etcd: EtcdProcess | undefined;
  const servers = () => [etcd?.endpoint ?? ''];
  const keep = useBackends();
  beforeAll(async () => {
    const file = (name: string) => join(TLS, `${name}.pem`);
    etcd = await startEtcd({
      tlsFlags: ['--cert-file', file('server'), '--key-file', file('server-key'), '--client-cert-auth', '--trusted-ca-file', file('ca')],
      flags: ['--auth-token-ttl', '1'],
    });
    const admin = new Etcd3({
      hosts: servers(),
      credentials: { rootCertificate: await pem('ca'), privateKey: await pem('client-key'), certChain: await pem('client') },
    });
    const root = await admin.role('root').create();
    await (await admin.user('root').create('secret')).addRole(root);
    await admin.auth.authEnable();
    admin.close();
  }, 300_000);
  afterAll(() => etcd?.close());

  const tls = async () => ({ ca: await pem('ca'), cert: await pem('client'), key: await pem('client-key') });

  it('reads, writes and watches with a client certificate and a password', async () => {
    const { backend, put } = keep(
      await openTestBackend({ client, servers: servers(), tls: await tls(), username: 'root', password: 'secret' }),
    );
    const from = await backend.currentRevision();
    const watch = record({ backend, from });
    const revision = await put('a', 'one');
    await watch.reached(revision);
    await watch.stop();
    expect(watch.changes).toHaveLength(1);
    expect(backend.freshness).toBe('whole-key-space');
  });

  it('logs in again when etcd has lost the token', async () => {
    const { backend, put } = keep(
      await openTestBackend({ client, servers: servers(), tls: await tls(), username: 'root', password: 'secret' }),
    );
    const first = await put('a', 'one');
    // etcd keeps simple tokens in memory only.
    await etcd?.kill('SIGKILL');
    await etcd?.start();
    const watch = record({ backend, from: first });
    const second = await put('a', 'two', first);
    await watch.reached(second);
    await watch.stop();
    expect(watch.changes).toHaveLength(1);
  });

  it('is denied with a wrong password', async () => {
    const error = await failure(openTestBackend({ client, servers: servers(), tls: await tls(), username: 'root', password: 'wrong' }));
    expect(isStorageError(error, 'Denied')).toBe(true);
  });

  it('is denied without a password', async () => {
    const error = await failure(openTestBackend({ client, servers: servers(), tls: await tls() }));
    // etcd uses the common name of the certificate as the user, which does not exist.
    expect(isStorageError(error, 'Denied')).toBe(true);
  });

  it('does not reach etcd without a client certificate', async () => {
    const error = await failure(openTestBackend({ client, servers: servers(), tls: { ca: await pem('ca') }, callTimeoutMs: 500 }));
    expect(isStorageError(error, 'Unreachable')).toBe(true);
    expect(String(error)).toMatch(/certificate/);
  });

  it('reports why it does not trust the certificate of etcd', async () => {
    const error = await failure(openTestBackend({ client, servers: servers(), callTimeoutMs: 500 }));
    expect(isStorageError(error, 'Unreachable')).toBe(true);
    expect(String(error)).toMatch(/certificate/);
  });
});

describe.each(ETCD_CLIENTS)('etcd with a user who may read only the prefix, by the %s client,', (client) => {
  const PREFIX = '/mine';
  let etcd: EtcdProcess | undefined;
  let admin: Etcd3 | undefined;
  const keep = useBackends();
  const user = async () =>
    keep(await openTestBackend({ client, servers: [etcd?.endpoint ?? ''], prefix: PREFIX, username: 'limited', password: 'secret' }));
  beforeAll(async () => {
    etcd = await startEtcd();
    const before = new Etcd3({ hosts: etcd.endpoint });
    const root = await before.role('root').create();
    await (await before.user('root').create('secret')).addRole(root);
    const role = await before.role('limited').create();
    await role.grant({ permission: 'Readwrite', range: before.range({ prefix: `${PREFIX}/` }) });
    await (await before.user('limited').create('secret')).addRole(role);
    await before.auth.authEnable();
    before.close();
    admin = new Etcd3({ hosts: etcd.endpoint, auth: { username: 'root', password: 'secret' } });
  }, 300_000);
  afterAll(async () => {
    admin?.close();
    await etcd?.close();
  });

  it('watches the prefix instead, logs that once, and reports a weaker freshness', async () => {
    const { backend, put, lines, counts } = await user();
    expect(backend.freshness).toBe('whole-key-space');
    const from = await backend.currentRevision();
    const watches = [record({ backend, from }), record({ backend, from })];
    const first = await put('a', 'one');
    await admin?.put('/foreign').value('x');
    const third = await put('a', 'two', first);
    for (const watch of watches) await watch.reached(third);
    expect(watches.map(({ changes }) => changes.map(({ revision }) => revision))).toEqual([
      [first, third],
      [first, third],
    ]);
    for (const watch of watches) await watch.stop();
    expect(['progress', 'backend']).toContain(backend.freshness);
    expect(lines.filter(({ message }) => message.startsWith('etcd lets this user read only the prefix'))).toHaveLength(1);
    expect(counts.lost).toBe(0);
  });

  it('requests progress of the watch where etcd reports it reliably', async () => {
    const { backend, put } = await user();
    const watch = record({ backend, from: await backend.currentRevision() });
    await watch.reached(await put('p', 'one'));
    await admin?.put('/foreign').value('y');
    const now = await backend.currentRevision();
    if (backend.freshness === 'progress') await watch.reached(now);
    else expect(watch.batches.at(-1)?.revision).toBeLessThan(now);
    await watch.stop();
  });

  it('has a partial status', async () => {
    const { backend } = await user();
    const status = await backend.status();
    expect(status.clusterId).not.toBe('');
    expect(status.alarms).toEqual([]);
  });

  it('is denied another prefix', async () => {
    const opening = openTestBackend({ client, servers: [etcd?.endpoint ?? ''], prefix: '/other', username: 'limited', password: 'secret' });
    expect(isStorageError(await failure(opening), 'Denied')).toBe(true);
  });
});
