/** What an object store does, whatever backend it stands on. Each backend's test is one call. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Backend } from '../../storage/backend.ts';
import type { DeleteRequest, ObjectStore } from '../object-store.ts';
import type { Registry } from '../registry.ts';
import { describeExpiry, describeLostReplies, describeStaleCache } from './race-suite.ts';
import { describeReads } from './read-suite.ts';
import { dry, never, openTestRegistry, parse, plainDelete, readNewest, reread, sample, storeOf, write } from './test-registry.ts';

export interface OpenBackend {
  readonly backend: Backend;
  readonly close: () => Promise<void>;
}

export interface SuiteContext {
  readonly registry: () => Registry;
  readonly backend: () => Backend;
  readonly store: (kind: string) => ObjectStore;
}

const withMeta = (object: KubernetesObject, metadata: JsonObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const reason = (expected: string) => expect.objectContaining({ reason: expected });

export function describeObjectStore(name: string, open: () => Promise<OpenBackend>): void {
  describe(`object store on ${name}`, () => {
    let opened: OpenBackend;
    let registry: Registry;
    beforeAll(async () => {
      opened = await open();
      registry = await openTestRegistry(opened.backend);
    });
    afterAll(async () => {
      await registry.close();
      await opened.close();
    });
    const context: SuiteContext = {
      registry: () => registry,
      backend: () => opened.backend,
      store: (kind) => storeOf(registry, kind),
    };
    describeCreate(context);
    describeReplace(context);
    describeStatus(context);
    describeDelete(context);
    describeReads(context);
    describeStaleCache(context);
    describeLostReplies(context);
    describeExpiry(context);
  });
}

function describeCreate({ store, backend }: SuiteContext): void {
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

function describeReplace({ store }: SuiteContext): void {
  const namespace = 'replace';
  const create = async (kind: string, name: string, metadata: JsonObject = {}, more: JsonObject = {}) =>
    reread((await store(kind).create(namespace, sample(kind, { name, ...metadata }, more), write)).object);
  const replace = (kind: string, object: KubernetesObject, options = write) =>
    store(kind).replace({ namespace, name: object.metadata.name ?? '' }, object, '', options);

  describe('replace', () => {
    it('stores what was sent under a new resourceVersion', async () => {
      const before = await create('CronJob', 'changed');
      const result = await replace('CronJob', withMeta(before, { labels: { a: 'b' } }));
      expect(result.outcome).toBe('updated');
      expect(result.object.revision).toBeGreaterThan(Number(before.metadata.resourceVersion));
      expect(await readNewest(store('CronJob'), { namespace, name: 'changed' })).toEqual(reread(result.object));
    });

    it('keeps identity, times and generation whatever was sent', async () => {
      const before = await create('CronJob', 'kept');
      const sent = withMeta(before, {
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 3,
        generation: 99,
        labels: { a: 'b' },
      });
      const { metadata } = parse((await replace('CronJob', sent)).object);
      expect(metadata).toMatchObject({ uid: before.metadata.uid, creationTimestamp: before.metadata.creationTimestamp, generation: 1 });
      expect(metadata).not.toHaveProperty('deletionTimestamp');
    });

    it('counts a generation for each change of spec, and for nothing else', async () => {
      let object = await create('CronJob', 'counted');
      const generations: unknown[] = [];
      for (const change of [
        { metadata: { ...object.metadata, labels: { a: 'b' } } },
        { spec: { ...(object['spec'] as JsonObject), suspend: true } },
        { status: { lastScheduleTime: '2026-01-01T00:00:00Z' } },
        { spec: { ...(object['spec'] as JsonObject), suspend: true, schedule: '1 * * * *' } },
      ]) {
        const sent = withMeta({ ...object, ...change }, { resourceVersion: undefined });
        object = reread((await replace('CronJob', sent)).object);
        generations.push(object.metadata.generation);
      }
      expect(generations).toEqual([1, 2, 2, 3]);
    });

    it('writes nothing when nothing changed', async () => {
      const before = await create('CronJob', 'same');
      const result = await replace('CronJob', before);
      expect(result.outcome).toBe('unchanged');
      expect(String(result.object.revision)).toBe(before.metadata.resourceVersion);
      expect((await replace('CronJob', withMeta(before, { resourceVersion: undefined }))).outcome).toBe('unchanged');
    });

    it('refuses an old resourceVersion', async () => {
      const before = await create('CronJob', 'old');
      await replace('CronJob', withMeta(before, { labels: { a: 'b' } }));
      await expect(replace('CronJob', withMeta(before, { labels: { a: 'c' } }))).rejects.toMatchObject({
        reason: 'Conflict',
        message: expect.stringContaining('the object has been modified') as unknown,
        details: { name: 'old', group: 'batch', kind: 'cronjobs' },
      });
    });

    it('needs a resourceVersion, but where the kind may be replaced without', async () => {
      const budget = await create('PodDisruptionBudget', 'strict');
      await expect(replace('PodDisruptionBudget', withMeta(budget, { resourceVersion: undefined }))).rejects.toMatchObject({
        reason: 'Invalid',
        details: {
          kind: 'poddisruptionbudgets',
          causes: [expect.objectContaining({ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion' })],
        },
      });
      const job = await create('CronJob', 'lax');
      expect((await replace('CronJob', withMeta(job, { resourceVersion: undefined, labels: { a: 'b' } }))).outcome).toBe('updated');
    });

    it('refuses a resourceVersion that is none, as the fault of the client', async () => {
      const object = await create('CronJob', 'garbled');
      await expect(replace('CronJob', withMeta(object, { resourceVersion: 'x1' }))).rejects.toEqual(reason('Invalid'));
    });

    it('refuses another uid, also of an object that is gone', async () => {
      const object = await create('CronJob', 'other-uid');
      await expect(replace('CronJob', withMeta(object, { uid: 'another' }))).rejects.toEqual(reason('Conflict'));
      await store('CronJob').delete({ namespace, name: 'other-uid' }, plainDelete);
      await expect(replace('CronJob', object)).rejects.toEqual(reason('Conflict'));
    });

    it('refuses another name or namespace than that of the path', async () => {
      const object = sample('CronJob', { name: 'b' });
      const put = store('CronJob').replace({ namespace, name: 'a' }, object, '', write);
      await expect(put).rejects.toEqual(reason('BadRequest'));
      await expect(replace('CronJob', sample('CronJob', { name: 'a', namespace: 'elsewhere' }))).rejects.toEqual(reason('BadRequest'));
    });

    it('does not create', async () => {
      await expect(replace('CronJob', sample('CronJob', { name: 'missing' }))).rejects.toMatchObject({
        reason: 'NotFound',
        message: 'cronjobs.batch "missing" not found',
      });
    });

    it('creates where the kind says so, with or without a resourceVersion', async () => {
      for (const [name, resourceVersion] of [
        ['fresh', undefined],
        ['versioned', '5'],
      ] as const) {
        const result = await replace('Event', sample('Event', { name, ...(resourceVersion === undefined ? {} : { resourceVersion }) }));
        expect(result.outcome).toBe('created');
        expect(parse(result.object).metadata.uid).toMatch(/-/);
      }
      await expect(replace('Event', sample('Event', { name: 'with-uid', uid: 'u' }))).rejects.toEqual(reason('Conflict'));
    });

    it('refuses with the causes of the kind, computed against the stored object', async () => {
      const before = await create('ControllerRevision', 'fixed');
      const changed = { ...sample('ControllerRevision', { name: 'fixed' }, { data: { a: 2 } }), metadata: before.metadata };
      await expect(replace('ControllerRevision', changed)).rejects.toMatchObject({
        reason: 'Invalid',
        details: { kind: 'ControllerRevision', causes: [expect.objectContaining({ field: 'data' })] },
      });
    });

    it('as a dry run stores nothing', async () => {
      const before = await create('CronJob', 'dry');
      const result = await replace('CronJob', withMeta(before, { labels: { a: 'b' } }), dry);
      expect(parse(result.object).metadata).toMatchObject({ labels: { a: 'b' }, resourceVersion: before.metadata.resourceVersion });
      expect(await readNewest(store('CronJob'), { namespace, name: 'dry' })).toEqual(before);
    });

    it('loses nothing of 50 writers of one object', async () => {
      await create('CronJob', 'crowded', { labels: {} });
      const add = async (index: number): Promise<void> => {
        for (;;) {
          const object = await readNewest(store('CronJob'), { namespace, name: 'crowded' });
          try {
            await replace('CronJob', withMeta(object, { labels: { ...object.metadata.labels, [`w${index}`]: 'x' } }));
            return;
          } catch (error) {
            expect(error).toEqual(reason('Conflict'));
          }
        }
      };
      await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)));
      const { metadata } = await readNewest(store('CronJob'), { namespace, name: 'crowded' });
      expect(Object.keys(metadata.labels ?? {})).toHaveLength(50);
    });

    it('lets all of 50 unconditional writers of one object through', async () => {
      await create('CronJob', 'queued');
      const writers = Array.from({ length: 50 }, (_, index) =>
        replace('CronJob', sample('CronJob', { name: 'queued', labels: { writer: `w${index}` } })),
      );
      const revisions = (await Promise.all(writers)).map(({ object }) => object.revision);
      expect(new Set(revisions).size).toBe(50);
    });
  });
}

function describeStatus({ store }: SuiteContext): void {
  const namespace = 'status';
  const create = async (kind: string, name: string) =>
    reread((await store(kind).create(namespace, sample(kind, { name, labels: { a: 'b' } }), write)).object);
  const put = async (kind: string, object: KubernetesObject, subresource: '' | 'status') =>
    reread((await store(kind).replace({ namespace, name: object.metadata.name ?? '' }, object, subresource, write)).object);

  describe('status', () => {
    it('is written by its own path, which keeps the spec and takes metadata', async () => {
      const before = await create('CronJob', 'own-path');
      const status = { lastScheduleTime: '2026-01-01T00:00:00Z' };
      const sent = withMeta({ ...before, status, spec: { ...(before['spec'] as JsonObject), suspend: true } }, { labels: { c: 'd' } });
      const after = await put('CronJob', sent, 'status');
      expect(after['status']).toEqual(status);
      expect(after['spec']).toEqual(before['spec']);
      expect(after.metadata).toMatchObject({ labels: { c: 'd' }, generation: 1 });
    });

    it('is kept by the main path', async () => {
      const before = await create('PodDisruptionBudget', 'main-path');
      const status = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 1 };
      const after = await put('PodDisruptionBudget', { ...before, status }, '');
      expect(after['status']).toEqual(before['status']);
    });

    it('of a kind that keeps metadata changes nothing else', async () => {
      const before = await create('VolumeAttachment', 'keeps-metadata');
      const sent = withMeta({ ...before, status: { attached: true } }, { labels: { c: 'd' }, finalizers: ['example.com/x'] });
      const after = await put('VolumeAttachment', sent, 'status');
      expect(after['status']).toEqual({ attached: true });
      expect(after.metadata).toMatchObject({ labels: { a: 'b' } });
      expect(after.metadata).not.toHaveProperty('finalizers');
    });

    it('of a kind that lets the main path write it can be written there', async () => {
      const before = await create('VolumeAttachment', 'writable');
      expect((await put('VolumeAttachment', { ...before, status: { attached: true } }, ''))['status']).toEqual({ attached: true });
    });

    it('of a missing object is not found', async () => {
      await expect(put('CronJob', sample('CronJob', { name: 'missing' }), 'status')).rejects.toEqual(reason('NotFound'));
    });
  });
}

function describeDelete({ store }: SuiteContext): void {
  const namespace = 'delete';
  const create = async (name: string, metadata: JsonObject = {}, kind = 'CronJob') =>
    reread((await store(kind).create(namespace, sample(kind, { name, ...metadata }), write)).object);
  const remove = (name: string, request: Partial<DeleteRequest> = {}, kind = 'CronJob') =>
    store(kind).delete({ namespace, name }, { ...plainDelete, ...request });
  const isGone = (name: string, kind = 'CronJob') =>
    expect(readNewest(store(kind), { namespace, name })).rejects.toEqual(reason('NotFound'));

  describe('delete', () => {
    it('removes, and tells the object as it was with the resourceVersion of the deletion', async () => {
      const before = await create('gone');
      const result = await remove('gone');
      if (result.outcome !== 'removed') throw new Error(result.outcome);
      expect(result.uid).toBe(before.metadata.uid);
      expect(parse(result.object).metadata).toMatchObject({ uid: before.metadata.uid, resourceVersion: String(result.object.revision) });
      expect(result.object.revision).toBeGreaterThan(Number(before.metadata.resourceVersion));
      await isGone('gone');
    });

    it('of a missing object is not found', async () => {
      await expect(remove('missing')).rejects.toEqual(reason('NotFound'));
    });

    it('checks its preconditions, naming the Kind', async () => {
      const before = await create('guarded');
      const details = { name: 'guarded', group: 'batch', kind: 'CronJob' };
      await expect(remove('guarded', { preconditions: { uid: 'another' } })).rejects.toMatchObject({ reason: 'Conflict', details });
      await expect(remove('guarded', { preconditions: { resourceVersion: '1' } })).rejects.toMatchObject({ reason: 'Conflict', details });
      const { uid = '', resourceVersion = '' } = before.metadata;
      expect((await remove('guarded', { preconditions: { uid, resourceVersion } })).outcome).toBe('removed');
    });

    it('marks an object that a finalizer holds, once', async () => {
      await create('held', { finalizers: ['example.com/hold'] });
      const first = await remove('held');
      if (first.outcome !== 'held') throw new Error(first.outcome);
      const { metadata } = parse(first.object);
      expect(metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2, finalizers: ['example.com/hold'] });
      expect(metadata.deletionTimestamp).toMatch(/Z$/);
      expect(first.accepted).toBe(false);
      expect(parse((await remove('held')).object)).toEqual(parse(first.object));
    });

    it.each<[Partial<DeleteRequest>, readonly string[], boolean]>([
      [{ propagationPolicy: 'Orphan' }, ['orphan'], false],
      [{ propagationPolicy: 'Foreground' }, ['foregroundDeletion'], false],
      [{ orphanDependents: true }, ['orphan'], false],
    ])('with %j holds the object for the collector', async (request, finalizers, accepted) => {
      const name = `policy-${finalizers.join('').toLowerCase()}-${Object.keys(request).join('').toLowerCase()}`;
      await create(name);
      const result = await remove(name, request);
      expect(result).toMatchObject({ outcome: 'held', accepted });
      expect(parse(result.object).metadata.finalizers).toEqual(finalizers);
    });

    it('swaps the finalizer of a policy when another is asked for, and counts no generation for it', async () => {
      await create('swapped', { finalizers: ['example.com/hold'] });
      await remove('swapped', { propagationPolicy: 'Orphan' });
      const { metadata } = parse((await remove('swapped', { propagationPolicy: 'Foreground' })).object);
      expect(metadata).toMatchObject({ finalizers: ['example.com/hold', 'foregroundDeletion'], generation: 2 });
    });

    it('answers "accepted" when dependents were asked to go and the object is held', async () => {
      await create('accepted', { finalizers: ['example.com/hold'] });
      expect(await remove('accepted', { orphanDependents: false })).toMatchObject({ outcome: 'held', accepted: true });
    });

    it('pays no heed to policies for a kind without them', async () => {
      await create('event', {}, 'Event');
      expect((await remove('event', { propagationPolicy: 'Orphan' }, 'Event')).outcome).toBe('removed');
      await isGone('event', 'Event');
    });

    it('is completed by the update that takes the last finalizer', async () => {
      await create('released', { finalizers: ['example.com/hold'] });
      const marked = reread((await remove('released')).object);
      const sent = withMeta(marked, { finalizers: [], labels: { last: 'words' } });
      const result = await store('CronJob').replace({ namespace, name: 'released' }, sent, '', write);
      expect(result.outcome).toBe('removed');
      expect(parse(result.object).metadata).toMatchObject({ labels: { last: 'words' }, resourceVersion: marked.metadata.resourceVersion });
      await isGone('released');
    });

    it('lets no finalizer be added while it goes on', async () => {
      await create('closing', { finalizers: ['example.com/hold'] });
      const marked = reread((await remove('closing')).object);
      const sent = withMeta(marked, { finalizers: ['example.com/hold', 'example.com/more'] });
      await expect(store('CronJob').replace({ namespace, name: 'closing' }, sent, '', write)).rejects.toMatchObject({
        details: { causes: [expect.objectContaining({ reason: 'FieldValueForbidden', field: 'metadata.finalizers' })] },
      });
    });

    it('as a dry run shows the marks and deletes nothing', async () => {
      const free = await create('dry-free');
      expect((await remove('dry-free', { dryRun: true })).outcome).toBe('removed');
      expect(await readNewest(store('CronJob'), { namespace, name: 'dry-free' })).toEqual(free);
      const held = await create('dry-held', { finalizers: ['example.com/hold'] });
      const result = await remove('dry-held', { dryRun: true });
      expect(parse(result.object).metadata).toHaveProperty('deletionTimestamp');
      expect(await readNewest(store('CronJob'), { namespace, name: 'dry-held' })).toEqual(held);
    });
  });
}
