/** Create, whatever backend it stands on. */
import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import { reason, type SuiteContext } from './suite-context.ts';
import { dry, never, openTestRegistry, parse, plainDelete, readNewest, sample, storeOf, write } from './test-registry.ts';

export function describeCreate({ store, backend }: SuiteContext): void {
  const namespace = 'create';
  const create = (object: KubernetesObject, options = write) => store('CronJob').create(namespace, object, options);

  describe('create', () => {
    it('fills in what the server decides, and answers with what is stored', async () => {
      const result = await create(sample('CronJob', { name: 'filled' }));
      const object = parse(result.object);
      expect(result.outcome).toBe('created');
      expect(object.metadata).toMatchObject({ name: 'filled', namespace, generation: 1 });
      expect(object.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(object.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(object.metadata.resourceVersion).toBe(String(result.object.revision));
      const read = await store('CronJob').get({ namespace, name: 'filled' }, { at: 'newest' }, never);
      expect(Buffer.concat(read.json).toString()).toBe(Buffer.concat(result.object.json).toString());
    });

    it('applies defaults and drops what a client cannot set', async () => {
      const sent = sample(
        'CronJob',
        {
          name: 'dropped',
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 30,
          generation: 17,
        },
        { status: { lastScheduleTime: '2001-01-01T00:00:00Z' } },
      );
      const object = parse((await create(sent)).object);
      expect(object.metadata.uid).not.toBe('mine');
      expect(object.metadata).not.toHaveProperty('deletionTimestamp');
      expect(object.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
      expect(JSON.stringify(object.metadata.managedFields)).not.toContain('f:deletion');
      expect(object.metadata.generation).toBe(1);
      expect(object['status']).toEqual({});
      expect(object['spec']).toMatchObject({ concurrencyPolicy: 'Allow', suspend: false });
    });

    it('keeps the generation of a kind that counts none', async () => {
      const result = await store('ControllerRevision').create(namespace, sample('ControllerRevision', { name: 'g', generation: 7 }), write);
      expect(parse(result.object).metadata.generation).toBe(7);
    });

    it('drops the namespace of a cluster-wide kind', async () => {
      const result = await store('VolumeAttachment').create('', sample('VolumeAttachment', { name: 'wide', namespace: 'x' }), write);
      expect(parse(result.object).metadata).not.toHaveProperty('namespace');
    });

    it('refuses a name that is taken', async () => {
      await create(sample('CronJob', { name: 'taken' }));
      await expect(create(sample('CronJob', { name: 'taken' }))).rejects.toMatchObject({
        reason: 'AlreadyExists',
        message: 'cronjobs.batch "taken" already exists',
        details: { name: 'taken', group: 'batch', kind: 'cronjobs' },
      });
    });

    it('says so when the name is taken by an object that is being deleted', async () => {
      await create(sample('CronJob', { name: 'dying', finalizers: ['example.com/hold'] }));
      await store('CronJob').delete({ namespace, name: 'dying' }, plainDelete);
      await expect(create(sample('CronJob', { name: 'dying' }))).rejects.toMatchObject({
        reason: 'AlreadyExists',
        message: 'object is being deleted: cronjobs.batch "dying" already exists',
      });
    });

    it('generates names', async () => {
      const result = await create(sample('CronJob', { generateName: 'nightly-' }));
      expect(parse(result.object).metadata).toMatchObject({
        name: expect.stringMatching(/^nightly-[a-z0-9]{5}$/) as unknown,
        generateName: 'nightly-',
      });
    });

    it('tries eight generated names and then asks the client to try again', async () => {
      let draws = 0;
      const stuck = await openTestRegistry(backend(), {
        random: (size) => {
          if (size === 5) draws++;
          return Buffer.alloc(size, 7);
        },
      });
      try {
        const cronJobs = storeOf(stuck, 'CronJob');
        await cronJobs.create(namespace, sample('CronJob', { generateName: 'stuck-' }), write);
        draws = 0;
        await expect(cronJobs.create(namespace, sample('CronJob', { generateName: 'stuck-' }), write)).rejects.toMatchObject({
          reason: 'AlreadyExists',
          details: { retryAfterSeconds: 1 },
        });
        expect(draws).toBe(8);
      } finally {
        await stuck.close();
      }
    });

    it('refuses with all causes at once', async () => {
      const broken = sample('CronJob', { name: 'Not_A_Name', labels: { a: '-' } }, { spec: { jobTemplate: {} } });
      await expect(create(broken)).rejects.toMatchObject({
        reason: 'Invalid',
        details: {
          name: 'Not_A_Name',
          group: 'batch',
          kind: 'CronJob',
          causes: expect.arrayContaining([
            expect.objectContaining({ reason: 'FieldValueInvalid', field: 'metadata.name' }),
            expect.objectContaining({ reason: 'FieldValueInvalid', field: 'metadata.labels' }),
            expect.objectContaining({ reason: 'FieldValueRequired', field: 'spec.schedule' }),
          ]) as unknown,
        },
      });
    });

    it('needs a name or generateName', async () => {
      await expect(create(sample('CronJob', {}))).rejects.toMatchObject({
        reason: 'Invalid',
        details: { causes: [expect.objectContaining({ reason: 'FieldValueRequired', field: 'metadata.name' })] },
      });
    });

    it('refuses a resourceVersion and another namespace', async () => {
      await expect(create(sample('CronJob', { name: 'a', resourceVersion: '5' }))).rejects.toEqual(reason('BadRequest'));
      await expect(create(sample('CronJob', { name: 'a', namespace: 'elsewhere' }))).rejects.toEqual(reason('BadRequest'));
    });

    it('as a dry run stores nothing and refuses what would be refused', async () => {
      const result = await create(sample('CronJob', { name: 'dry' }), dry);
      expect(parse(result.object).metadata).not.toHaveProperty('resourceVersion');
      await expect(readNewest(store('CronJob'), { namespace, name: 'dry' })).rejects.toEqual(reason('NotFound'));
      await create(sample('CronJob', { name: 'dry' }));
      await expect(create(sample('CronJob', { name: 'dry' }), dry)).rejects.toEqual(reason('AlreadyExists'));
    });

    it('refuses an object of more than 1.5 MiB', async () => {
      const data = { text: 'x'.repeat(1.5 * 1024 * 1024) };
      const big = sample('ControllerRevision', { name: 'big' }, { data });
      await expect(store('ControllerRevision').create(namespace, big, write)).rejects.toEqual(reason('RequestEntityTooLarge'));
    });

    it('keeps raw data and large integers to the letter', async () => {
      const object = sample('ControllerRevision', { name: 'raw' }, { data: { z: 1, a: 'é' } });
      const result = await store('ControllerRevision').create(namespace, object, write);
      expect(Buffer.concat(result.object.json).toString()).toContain('"data":{"z":1,"a":"é"}');
    });

    it('ends with Timeout when the request has ended', async () => {
      const signal = AbortSignal.abort();
      await expect(create(sample('CronJob', { name: 'late' }), { ...write, signal })).rejects.toEqual(reason('Timeout'));
    });
  });
}
