/** Replace, of the main path and of the status, whatever backend it stands on. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import { reason, type SuiteContext, withMeta } from './suite-context.ts';
import { dry, parse, plainDelete, readNewest, reread, sample, write } from './test-registry.ts';

export function describeReplace({ store }: SuiteContext): void {
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
      const sent = withMeta(before, { creationTimestamp: '2001-01-01T00:00:00Z', generation: 99, labels: { a: 'b' } });
      const { metadata } = parse((await replace('CronJob', sent)).object);
      expect(metadata).toMatchObject({ uid: before.metadata.uid, creationTimestamp: before.metadata.creationTimestamp, generation: 1 });
    });

    it('refuses marks of a deletion that nobody asked for', async () => {
      const before = await create('CronJob', 'unmarked');
      const marks = { deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 };
      await expect(replace('CronJob', withMeta(before, marks))).rejects.toMatchObject({
        reason: 'Invalid',
        details: { causes: Object.keys(marks).map((name) => ({ field: `metadata.${name}`, reason: 'FieldValueInvalid' })) },
      });
    });

    it('keeps the time of a deletion, and its grace period unless it is sent differently', async () => {
      const { metadata } = await create('CronJob', 'marked', { finalizers: ['a.b/c'] });
      await store('CronJob').delete({ namespace, name: 'marked' }, plainDelete);
      const marked = await readNewest(store('CronJob'), { namespace, name: 'marked' });
      const { deletionTimestamp } = marked.metadata;
      for (const sent of [
        { deletionTimestamp: '2001-01-01T00:00:00Z' },
        { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined },
      ]) {
        const after = parse((await replace('CronJob', withMeta(marked, { resourceVersion: undefined, ...sent }))).object);
        expect(after.metadata).toMatchObject({ uid: metadata.uid, deletionTimestamp, deletionGracePeriodSeconds: 0 });
      }
      const later = withMeta(marked, { resourceVersion: undefined, deletionGracePeriodSeconds: 3 });
      await expect(replace('CronJob', later)).rejects.toEqual(reason('Invalid'));
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

    it('refuses another uid', async () => {
      const object = await create('CronJob', 'other-uid');
      await expect(replace('CronJob', withMeta(object, { uid: 'another' }))).rejects.toEqual(reason('Conflict'));
    });

    it('does not find an object that is gone, whatever its uid was', async () => {
      const object = await create('CronJob', 'gone');
      await store('CronJob').delete({ namespace, name: 'gone' }, plainDelete);
      await expect(replace('CronJob', object)).rejects.toEqual(reason('NotFound'));
    });

    it('refuses another name or namespace than that of the path', async () => {
      const object = sample('CronJob', { name: 'b' });
      const put = store('CronJob').replace({ namespace, name: 'a' }, object, '', write);
      await expect(put).rejects.toEqual(reason('BadRequest'));
      await expect(replace('CronJob', sample('CronJob', { name: 'a', namespace: 'elsewhere' }))).rejects.toEqual(reason('BadRequest'));
    });

    it('refuses an object without a name, also where it would create one', async () => {
      const before = await create('CronJob', 'named');
      for (const [kind, subresource, name] of [
        ['CronJob', '', 'named'],
        ['CronJob', 'status', 'named'],
        ['Event', '', 'nameless'],
      ] as const) {
        for (const sent of [undefined, '']) {
          const object = withMeta(kind === 'CronJob' ? before : sample(kind, {}), { name: sent });
          await expect(store(kind).replace({ namespace, name }, object, subresource, write)).rejects.toEqual(reason('BadRequest'));
        }
      }
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

export function describeStatus({ store }: SuiteContext): void {
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
