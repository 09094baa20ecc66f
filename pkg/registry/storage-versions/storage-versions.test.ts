import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../test/support/wait.ts';
import { type Log, type LogFields, silentLog } from '../../observability/logging.ts';
import { NO_REVISION } from '../../storage/backend.ts';
import { StorageError } from '../../storage/errors.ts';
import { encodeRecord } from '../../storage/record.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { kindNamed, never, plainDelete, reread, sample, storeOf, write } from '../../../test/registry/test-registry.ts';
import { objectKey } from '../keys.ts';
import { withMetadata } from '../object-meta.ts';
import { listServers, serverKey, writeHeartbeat } from './server-key.ts';
import {
  everywhere,
  NAMES,
  objectsOf,
  readStorageVersion,
  serversByName,
  startTestServer,
  STEP_MS,
  type TestServer,
  type TestServerOptions,
  withCommit,
} from '../../../test/registry/storage-version-server.ts';

describe('Storage versions', () => {
  let backend: MemoryBackend;
  let clock: ManualClock;
  let running: TestServer[];

  beforeEach(() => {
    backend = new MemoryBackend();
    clock = new ManualClock(1_773_500_000_000);
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((server) => server.close()));
    expect(clock.sleepers).toBe(0);
  });

  /** Resolves when every server has completed its work until the next heartbeat. */
  const allSleeping = () => waitFor(() => clock.sleepers === running.length, { what: 'the servers to sleep', everyMs: 1 });
  const start = async (id: string, options: Partial<TestServerOptions> = {}): Promise<TestServer> => {
    const server = await startTestServer({ backend, id, clock, ...options });
    running.push(server);
    await allSleeping();
    return server;
  };
  /** Like kill -9. */
  const end = async (server: TestServer) => {
    running = running.filter((each) => each !== server);
    await server.close();
  };
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      clock.advance(STEP_MS);
      await allSleeping();
    }
  };
  /** Written by another program. */
  const report = (registry: TestServer['registry'], name: string, apiServerID: string) =>
    objectsOf(registry, clock).change(
      name,
      (current) => {
        if (current === undefined) return { action: 'create' };
        const entry = { apiServerID, encodingVersion: 'v1', decodableVersions: ['v1'] };
        return { action: 'write', status: { storageVersions: [entry], commonEncodingVersion: 'v1' } };
      },
      never,
    );
  const ids = async () => (await listServers(backend)).map(({ id }) => id);

  it('are published by a server for all that it stores', async () => {
    const { registry, storageVersions } = await start('a');
    expect(storageVersions.notReady).toBeUndefined();
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
    expect((await readStorageVersion(registry, 'events.example.io.events')).status).toEqual({
      storageVersions: [
        {
          apiServerID: 'a',
          encodingVersion: 'events.example.io/v1',
          decodableVersions: ['events.example.io/v1'],
          servedVersions: ['events.example.io/v1'],
        },
      ],
      commonEncodingVersion: 'events.example.io/v1',
      conditions: [
        {
          type: 'AllEncodingVersionsEqual',
          status: 'True',
          lastTransitionTime: new Date(clock.now()).toISOString().replace('.000Z', 'Z'),
          reason: 'CommonEncodingVersionSet',
          message: 'Common encoding version set',
        },
      ],
    });
  });

  it('name every server over the store, and what they agree on', async () => {
    const [{ registry }] = [await start('a'), await start('b')];
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
    expect((await readStorageVersion(registry, 'batch.cronjobs')).status).toMatchObject({ commonEncodingVersion: 'batch/v1' });
    expect(await ids()).toEqual(['a', 'b']);
  });

  it('are not written while nothing changes, nor by a restart', async () => {
    const first = await start('a');
    const before = await readStorageVersion(first.registry, 'batch.cronjobs');
    await advance(10 * STEP_MS);
    await end(first);
    clock.advance(STEP_MS);
    const { registry } = await start('a');
    expect(await readStorageVersion(registry, 'batch.cronjobs')).toEqual(before);
  });

  it('lose the entries of a server that gave no heartbeat for its time, and not before', async () => {
    const [{ registry }, b] = [await start('a'), await start('b')];
    await advance(20 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
    await end(b);
    await advance(2 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
    await advance(2 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
    expect(await ids()).toEqual(['a']);
  });

  it('lose them once, whoever else looks', async () => {
    const [a, b] = [await start('a'), await start('b')];
    await start('c');
    await end(a);
    await advance(5 * STEP_MS);
    expect(await serversByName(b.registry, clock)).toEqual(everywhere('b', 'c'));
    expect(await ids()).toEqual(['b', 'c']);
  });

  it('lose what a server left that died while it removed the entries of another', async () => {
    const dying = await start('dead');
    const { registry } = await start('a');
    await end(dying);
    const [dead] = (await listServers(backend)).filter(({ id }) => id === 'dead');
    if (dead?.heartbeat === undefined) throw new Error('no heartbeat');
    const mark = { ...dead.heartbeat, gone: true };
    await writeHeartbeat({ backend, random: () => Buffer.alloc(8) }, 'dead', dead.revision, mark);
    await advance(4 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
    expect(await ids()).toEqual(['a']);
  });

  it('go with the last entry, when nobody stores such a resource any more', async () => {
    const { registry } = await start('a');
    const gone = await start('gone');
    await report(registry, 'example.com.widgets', 'gone');
    await end(gone);
    await advance(4 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
  });

  it('lose the entries of a server that is gone also where a finalizer holds the object', async () => {
    const { registry } = await start('a');
    const gone = await start('gone');
    const held = sample('StorageVersion', { name: 'example.com.widgets', finalizers: ['example.com/hold'] });
    await storeOf(registry, 'StorageVersion').create('', held, write);
    await report(registry, 'example.com.widgets', 'gone');
    await end(gone);
    await advance(4 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual({ ...everywhere('a'), 'example.com.widgets': [] });
  });

  it('are published in objects that are being deleted', async () => {
    const { registry } = await start('a');
    const store = storeOf(registry, 'StorageVersion');
    const name = { namespace: '', name: 'batch.cronjobs' };
    const published = reread(await store.get(name, { at: 'newest' }, never));
    await store.replace(name, withMetadata(published, { finalizers: ['example.com/hold'] }), '', write);
    await store.delete(name, plainDelete);
    const b = await start('b');
    expect(b.storageVersions.notReady).toBeUndefined();
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
    await end(b);
    await advance(4 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
  });

  it('do not name a server where it stores nothing any more', async () => {
    const first = await start('a');
    await report(first.registry, 'example.com.widgets', 'a');
    await end(first);
    const { registry } = await start('a');
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
  });

  it.each([
    ['of no form', Buffer.from('no record')],
    [
      'of broken JSON',
      encodeRecord({
        token: '12345678',
        json: Buffer.from('{"kind":"StorageVersion","apiVersion":"internal.apiserver.example.io/v1alpha1","metadata":{"name":,}}'),
      }),
    ],
  ])('take the place of a stored value %s, which no client could delete', async (_, value) => {
    const key = objectKey(kindNamed('StorageVersion').definition, { namespace: '', name: 'batch.cronjobs' });
    await backend.commit({ key, ifRevision: NO_REVISION, value });
    const { registry, storageVersions } = await start('a');
    expect(storageVersions.notReady).toBeUndefined();
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
  });

  it('lose the entries of servers that are gone before there is room for one more', async () => {
    const restarted = ['x', 'y', 'z'];
    for (const id of restarted) await end(await start(id));
    const full = withCommit(backend, async (request) => {
      if ((request.value?.toString().split('apiServerID').length ?? 0) > restarted.length + 1) throw new StorageError('TooLarge', 'full');
      return backend.commit(request);
    });
    const server = await start('a', { backend: full });
    expect(server.storageVersions.notReady).toBeDefined();
    for (let tries = 0; tries < 12; tries++) await advance(STEP_MS);
    expect(server.storageVersions.notReady).toBeUndefined();
    expect(await serversByName(server.registry, clock)).toEqual(everywhere('a'));
  });

  it('cost one write for each heartbeat', async () => {
    const keys: string[] = [];
    const counting = withCommit(backend, async (request) => {
      keys.push(request.key);
      return backend.commit(request);
    });
    await start('a', { backend: counting });
    keys.length = 0;
    await advance(5 * STEP_MS);
    expect(keys).toEqual(Array.from({ length: 5 }, () => serverKey('a')));
  });

  it('leave alone what others report who give no signs of life here', async () => {
    const { registry } = await start('a');
    await report(registry, 'example.com.widgets', 'elsewhere');
    await advance(10 * STEP_MS);
    expect(await serversByName(registry, clock)).toMatchObject({ 'example.com.widgets': ['elsewhere'] });
  });

  it('get an entry back that somebody took away', async () => {
    const { registry } = await start('a');
    await storeOf(registry, 'StorageVersion').delete({ namespace: '', name: 'batch.cronjobs' }, plainDelete);
    await advance(STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
  });

  it('come back with a server that was taken for gone and lives, which takes no writes until then', async () => {
    const { registry } = await start('a');
    let cut = false;
    const returning: TestServer[] = [];
    const unready: unknown[] = [];
    const cutOff = withCommit(backend, async (request) => {
      if (cut) throw new StorageError('Unreachable', 'cut off');
      unready.push(returning[0]?.storageVersions.notReady);
      return backend.commit(request);
    });
    const b = await start('b', { backend: cutOff });
    returning.push(b);
    cut = true;
    await advance(4 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a'));
    cut = false;
    await advance(STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
    expect(unready).toContain('storage versions are not published yet');
    expect(b.storageVersions.notReady).toBeUndefined();
    await advance(10 * STEP_MS);
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
  });

  it('stay with a server that comes back while a write that removes its entry is under way', async () => {
    const gate = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    let holding = false;
    const slow = withCommit(backend, async (request) => {
      if (holding && request.key.startsWith('/internal.apiserver.')) {
        held.resolve(undefined);
        await gate.promise;
      }
      return backend.commit(request);
    });
    const { registry } = await start('a', { backend: slow });
    await end(await start('b'));
    await advance(3 * STEP_MS);
    holding = true;
    clock.advance(STEP_MS);
    await held.promise;
    const back = await startTestServer({ backend, id: 'b', clock });
    running.push(back);
    await back.storageVersions.published;
    holding = false;
    gate.resolve(undefined);
    await allSleeping();
    expect(await serversByName(registry, clock)).toEqual(everywhere('a', 'b'));
  });

  it('are told apart although two processes run under one id', async () => {
    const first = await start('same');
    const second = await start('same');
    await advance(STEP_MS);
    const [one, other] = await ids();
    expect([one?.startsWith('host-'), other]).toEqual([true, 'same']);
    expect(await serversByName(first.registry, clock)).toEqual(everywhere('same', one ?? ''));
    await advance(10 * STEP_MS);
    expect(await ids()).toEqual([one, other]);
    expect(second.storageVersions.notReady).toBeUndefined();
  });

  it('wait for the cache, and stop writes until they are in; what fails is logged and tried again, ever more slowly', async () => {
    const warnings: [string, LogFields | undefined][] = [];
    const log: Log = { ...silentLog, warn: (message, fields) => void warnings.push([message, fields]) };
    let readOnly = true;
    const flaky = withCommit(backend, async (request) => {
      if (readOnly && request.key !== serverKey('a')) throw new StorageError('ReadOnly', 'no space');
      return backend.commit(request);
    });
    const { promise: filled, resolve } = Promise.withResolvers<undefined>();
    const server = await startTestServer({ backend: flaky, id: 'a', clock, log, filled });
    running.push(server);
    await waitFor(async () => (await ids()).length === 1, { what: 'the first heartbeat' });
    expect(server.storageVersions.notReady).toBe('storage versions are not published yet');
    resolve(undefined);
    await allSleeping();
    for (const waitMs of [1000, 2000, 4000]) {
      clock.advance(waitMs - 1);
      expect(clock.sleepers).toBe(1);
      clock.advance(1);
      expect(clock.sleepers).toBe(0);
      await allSleeping();
    }
    expect(warnings).toHaveLength(4);
    expect(server.storageVersions.notReady).toBeDefined();
    readOnly = false;
    clock.advance(8000);
    await server.storageVersions.published;
    expect(server.storageVersions.notReady).toBeUndefined();
    await allSleeping();
    expect(Object.keys(await serversByName(server.registry, clock)).sort()).toEqual(NAMES);
  });

  it('are closed although the store never gets ready', async () => {
    const server = await startTestServer({ backend, id: 'a', clock, filled: new Promise(() => undefined) });
    await server.close();
    await server.close();
  });
});
