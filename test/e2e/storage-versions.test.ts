/**
 * What the server says of itself in StorageVersions: from the start, after a restart, beside another server, and when
 * one is killed.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.ts';
import { collectionPath, CRON_JOB, itemPath, STORAGE_VERSION } from '../support/kinds.ts';
import { openKubectl } from '../support/kubectl.ts';
import { startSecureServer, startServer, temporaryDirectory } from '../support/server.ts';
import { describeServer } from '../support/stores.ts';
import { openTestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait.ts';

const COLLECTION = collectionPath(STORAGE_VERSION, '');
/** Long enough for a server on a busy machine to give its signs of life. */
const TIMEOUT = ['--server-timeout', '3s'];

interface Status {
  readonly storageVersions: readonly { readonly apiServerID: string; readonly encodingVersion: string }[];
  readonly commonEncodingVersion?: string;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

const statusOf = (answer: Answer) => answer.object()['status'] as Status;
const read = async (api: { get: (path: string) => Promise<Answer> }, name = 'batch.cronjobs') =>
  api.get(itemPath(STORAGE_VERSION, '', name));
const serversOf = async (api: { get: (path: string) => Promise<Answer> }) =>
  statusOf(await read(api)).storageVersions.map(({ apiServerID }) => apiServerID);

/** All servers that any StorageVersion names. */
async function serversEverywhere(api: { get: (path: string) => Promise<Answer> }): Promise<readonly string[]> {
  const { items } = (await api.get(COLLECTION)).list();
  return [...new Set(items.flatMap((item) => (item['status'] as Status).storageVersions.map(({ apiServerID }) => apiServerID)))];
}

describeServer(
  'Storage versions',
  (api) => {
    it('are there as soon as the server is ready', async () => {
      const { items } = (await api.get(COLLECTION)).list();
      expect(items.map(({ metadata }) => metadata.name)).toEqual(STORAGE_VERSION.madeByServer);
      const { metadata, status } = (await read(api)).object() as { metadata: object; status?: Status };
      expect(metadata).toMatchObject({ uid: expect.any(String), creationTimestamp: expect.any(String) });
      expect(status).toMatchObject({
        storageVersions: [{ encodingVersion: 'batch/v1', decodableVersions: ['batch/v1'], servedVersions: ['batch/v1'] }],
        commonEncodingVersion: 'batch/v1',
        conditions: [{ type: 'AllEncodingVersionsEqual', status: 'True', reason: 'CommonEncodingVersionSet' }],
      });
      expect((await api.get('/readyz/storage-versions')).text).toBe('ok');
      expect((await api.get('/readyz?verbose')).text).toContain('[+]storage-versions ok\n');
    });

    it('are a table for kubectl', async () => {
      const kubectl = await openKubectl({ server: () => api.baseUrl });
      const lines = (await kubectl.told(['get', 'storageversions'])).trim().split('\n');
      await kubectl.close();
      const [id] = await serversOf(api);
      expect(lines[0]?.split(/ {2,}/)).toEqual(['NAME', 'COMMONENCODINGVERSION', 'STORAGEVERSIONS', 'AGE']);
      expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(0, 3))).toContainEqual([
        'policy.poddisruptionbudgets',
        'policy/v1',
        `${id ?? ''}=policy/v1`,
      ]);
    });

    it('are validated like those of everyone', async () => {
      const stored = (await read(api)).object();
      const refused = await api.put(itemPath(STORAGE_VERSION, '', 'batch.cronjobs'), {
        ...stored,
        status: { ...(stored['status'] as object), commonEncodingVersion: 'batch/v2' },
      });
      expect(refused.status()).toMatchObject({ code: 422, details: { causes: [{ field: 'status.commonEncodingVersion' }] } });
    });

    it('come back when they were deleted', async () => {
      expect((await api.delete(itemPath(STORAGE_VERSION, '', 'apps.controllerrevisions'))).code).toBe(200);
      await waitFor(async () => (await read(api, 'apps.controllerrevisions')).code === 200, { what: 'the entry to come back' });
    });

    it('outlive a restart, and name the servers that live', async () => {
      const before = await serversOf(api);
      await api.restart();
      if (api.backend === 'embedded') expect(await serversOf(api)).toEqual(before);
      // With nothing but an etcd a server keeps no id.
      else
        await waitFor(async () => !(await serversOf(api)).includes(before[0] ?? ''), {
          what: 'the entry of the old server to go',
          timeoutMs: 20_000,
        });
      expect(await serversOf(api)).toHaveLength(1);
      expect(statusOf(await read(api)).commonEncodingVersion).toBe('batch/v1');
    });
  },
  { flags: TIMEOUT },
);

describe('Storage versions of several servers on one etcd', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  }, 30_000);
  const openStore = async () => {
    const store = await openTestStore('etcd');
    closers.push(store.close);
    return store;
  };

  it('name both, and lose the one that is killed, while the other goes on', async () => {
    const { flags } = await openStore();
    const [one, other] = await Promise.all([startServer([...flags, ...TIMEOUT]), startServer([...flags, ...TIMEOUT])]);
    closers.push(one.stop);
    const both = await serversOf(one);
    expect(new Set(both).size).toBe(2);
    expect(statusOf(await read(other)).commonEncodingVersion).toBe('batch/v1');
    await other.kill();
    await waitFor(async () => (await serversEverywhere(one)).length === 1, {
      what: 'the entries of the killed server to go',
      timeoutMs: 20_000,
    });
    expect(both).toContain((await serversEverywhere(one))[0]);
    expect((await one.get(COLLECTION)).list().items.map(({ metadata }) => metadata.name)).toEqual(STORAGE_VERSION.madeByServer);
    expect((await one.post(collectionPath(CRON_JOB, 'a'), CRON_JOB.sample('goes-on', 'a'))).code).toBe(201);
  }, 60_000);

  it('keep the id of a server that has a data folder, also when it is killed', async () => {
    const { flags } = await openStore();
    const folder = await temporaryDirectory();
    closers.push(folder.remove);
    const idIn = async () => (await readFile(join(folder.path, 'server-id'), 'utf8')).trim();
    const first = await startSecureServer(flags, { dataDir: folder.path });
    const id = await idIn();
    await first.kill();
    const second = await startSecureServer(flags, { dataDir: folder.path });
    closers.push(second.stop);
    const witness = await startServer(flags);
    closers.push(witness.stop);
    expect(await idIn()).toBe(id);
    const named = await serversOf(witness);
    expect([named.includes(id), named.length]).toEqual([true, 2]);
  }, 60_000);
});
