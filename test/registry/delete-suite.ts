/** Delete and finalizers, whatever backend they stand on. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { parseLabelSelector } from '../../pkg/apimachinery/selectors/label-selector.ts';
import type { DeleteRequest } from '../../pkg/registry/object-store.ts';
import { reason, type SuiteContext, withMeta } from './suite-context.ts';
import { parse, plainDelete, readNewest, reread, sample, write } from './test-registry.ts';

export function describeDelete({ store }: SuiteContext): void {
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

    it('takes the object that was found, and no other one', async () => {
      const { metadata } = await create('found', { labels: { team: 'a' } });
      const foundBy = (labels: string, uid = metadata.uid ?? '') =>
        remove('found', { found: { uid, by: { labels: parseLabelSelector(labels) } } });
      await expect(foundBy('team=b')).rejects.toEqual(reason('NotFound'));
      await expect(foundBy('team=a', 'another')).rejects.toEqual(reason('NotFound'));
      expect((await readNewest(store('CronJob'), { namespace, name: 'found' })).metadata).toEqual(metadata);
      expect((await foundBy('team=a')).outcome).toBe('removed');
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
