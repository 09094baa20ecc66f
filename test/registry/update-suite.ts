/** Patches and applies as the store sees them: functions of the object that is there. Whatever backend it stands on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import type { ObjectChange, CurrentObject, Subresource } from '../../pkg/registry/object-store.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { FaultyBackend } from './faulty-backend.ts';
import { reason, type SuiteContext, withMeta } from './suite-context.ts';
import { dry, openTestRegistry, parse, plainDelete, readNewest, reread, sample, storeOf, write } from './test-registry.ts';

/** The stored object as a client would patch it: it has its resourceVersion, and other members of metadata. */
const patching = (metadata: JsonObject, more: JsonObject = {}) => ({
  by: 'patch' as const,
  patch: ({ object, revision }: CurrentObject): KubernetesObject =>
    withMeta({ ...object, ...more }, { resourceVersion: String(revision), ...metadata }),
});
const label = (name: string) => ({
  by: 'patch' as const,
  patch: ({ object, revision }: CurrentObject): KubernetesObject =>
    withMeta(object, { resourceVersion: String(revision), labels: { ...object.metadata.labels, [name]: 'x' } }),
});

export function describeUpdate({ store }: SuiteContext): void {
  const namespace = 'update';
  const create = async (kind: string, name: string, metadata: JsonObject = {}) =>
    reread((await store(kind).create(namespace, sample(kind, { name, ...metadata }), write)).object);
  const update = (kind: string, name: string, change: ObjectChange, options = write, subresource: Subresource = '') =>
    store(kind).update({ namespace, name }, subresource, change, options);

  describe('a patch', () => {
    it('is made of the object that is stored, and goes through the pipeline', async () => {
      const before = await create('CronJob', 'patched');
      const spec = { ...(before['spec'] as JsonObject), suspend: true };
      const { outcome, object } = await update('CronJob', 'patched', patching({ labels: { a: 'b' }, generation: 9 }, { spec }));
      expect(outcome).toBe('updated');
      expect(parse(object)).toMatchObject({ metadata: { labels: { a: 'b' }, generation: 2, uid: before.metadata.uid }, spec });
      expect(await readNewest(store('CronJob'), { namespace, name: 'patched' })).toEqual(reread(object));
      const refused = update('CronJob', 'patched', patching({}, { spec: { ...spec, schedule: 'never' } }));
      await expect(refused).rejects.toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'spec.schedule' }] } });
    });

    it('needs no resourceVersion where a PUT does: it names the state that it was made of', async () => {
      await create('PodDisruptionBudget', 'strict');
      expect((await update('PodDisruptionBudget', 'strict', label('a'))).outcome).toBe('updated');
      const without = update('PodDisruptionBudget', 'strict', patching({ resourceVersion: '' }));
      await expect(without).rejects.toMatchObject({ reason: 'Invalid', details: { kind: 'poddisruptionbudgets' } });
      expect(
        (await update('CronJob', (await create('CronJob', 'lax')).metadata.name ?? '', patching({ resourceVersion: '0' }))).outcome,
      ).toBe('unchanged');
    });

    it('that changes nothing writes nothing', async () => {
      const before = await create('CronJob', 'same', { labels: { a: 'x' } });
      for (const options of [write, dry]) {
        const { outcome, object } = await update('CronJob', 'same', label('a'), options);
        expect(outcome).toBe('unchanged');
        expect(reread(object)).toEqual(before);
      }
    });

    it('of a name that does not exist is not found, whatever it says and whatever a PUT would do', async () => {
      const change: ObjectChange = {
        by: 'patch',
        patch: () => {
          throw new Error('there is nothing to be patched');
        },
      };
      for (const kind of ['CronJob', 'Event']) await expect(update(kind, 'missing', change)).rejects.toEqual(reason('NotFound'));
    });

    it('may name the resourceVersion that it is meant for', async () => {
      const { metadata } = await create('CronJob', 'meant');
      const change = patching({ resourceVersion: metadata.resourceVersion, labels: { a: 'b' } });
      expect((await update('CronJob', 'meant', change)).outcome).toBe('updated');
      await expect(update('CronJob', 'meant', change)).rejects.toEqual(reason('Conflict'));
      await expect(update('CronJob', 'meant', patching({ resourceVersion: 'x1' }))).rejects.toEqual(reason('Invalid'));
    });

    it('cannot change who the object is', async () => {
      const before = await create('CronJob', 'identity');
      for (const metadata of [{ name: 'another' }, { name: undefined }, { namespace: 'another' }]) {
        await expect(update('CronJob', 'identity', patching(metadata))).rejects.toEqual(reason('BadRequest'));
      }
      await expect(update('CronJob', 'identity', patching({ uid: 'another' }))).rejects.toMatchObject({
        reason: 'Invalid',
        details: { kind: 'CronJob', causes: [{ field: 'metadata.uid', reason: 'FieldValueInvalid' }] },
      });
      const dropped = patching({ uid: undefined, creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 });
      expect(reread((await update('CronJob', 'identity', dropped)).object)).toEqual(before);
      const deleting = update('CronJob', 'identity', patching({ deletionTimestamp: '2001-01-01T00:00:00Z' }));
      await expect(deleting).rejects.toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'metadata.deletionTimestamp' }] } });
    });

    it('of the status leaves all else, and one of the main path the status', async () => {
      const before = await create('CronJob', 'status');
      const status = { lastScheduleTime: '2026-01-01T00:00:00Z' };
      const change = patching({}, { spec: {}, status });
      const after = parse((await update('CronJob', 'status', change, write, 'status')).object);
      expect([after['spec'], after['status']]).toEqual([before['spec'], status]);
      const main = patching({ labels: { a: 'b' } }, { status: {} });
      expect(parse((await update('CronJob', 'status', main)).object)['status']).toEqual(status);
    });

    it('as a dry run stores nothing', async () => {
      const before = await create('CronJob', 'dry');
      const { outcome, object } = await update('CronJob', 'dry', label('a'), dry);
      expect([outcome, parse(object).metadata.labels]).toEqual(['updated', { a: 'x' }]);
      expect(await readNewest(store('CronJob'), { namespace, name: 'dry' })).toEqual(before);
    });

    it('that takes the last finalizer from a deleting object removes it', async () => {
      await create('CronJob', 'deleting', { finalizers: ['example.com/hold'] });
      await store('CronJob').delete({ namespace, name: 'deleting' }, plainDelete);
      expect((await update('CronJob', 'deleting', patching({ finalizers: undefined }))).outcome).toBe('removed');
      await expect(readNewest(store('CronJob'), { namespace, name: 'deleting' })).rejects.toEqual(reason('NotFound'));
    });

    it('is one of 50 of one object, and none is lost or refused', async () => {
      await create('CronJob', 'crowded');
      await Promise.all(Array.from({ length: 50 }, (_, index) => update('CronJob', 'crowded', label(`w${index}`))));
      const { metadata } = await readNewest(store('CronJob'), { namespace, name: 'crowded' });
      expect(Object.keys(metadata.labels ?? {})).toHaveLength(50);
    });
  });

  describe('an apply', () => {
    const managedFields = [
      { manager: 'me', operation: 'Apply', apiVersion: 'batch/v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1: {} },
    ];
    const applying = (object: KubernetesObject, seen: unknown[] = []): ObjectChange => ({
      by: 'apply',
      apply: async (current) => {
        seen.push(current?.object.metadata.uid);
        return current === undefined ? object : withMeta(object, { resourceVersion: String(current.revision) });
      },
    });

    it('creates what is not there, with the managedFields that it comes with, and changes it when it is', async () => {
      const seen: unknown[] = [];
      const object = sample('CronJob', { name: 'applied', managedFields });
      const created = await update('CronJob', 'applied', applying(object, seen));
      expect(created.outcome).toBe('created');
      const { metadata } = parse(created.object);
      expect(metadata).toMatchObject({ generation: 1, managedFields });
      const changed = await update('CronJob', 'applied', applying(withMeta(object, { labels: { a: 'b' } }), seen));
      expect(changed.outcome).toBe('updated');
      expect(parse(changed.object).metadata).toMatchObject({ labels: { a: 'b' }, uid: metadata.uid, managedFields });
      expect(seen.slice(0, 1)).toEqual([undefined]);
      expect(seen.at(-1)).toBe(metadata.uid);
    });

    it('that would only move a time of managedFields writes nothing', async () => {
      const object = sample('CronJob', { name: 'again', managedFields });
      const created = await update('CronJob', 'again', applying(object));
      const later = [{ ...managedFields[0], time: '2026-02-02T00:00:00Z' }];
      const again = await update('CronJob', 'again', applying(sample('CronJob', { name: 'again', managedFields: later })));
      expect(again.outcome).toBe('unchanged');
      expect(parse(again.object)).toEqual(parse(created.object));
      const another = [{ ...later[0], manager: 'another' }];
      const changed = await update('CronJob', 'again', applying(sample('CronJob', { name: 'again', managedFields: another })));
      expect(parse(changed.object).metadata.managedFields).toEqual(another);
    });

    it('as a dry run creates nothing', async () => {
      expect((await update('CronJob', 'shown', applying(sample('CronJob', { name: 'shown' })), dry)).outcome).toBe('created');
      await expect(readNewest(store('CronJob'), { namespace, name: 'shown' })).rejects.toEqual(reason('NotFound'));
    });

    it('does not create by the status, nor under a uid; a resourceVersion says nothing then', async () => {
      const missing = sample('CronJob', { name: 'missing' });
      await expect(update('CronJob', 'missing', applying(missing), write, 'status')).rejects.toEqual(reason('NotFound'));
      const known = applying(withMeta(missing, { uid: 'known' }));
      await expect(update('CronJob', 'missing', known)).rejects.toEqual(reason('Conflict'));
      expect((await update('CronJob', 'missing', applying(withMeta(missing, { resourceVersion: '7' })))).outcome).toBe('created');
    });
  });
}

/** Another process writes the same object between a patch's look at it and its commit. */
export function describeLostRaces({ store, backend }: SuiteContext): void {
  const namespace = 'races';
  const target = (name: string) => ({ namespace, name });
  let faulty: FaultyBackend;
  let registry: Registry;

  describe('a patch that another process gets ahead of', () => {
    beforeAll(async () => {
      faulty = new FaultyBackend(backend());
      registry = await openTestRegistry(faulty);
    });
    afterAll(() => registry.close());

    const known = async (name: string) => {
      const object = reread((await store('CronJob').create(namespace, sample('CronJob', { name }), write)).object);
      await registry.watchCache.isFresh();
      return object;
    };
    const here = (name: string, change: ObjectChange, options = write) =>
      storeOf(registry, 'CronJob').update(target(name), '', change, options);
    const there = (name: string, writer: string) => store('CronJob').update(target(name), '', label(writer), write);

    it('is made again of the newer object', async () => {
      await known('overtaken');
      for (let race = 1; race <= 4; race++) faulty.letFirst(() => there('overtaken', `there-${race}`));
      const { commits } = faulty;
      const { outcome, object } = await here('overtaken', label('here'));
      expect([outcome, faulty.commits - commits]).toEqual(['updated', 5]);
      expect(Object.keys(parse(object).metadata.labels ?? {}).sort()).toEqual(['here', 'there-1', 'there-2', 'there-3', 'there-4']);
    });

    it('is a conflict after five lost tries', async () => {
      await known('hopeless');
      for (let race = 1; race <= 5; race++) faulty.letFirst(() => there('hopeless', `there-${race}`));
      const { commits } = faulty;
      await expect(here('hopeless', label('here'))).rejects.toMatchObject({
        reason: 'Conflict',
        message: expect.stringContaining('the object has been modified') as unknown,
        details: { name: 'hopeless', group: 'batch', kind: 'cronjobs' },
      });
      expect(faulty.commits - commits).toBe(5);
      expect((await readNewest(store('CronJob'), target('hopeless'))).metadata.labels).not.toHaveProperty('here');
    });

    it('is a conflict at once when it names the resourceVersion that it is meant for', async () => {
      const { metadata } = await known('meant');
      faulty.letFirst(() => there('meant', 'there'));
      const { commits } = faulty;
      const change = patching({ resourceVersion: metadata.resourceVersion, labels: { here: 'x' } });
      await expect(here('meant', change)).rejects.toEqual(reason('Conflict'));
      expect(faulty.commits - commits).toBe(1);
    });

    it('is not found when the other one deleted the object', async () => {
      await known('deleted');
      faulty.letFirst(() => store('CronJob').delete(target('deleted'), plainDelete));
      await expect(here('deleted', label('here'))).rejects.toEqual(reason('NotFound'));
    });

    it('creates nothing twice when both apply', async () => {
      const change: ObjectChange = {
        by: 'apply',
        apply: async (current) =>
          current === undefined
            ? sample('CronJob', { name: 'both', labels: { here: 'x' } })
            : withMeta(current.object, {
                resourceVersion: String(current.revision),
                labels: { ...current.object.metadata.labels, here: 'x' },
              }),
      };
      faulty.letFirst(() => store('CronJob').create(namespace, sample('CronJob', { name: 'both', labels: { there: 'x' } }), write));
      const { outcome, object } = await here('both', change);
      expect([outcome, parse(object).metadata.labels]).toEqual(['updated', { here: 'x', there: 'x' }]);
    });

    it('says of a patch without effect only what holds for the newest object', async () => {
      await known('stale');
      faulty.holdWatch();
      await store('CronJob').update(target('stale'), '', label('mine'), write);
      await there('stale', 'other');
      const { outcome, object } = await here('stale', label('mine'));
      expect([outcome, parse(object).metadata.labels]).toEqual(['unchanged', { mine: 'x', other: 'x' }]);
      expect(parse((await here('stale', label('new'), dry)).object).metadata.labels).toEqual({ mine: 'x', other: 'x', new: 'x' });
      faulty.releaseWatch();
    });
  });
}
