/** What the server fills in, what it refuses to have changed, and how writers of one object meet. */
import { describe, expect, it } from '@jest/globals';
import { CRON_JOB, EVENT, VOLUME_ATTACHMENT, collectionPath, itemPath, type SampleObject } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';

const namespace = 'metadata';
const collection = collectionPath(CRON_JOB, namespace);
const path = (name: string) => itemPath(CRON_JOB, namespace, name);
const sample = (name: string, metadata: Readonly<Record<string, unknown>> = {}): SampleObject => {
  const object = CRON_JOB.sample(name, namespace);
  return { ...object, metadata: { ...object.metadata, ...metadata } };
};

describeServer('Metadata', (api) => {
  const created = async (name: string, metadata: Readonly<Record<string, unknown>> = {}) =>
    (await api.post(collection, sample(name, metadata))).object();

  describe('names', () => {
    it('are made from generateName: the prefix and five more characters', async () => {
      const body = { ...sample('unused'), metadata: { generateName: 'nightly-' } };
      const first = (await api.post(collection, body)).object();
      const second = (await api.post(collection, body)).object();
      expect(first.metadata.name).toMatch(/^nightly-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(second.metadata.name).toMatch(/^nightly-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(second.metadata.name).not.toBe(first.metadata.name);
      expect(first.metadata).toMatchObject({ generateName: 'nightly-', namespace });
    });

    it('win over generateName when both are sent', async () => {
      expect((await created('named', { generateName: 'other-' })).metadata).toMatchObject({ name: 'named', generateName: 'other-' });
    });

    it('are required', async () => {
      const answer = await api.post(collection, { ...sample('unused'), metadata: {} });
      expect(answer.code).toBe(422);
      expect(answer.status().details?.causes).toContainEqual(
        expect.objectContaining({ reason: 'FieldValueRequired', field: 'metadata.name' }),
      );
    });

    it('that are no DNS subdomain are refused', async () => {
      const answer = await api.post(collection, sample('Not_A_Name'));
      expect(answer.code).toBe(422);
      expect(answer.status()).toMatchObject({ reason: 'Invalid', details: { name: 'Not_A_Name', kind: 'CronJob', group: 'batch' } });
      expect(answer.status().details?.causes).toContainEqual(
        expect.objectContaining({ reason: 'FieldValueInvalid', field: 'metadata.name' }),
      );
    });

    it('that are taken are refused with AlreadyExists', async () => {
      await created('taken');
      const answer = await api.post(collection, sample('taken'));
      expect(answer.code).toBe(409);
      expect(answer.status()).toMatchObject({
        reason: 'AlreadyExists',
        message: 'cronjobs.batch "taken" already exists',
        details: { name: 'taken', kind: 'cronjobs', group: 'batch' },
      });
    });

    it('may be taken again in another namespace', async () => {
      await created('twice');
      const other = collectionPath(CRON_JOB, 'metadata-other');
      expect((await api.post(other, CRON_JOB.sample('twice', 'metadata-other'))).code).toBe(201);
    });
  });

  describe('fields of the server', () => {
    it('cannot be set by a client', async () => {
      const object = await created('own', {
        uid: '11111111-2222-3333-4444-555555555555',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        generation: 17,
        selfLink: '/somewhere',
      });
      expect(object.metadata.uid).not.toBe('11111111-2222-3333-4444-555555555555');
      expect(object.metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z');
      expect(object.metadata.deletionTimestamp).toBeUndefined();
      expect(object.metadata.generation).toBe(1);
      expect(object.metadata).not.toHaveProperty('selfLink');
    });

    it('stay what they are when a replacement names others', async () => {
      const object = await created('kept');
      const answer = await api.put(path('kept'), {
        ...object,
        metadata: { ...object.metadata, creationTimestamp: '2001-01-01T00:00:00Z', generation: 99, labels: { changed: 'yes' } },
      });
      expect(answer.code).toBe(200);
      expect(answer.object().metadata).toMatchObject({ creationTimestamp: object.metadata.creationTimestamp, generation: 1 });
    });

    it('include a generation that rises with spec and not with metadata', async () => {
      const object = await created('generation');
      const relabelled = (await api.put(path('generation'), { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } })).object();
      expect(relabelled.metadata.generation).toBe(1);
      const changed = (await api.put(path('generation'), CRON_JOB.change(relabelled as unknown as SampleObject, 1))).object();
      expect(changed.metadata.generation).toBe(2);
    });

    it('refuse a create that names a resourceVersion', async () => {
      const answer = await api.post(collection, sample('versioned', { resourceVersion: '5' }));
      expect(answer.code).toBeGreaterThanOrEqual(400);
      expect(answer.code).toBeLessThan(500);
      answer.status();
    });
  });

  describe('mismatches of body and path', () => {
    it.each([
      ['namespace on create', () => api.post(collection, CRON_JOB.sample('mismatch', 'another'))],
      ['namespace on replace', () => api.put(path('mismatch'), CRON_JOB.sample('mismatch', 'another'))],
      ['name on replace', () => api.put(path('mismatch'), sample('another'))],
      ['kind', () => api.post(collection, { ...sample('mismatch'), kind: 'Job' })],
      ['apiVersion', () => api.post(collection, { ...sample('mismatch'), apiVersion: 'batch/v1beta1' })],
      ['kind and apiVersion of another resource', () => api.post(collection, EVENT.sample('mismatch', namespace))],
    ])('are refused: %s', async (_what, send) => {
      const answer = await send();
      expect(answer.code).toBe(400);
      expect(answer.status().reason).toBe('BadRequest');
    });

    it('are no mismatch when kind, apiVersion and namespace are left out', async () => {
      const { kind: _kind, apiVersion: _version, ...body } = sample('terse');
      const answer = await api.post(collection, { ...body, metadata: { name: 'terse' } });
      expect(answer.code).toBe(201);
      expect(answer.object()).toMatchObject({ kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'terse', namespace } });
    });

    it('do not exist for the namespace of a cluster-wide kind: it is dropped', async () => {
      const body = VOLUME_ATTACHMENT.sample('cluster-wide', '');
      const answer = await api.post(collectionPath(VOLUME_ATTACHMENT, ''), body);
      expect(answer.object().metadata).not.toHaveProperty('namespace');
    });
  });

  describe('preconditions of a replacement', () => {
    it('refuse another uid with 409', async () => {
      const object = await created('uid');
      const answer = await api.put(path('uid'), {
        ...object,
        metadata: { ...object.metadata, uid: '11111111-2222-3333-4444-555555555555' },
      });
      expect(answer.code).toBe(409);
      expect(answer.status().reason).toBe('Conflict');
    });

    it('refuse a resourceVersion that is no number, with a client error', async () => {
      const object = await created('garbled');
      const answer = await api.put(path('garbled'), { ...object, metadata: { ...object.metadata, resourceVersion: 'x1' } });
      expect(answer.code).toBeGreaterThanOrEqual(400);
      expect(answer.code).toBeLessThan(500);
    });

    it('let exactly one of many writers of the same state win', async () => {
      const object = await created('race');
      const writers = Array.from({ length: 20 }, (_, step) =>
        api.put(path('race'), CRON_JOB.change(object as unknown as SampleObject, step)),
      );
      const codes = (await Promise.all(writers)).map((answer) => answer.code);
      expect(codes.filter((code) => code === 200)).toHaveLength(1);
      expect(codes.filter((code) => code === 409)).toHaveLength(19);
    });

    it('let exactly one of many creators of the same name win', async () => {
      const codes = (await Promise.all(Array.from({ length: 20 }, () => api.post(collection, sample('first'))))).map(
        (answer) => answer.code,
      );
      expect(codes.filter((code) => code === 201)).toHaveLength(1);
      expect(codes.filter((code) => code === 409)).toHaveLength(19);
    });
  });

  describe('dryRun=All', () => {
    it('answers a create as if it had happened, and stores nothing', async () => {
      const answer = await api.post(`${collection}?dryRun=All`, sample('dry'));
      expect(answer.code).toBe(201);
      expect(answer.object().metadata).toMatchObject({ name: 'dry', namespace, generation: 1 });
      expect((await api.get(path('dry'))).code).toBe(404);
    });

    it('answers a replacement as if it had happened, and stores nothing', async () => {
      const object = await created('dry-put');
      const answer = await api.put(`${path('dry-put')}?dryRun=All`, CRON_JOB.change(object as unknown as SampleObject, 1));
      expect(answer.code).toBe(200);
      expect(answer.object()['spec']).toMatchObject({ startingDeadlineSeconds: 101 });
      expect((await api.get(path('dry-put'))).object()).toEqual(object);
    });

    it('answers a delete as if it had happened, and deletes nothing', async () => {
      const object = await created('dry-delete');
      expect((await api.delete(`${path('dry-delete')}?dryRun=All`)).code).toBe(200);
      expect((await api.delete(path('dry-delete'), { dryRun: ['All'] })).code).toBe(200);
      expect((await api.get(path('dry-delete'))).object()).toEqual(object);
    });

    it('refuses what a real write would refuse', async () => {
      await created('dry-taken');
      expect((await api.post(`${collection}?dryRun=All`, sample('dry-taken'))).status().reason).toBe('AlreadyExists');
      expect((await api.post(`${collection}?dryRun=All`, sample('Dry'))).status().reason).toBe('Invalid');
    });

    it.each(['dryRun=Some', 'dryRun='])('refuses any other value: %s', async (query) => {
      const answer = await api.post(`${collection}?${query}`, sample('dry-word'));
      expect(answer.code).toBe(422);
      expect(answer.status().details?.causes).toContainEqual(
        expect.objectContaining({ reason: 'FieldValueNotSupported', field: 'dryRun' }),
      );
      expect((await api.get(path('dry-word'))).code).toBe(404);
    });
  });
});
