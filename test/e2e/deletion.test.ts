/** DELETE of one object, and of a collection: options, preconditions, finalizers. */
import { describe, expect, it } from '@jest/globals';
import { CONTROLLER_REVISION, CRON_JOB, EVENT, JOB, collectionPath, itemPath } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';

const namespace = 'deletion';
const collection = collectionPath(CRON_JOB, namespace);
const path = (name: string) => itemPath(CRON_JOB, namespace, name);

/** Nobody acts on finalizers before they are looked at. */
const describeWithoutCollector = (title: string, body: (suite: Suite) => void): void =>
  describeServer(title, body, { flags: ['--controllers=*,-garbage-collector-controller'] });

describeWithoutCollector('Deletion', (api) => {
  const created = async (name: string, finalizers?: readonly string[]) => {
    const sample = CRON_JOB.sample(name, namespace);
    const metadata = finalizers === undefined ? sample.metadata : { ...sample.metadata, finalizers };
    return (await api.post(collection, { ...sample, metadata })).object();
  };

  describe('with preconditions', () => {
    it('happens when uid and resourceVersion are the stored ones', async () => {
      const { metadata } = await created('pre-ok');
      const answer = await api.delete(path('pre-ok'), {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      });
      expect(answer.code).toBe(200);
      expect((await api.get(path('pre-ok'))).code).toBe(404);
    });

    it.each([{ uid: '11111111-2222-3333-4444-555555555555' }, { resourceVersion: '1' }])(
      'is refused with 409 for another one: %j',
      async (preconditions) => {
        const name = `pre-${Object.keys(preconditions).join().toLowerCase()}`;
        await created(name);
        const answer = await api.delete(path(name), { preconditions });
        expect(answer.code).toBe(409);
        expect(answer.status().reason).toBe('Conflict');
        expect((await api.get(path(name))).code).toBe(200);
      },
    );
  });

  describe('held by a finalizer', () => {
    it('marks the object and keeps it; the last finalizer taken away removes it', async () => {
      const object = await created('held', ['example.com/guard']);
      const answer = await api.delete(path('held'));
      expect(answer.code).toBe(200);
      const marked = answer.object();
      expect(marked.metadata).toMatchObject({ finalizers: ['example.com/guard'], deletionGracePeriodSeconds: 0, generation: 2 });
      expect(marked.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect((await api.get(path('held'))).object()).toEqual(marked);

      const again = await api.delete(path('held'));
      expect(again.object()).toEqual(marked);
      expect((await api.post(collection, CRON_JOB.sample('held', namespace))).status()).toMatchObject({
        code: 409,
        reason: 'AlreadyExists',
      });
      const added = await api.put(path('held'), {
        ...marked,
        metadata: { ...marked.metadata, finalizers: ['example.com/guard', 'example.com/late'] },
      });
      expect(added.status()).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(added.status().details?.causes).toContainEqual(
        expect.objectContaining({ reason: 'FieldValueForbidden', field: 'metadata.finalizers' }),
      );

      const stream = await api.watch(`${collection}?watch=true&resourceVersion=${marked.metadata.resourceVersion}`);
      const released = await api.put(path('held'), { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
      expect(released.code).toBe(200);
      expect((await api.get(path('held'))).code).toBe(404);
      const event = await stream.next();
      stream.close();
      expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { uid: object.metadata.uid } } });
      expect(Number(event.object.metadata.resourceVersion)).toBeGreaterThan(Number(marked.metadata.resourceVersion));
    });

    it('cannot be undone by a client that drops deletionTimestamp', async () => {
      await created('undo', ['example.com/guard']);
      const marked = (await api.delete(path('undo'))).object();
      const { deletionTimestamp: _dropped, ...metadata } = marked.metadata;
      const answer = await api.put(path('undo'), { ...marked, metadata: { ...metadata, labels: { tried: 'yes' } } });
      expect(answer.object().metadata.deletionTimestamp).toBe(marked.metadata.deletionTimestamp);
    });
  });

  describe('with a propagation policy', () => {
    it.each([
      ['Foreground', 'foregroundDeletion'],
      ['Orphan', 'orphan'],
    ])('%s leaves the finalizer %s for the garbage collector', async (propagationPolicy, finalizer) => {
      const name = `policy-${propagationPolicy.toLowerCase()}`;
      // Held by a guard of ours as well, so that a collector cannot finish before we look.
      await created(name, ['example.com/guard']);
      const answer = await api.delete(path(name), { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
      expect(answer.code).toBe(200);
      expect(answer.object().metadata.finalizers).toEqual(['example.com/guard', finalizer]);
    });

    it('Background removes the object at once', async () => {
      await created('policy-background');
      expect((await api.delete(`${path('policy-background')}?propagationPolicy=Background`)).status().status).toBe('Success');
      expect((await api.get(path('policy-background'))).code).toBe(404);
    });

    it('never holds an Event', async () => {
      await api.post(collectionPath(EVENT, namespace), EVENT.sample('policy', namespace));
      const answer = await api.delete(`${itemPath(EVENT, namespace, 'policy')}?propagationPolicy=Foreground`);
      expect(answer.status().status).toBe('Success');
      expect((await api.get(itemPath(EVENT, namespace, 'policy'))).code).toBe(404);
    });

    it('answers 202 when orphanDependents=false leaves the object held', async () => {
      await created('accepted', ['example.com/guard']);
      const answer = await api.delete(`${path('accepted')}?orphanDependents=false`);
      expect(answer.code).toBe(202);
      expect(answer.object().metadata.deletionTimestamp).toBeDefined();
    });

    it('is refused beside orphanDependents, and when nobody knows it', async () => {
      await created('policy-wrong');
      const both = await api.delete(`${path('policy-wrong')}?propagationPolicy=Orphan&orphanDependents=true`);
      expect(both.code).toBe(422);
      expect(both.status().details?.causes).toContainEqual(expect.objectContaining({ field: 'propagationPolicy' }));
      const unknown = await api.delete(path('policy-wrong'), { propagationPolicy: 'Sideways' });
      expect(unknown.code).toBe(422);
      expect(unknown.status().details?.causes).toContainEqual(
        expect.objectContaining({ reason: 'FieldValueNotSupported', field: 'propagationPolicy' }),
      );
      expect((await api.get(path('policy-wrong'))).code).toBe(200);
    });
  });

  describe('options', () => {
    it('in the body win over the query', async () => {
      await created('body-wins');
      expect((await api.delete(`${path('body-wins')}?dryRun=All`, { kind: 'DeleteOptions', apiVersion: 'v1' })).code).toBe(200);
      expect((await api.get(path('body-wins'))).code).toBe(404);
    });

    it.each(['v1', 'meta.k8s.io/v1', 'batch/v1'])('are taken as DeleteOptions of %s', async (apiVersion) => {
      const name = `options-${apiVersion.replaceAll(/[./]/g, '-')}`;
      await created(name);
      expect((await api.delete(path(name), { kind: 'DeleteOptions', apiVersion })).code).toBe(200);
    });

    it('of another kind are refused', async () => {
      await created('options-kind');
      expect((await api.delete(path('options-kind'), { kind: 'CronJob', apiVersion: 'batch/v1' })).status().code).toBe(400);
    });

    it('refuse a grace period below zero or of no number', async () => {
      await created('grace');
      const negative = await api.delete(`${path('grace')}?gracePeriodSeconds=-1`);
      expect(negative.code).toBeGreaterThanOrEqual(400);
      expect(negative.code).toBeLessThan(500);
      expect((await api.delete(`${path('grace')}?gracePeriodSeconds=soon`)).status().code).toBe(400);
      expect((await api.delete(`${path('grace')}?gracePeriodSeconds=0`)).code).toBe(200);
    });
  });

  describe('of a Job', () => {
    const jobs = collectionPath(JOB, namespace);
    const created = async (name: string) => (await api.post(jobs, JOB.sample(name, namespace))).code;
    const warning =
      '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
      'or set propagationPolicy=Orphan to suppress this warning"';
    const orphan = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' };

    it('leaves its pods, and says so', async () => {
      await created('plain');
      const answer = await api.delete(`${jobs}/plain`);
      expect([answer.code, answer.headers['warning']]).toEqual([200, warning]);
      expect(answer.object().metadata.finalizers).toEqual(['orphan']);
      const missing = await api.delete(`${jobs}/missing`);
      expect([missing.code, missing.headers['warning']]).toEqual([404, warning]);
    });

    it.each([
      ['?propagationPolicy=Background', undefined, undefined],
      ['?orphanDependents=false', undefined, undefined],
      ['', orphan, ['orphan']],
      ['?propagationPolicy=Foreground', undefined, ['foregroundDeletion']],
    ])('does what it is told without a warning: %s %j', async (query, body, finalizers) => {
      const name = `told-${finalizers?.join('').toLowerCase() ?? `off-${query.length}`}`;
      await created(name);
      const answer = await api.delete(`${jobs}/${name}${query}`, body);
      expect([answer.code, answer.headers['warning']]).toEqual([200, undefined]);
      if (finalizers === undefined) expect((await api.get(`${jobs}/${name}`)).code).toBe(404);
      else expect(answer.object().metadata.finalizers).toEqual(finalizers);
    });

    it('in a collection is warned of once, even if there is none', async () => {
      const some = `${jobs}?fieldSelector=metadata.name%3Dcollected`;
      expect((await api.delete(some)).headers['warning']).toBe(warning);
      await created('collected');
      expect((await api.delete(some)).headers['warning']).toBe(warning);
      expect((await api.delete(`${some}&propagationPolicy=Background`)).headers['warning']).toBeUndefined();
    });
  });

  describe('of a collection', () => {
    const room = 'deletion-many';
    const many = collectionPath(CRON_JOB, room);
    const names = async () => (await api.get(many)).list().items.map(({ metadata }) => metadata.name);

    it('holds every object to the preconditions, and stops at one that does not meet them', async () => {
      const first = (await api.post(many, CRON_JOB.sample('first', room))).object();
      await api.post(many, CRON_JOB.sample('second', room));
      const { uid, resourceVersion } = first.metadata;
      expect((await api.delete(many, { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } })).status().code).toBe(409);
      expect(await names()).toEqual(['first', 'second']);
      expect((await api.delete(many, { preconditions: { uid, resourceVersion } })).status()).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
      expect(await names()).toEqual(['second']);
    });

    it('takes what is selected, page by page, and says what is left', async () => {
      for (const name of ['a', 'b', 'c']) await api.post(many, CRON_JOB.sample(name, room));
      const page = (await api.delete(`${many}?limit=2`)).status();
      expect(page).toMatchObject({ status: 'Success', metadata: { remainingItemCount: 2 }, details: { group: 'batch', kind: 'cronjobs' } });
      expect(await names()).toEqual(['c', 'second']);
      const next = `${many}?limit=2&continue=${encodeURIComponent(page.metadata.continue ?? '')}`;
      expect((await api.delete(`${next}&fieldSelector=metadata.name%3Dsecond`)).status().status).toBe('Success');
      expect(await names()).toEqual(['c']);
      expect((await api.delete(many)).status().metadata).toEqual({});
      expect(await names()).toEqual([]);
    });
  });

  it('ends with the same name free again for a new object with another uid', async () => {
    const first = await created('again');
    await api.delete(path('again'));
    const second = await created('again');
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });

  it('is possible for a ControllerRevision, whose data cannot change', async () => {
    const revisions = collectionPath(CONTROLLER_REVISION, namespace);
    const object = (await api.post(revisions, CONTROLLER_REVISION.sample('immutable', namespace))).object();
    const answer = await api.put(`${revisions}/immutable`, { ...object, data: { spec: { replicas: 4 } } });
    expect(answer.code).toBe(422);
    expect(answer.status().details?.causes).toContainEqual(expect.objectContaining({ reason: 'FieldValueInvalid', field: 'data' }));
    expect((await api.delete(`${revisions}/immutable`)).status().status).toBe('Success');
  });
});
