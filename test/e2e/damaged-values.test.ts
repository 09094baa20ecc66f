/** An object whose stored value is damaged: nobody is told that it is not there, and there is a way out. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { toKey } from '../../pkg/storage/keys.ts';
import { collectionPath, CRON_JOB, itemPath } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';
import { changeStopped } from '../support/stopped-store.ts';

const NAMESPACE = 'damaged';
const COLLECTION = collectionPath(CRON_JOB, NAMESPACE);
const EVERYWHERE = '/apis/batch/v1/cronjobs';
const UNREADABLE_ONLY = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';
const item = (name: string) => itemPath(CRON_JOB, NAMESPACE, name);

/** Cuts the value of the object in half, while no server runs. */
const damage = (api: Suite, name: string): Promise<void> =>
  changeStopped(api, async (backend) => {
    const key = toKey(`/batch/cronjobs/${NAMESPACE}/${name}`);
    const { record } = await backend.get(key);
    if (record === undefined) throw new Error('nothing is stored');
    const value = record.value.subarray(0, record.value.length / 2);
    expect(await backend.commit({ key, ifRevision: record.revision, value })).toMatchObject({ outcome: 'committed' });
  });

describeServer(
  'Of a stored value that cannot be read',
  (api) => {
    const namesOf = async (path: string) => (await api.get(path)).list().items.map(({ metadata }) => metadata.name);

    beforeAll(async () => {
      for (const name of ['a', 'b', 'c']) expect((await api.post(COLLECTION, CRON_JOB.sample(name, NAMESPACE))).code).toBe(201);
      expect((await api.post(collectionPath(CRON_JOB, 'whole'), CRON_JOB.sample('x', 'whole'))).code).toBe(201);
      await damage(api, 'b');
    }, 60_000);

    it.each([
      COLLECTION,
      `${COLLECTION}?limit=1`,
      `${COLLECTION}?resourceVersion=0`,
      `${COLLECTION}?labelSelector=app%3Dnone`,
      `${COLLECTION}?fieldSelector=metadata.name%3Db`,
      EVERYWHERE,
    ])('%s says which key it is', async (path) => {
      expect((await api.get(path)).status()).toMatchObject({
        code: 500,
        reason: 'StorageReadError',
        message: 'failed to read one or more cronjobs.batch from the storage',
        details: {
          group: 'batch',
          kind: 'cronjobs',
          causes: [{ reason: 'UnexpectedServerResponse', field: expect.stringMatching(new RegExp(`/batch/cronjobs/${NAMESPACE}/b$`)) }],
        },
      });
    });

    it('GET says so', async () => {
      const status = (await api.get(item('b'))).status();
      expect(status).toMatchObject({ code: 500, reason: 'InternalError', message: expect.stringContaining(`/${NAMESPACE}/b`) });
    });

    it('the metrics count it', async () => {
      const { text } = await api.get('/metrics');
      expect(text).toContain('coxswain_unreadable_objects{group="batch",resource="cronjobs"} 1\n');
      expect(text).toContain('coxswain_unreadable_objects{group="policy",resource="poddisruptionbudgets"} 0\n');
    });

    it('what cannot mean it is served', async () => {
      expect(await namesOf(collectionPath(CRON_JOB, 'whole'))).toEqual(['x']);
      expect(await namesOf(`${COLLECTION}?fieldSelector=metadata.name%3Da`)).toEqual(['a']);
      expect((await api.get(item('c'))).code).toBe(200);
    });

    it('a watch that begins with the state says so, and ends', async () => {
      const stream = await api.watch(
        `${COLLECTION}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      );
      expect(await stream.next()).toMatchObject({ type: 'ERROR', object: { code: 500, reason: 'StorageReadError' } });
      expect(await stream.ended).toBe('end');
    });

    it('a delete of the collection takes nothing', async () => {
      expect((await api.delete(COLLECTION)).code).toBe(500);
      for (const name of ['a', 'c']) expect((await api.get(item(name))).code).toBe(200);
    });

    describe('a delete by name', () => {
      it('is refused, unless it is told to pass over what cannot be read', async () => {
        expect((await api.delete(item('b'))).code).toBe(500);
      });

      it.each([
        ['of an object that can be read', `${item('a')}?${UNREADABLE_ONLY}`],
        ['with another option', `${item('b')}?${UNREADABLE_ONLY}&dryRun=All`],
        ['of a collection', `${COLLECTION}?${UNREADABLE_ONLY}`],
      ])('is refused %s', async (_, path) => {
        const status = (await api.delete(path)).status();
        expect(status).toMatchObject({ code: 422, reason: 'Invalid' });
        expect(status.details?.causes).toEqual([expect.objectContaining({ field: UNREADABLE_ONLY.replace('=true', '') })]);
      });

      it('that is told to takes it away, and everything is served again', async () => {
        const { resourceVersion } = (await api.get(collectionPath(CRON_JOB, 'whole'))).list().metadata;
        const stream = await api.watch(`${COLLECTION}?watch=true&resourceVersion=${resourceVersion}`);
        expect((await api.delete(`${item('b')}?${UNREADABLE_ONLY}`)).status()).toMatchObject({
          status: 'Success',
          details: { name: 'b', kind: 'cronjobs' },
        });
        expect((await api.delete(`${item('b')}?${UNREADABLE_ONLY}`)).code).toBe(404);
        expect(await namesOf(COLLECTION)).toEqual(['a', 'c']);
        expect((await api.post(COLLECTION, CRON_JOB.sample('b', NAMESPACE))).code).toBe(201);
        expect(await stream.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
        stream.close();
      });
    });
  },
  { flags: ['--feature-gates', 'AllowUnsafeMalformedObjectDeletion=true'] },
);
