/** Namespaces: made on first use or wanted, emptied when they are deleted. */
import { expect, it } from '@jest/globals';
import { toKey } from '../../pkg/storage/keys.ts';
import type { Api } from '../support/api.ts';
import { collectionPath, CONTROLLER_REVISION, CRON_JOB, EVENT, itemPath } from '../support/kinds.ts';
import { changeStopped } from '../support/stopped-store.ts';
import { describeServer } from '../support/stores.ts';
import { waitFor } from '../support/wait.ts';

const NAMESPACES = '/api/v1/namespaces';
const SYSTEM = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const namespace = (name: string) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
const namesOf = async (api: Api, path = NAMESPACES) => (await api.get(path)).list().items.map(({ metadata }) => metadata.name);
const createIn = (api: Api, name: string, object = 'job') => api.post(collectionPath(CRON_JOB, name), CRON_JOB.sample(object, name));
const gone = (api: Api, name: string) =>
  waitFor(async () => (await api.get(`${NAMESPACES}/${name}`)).code === 404, { what: `the end of namespace ${name}` });

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}
const conditionsOf = async (api: Api, name: string) => {
  const { conditions = [] } = ((await api.get(`${NAMESPACES}/${name}`)).object()['status'] ?? {}) as { conditions?: readonly Condition[] };
  return new Map(conditions.map((condition) => [condition.type, condition]));
};

describeServer('Namespaces', (api) => {
  it('of the system are there when the server is ready, and stay', async () => {
    expect(await namesOf(api)).toEqual(expect.arrayContaining(SYSTEM));
    for (const name of SYSTEM) {
      expect((await api.delete(`${NAMESPACES}/${name}`)).status()).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: 'namespaces' },
      });
    }
    expect(await namesOf(api)).toEqual(expect.arrayContaining(SYSTEM));
  });

  it('have their name as a label, and a finalizer', async () => {
    const created = (await api.post(NAMESPACES, { ...namespace('labelled'), metadata: { name: 'labelled', labels: { a: 'b' } } })).object();
    expect(created).toMatchObject({
      metadata: { labels: { a: 'b', 'kubernetes.io/metadata.name': 'labelled' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const generated = (await api.post(NAMESPACES, { kind: 'Namespace', apiVersion: 'v1', metadata: { generateName: 'gen-' } })).object();
    const { name } = generated.metadata;
    expect(generated.metadata['labels']).toEqual({ 'kubernetes.io/metadata.name': name });
    expect(await namesOf(api, `${NAMESPACES}?labelSelector=kubernetes.io%2Fmetadata.name%3D${name}`)).toEqual([name]);
  });

  it('are made by the first object in them, once it is valid and stored', async () => {
    const broken = { ...CRON_JOB.sample('job', 'first'), spec: { schedule: 'never' } };
    expect((await api.post(collectionPath(CRON_JOB, 'first'), broken)).code).toBe(422);
    expect((await api.post(`${collectionPath(CRON_JOB, 'first')}?dryRun=All`, CRON_JOB.sample('job', 'first'))).code).toBe(201);
    expect(await namesOf(api)).not.toContain('first');

    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => createIn(api, 'first', `job-${index}`)));
    expect(answers.map(({ code }) => code)).toEqual([201, 201, 201, 201, 201, 201]);
    expect((await api.get(`${NAMESPACES}/first`)).object()).toMatchObject({ status: { phase: 'Active' } });
  });

  it('are made by an apply and by a PUT that creates, too', async () => {
    const sample = CONTROLLER_REVISION.sample('one', 'applied');
    const applied = await api.send('PATCH', `${itemPath(CONTROLLER_REVISION, 'applied', 'one')}?fieldManager=m`, {
      body: JSON.stringify(sample),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    expect(applied.code).toBe(201);
    expect((await api.put(itemPath(EVENT, 'put', 'one'), EVENT.sample('one', 'put'))).code).toBe(201);
    expect(await namesOf(api)).toEqual(expect.arrayContaining(['applied', 'put']));
  });

  it('take everything with them, of every kind', async () => {
    const kinds = [CRON_JOB, CONTROLLER_REVISION, EVENT];
    for (const kind of kinds) {
      for (let index = 0; index < 20; index++)
        expect((await api.post(collectionPath(kind, 'full'), kind.sample(`o-${index}`, 'full'))).code).toBe(201);
    }
    expect((await createIn(api, 'full-too')).code).toBe(201);
    const deleted = await api.delete(`${NAMESPACES}/full`);
    expect({ code: deleted.code, object: deleted.object() }).toMatchObject({
      code: 200,
      object: { kind: 'Namespace', status: { phase: 'Terminating' } },
    });
    await gone(api, 'full');
    for (const kind of kinds) expect(await namesOf(api, collectionPath(kind, 'full'))).toEqual([]);
    expect(await namesOf(api, collectionPath(CRON_JOB, 'full-too'))).toEqual(['job']);
  });

  it('say what holds them, take nothing new, and go when it lets go', async () => {
    const sample = CRON_JOB.sample('held', 'held');
    const held = { ...sample, metadata: { ...sample.metadata, finalizers: ['example.com/guard'] } };
    expect((await api.post(collectionPath(CRON_JOB, 'held'), held)).code).toBe(201);
    expect((await createIn(api, 'held', 'free')).code).toBe(201);
    await api.delete(`${NAMESPACES}/held`);
    await waitFor(async () => (await conditionsOf(api, 'held')).get('NamespaceContentRemaining')?.status === 'True', {
      what: 'the condition',
    });
    const conditions = await conditionsOf(api, 'held');
    expect(conditions.get('NamespaceContentRemaining')?.message).toBe(
      'Some resources are remaining: cronjobs.batch has 1 resource instances',
    );
    expect(conditions.get('NamespaceFinalizersRemaining')).toMatchObject({
      status: 'True',
      reason: 'SomeFinalizersRemain',
      message: 'Some content in the namespace has finalizers remaining: example.com/guard in 1 resource instances',
    });
    expect(conditions.get('NamespaceDeletionContentFailure')?.status).toBe('False');

    expect((await createIn(api, 'held', 'late')).status()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message: 'cronjobs.batch "late" is forbidden: unable to create new content in namespace held because it is being terminated',
      details: {
        name: 'late',
        group: 'batch',
        kind: 'cronjobs',
        causes: [{ reason: 'NamespaceTerminating', message: 'namespace held is being terminated', field: 'metadata.namespace' }],
      },
    });
    const changed = await api.send('PATCH', itemPath(CRON_JOB, 'held', 'held'), {
      body: JSON.stringify({ metadata: { finalizers: null } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(changed.code).toBe(200);
    await gone(api, 'held');
  });

  it('stay for finalizers of others, on the object and in its spec', async () => {
    const guarded = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'guarded', finalizers: ['example.com/a'] } };
    expect((await api.post(NAMESPACES, { ...guarded, spec: { finalizers: ['example.com/b'] } })).code).toBe(201);
    await api.delete(`${NAMESPACES}/guarded`);
    const path = `${NAMESPACES}/guarded`;
    await waitFor(async () => !JSON.stringify((await api.get(path)).object()['spec']).includes('kubernetes'), { what: 'the server' });
    expect((await api.get(path)).object()).toMatchObject({ spec: { finalizers: ['example.com/b'] } });
    expect((await api.put(`${path}/finalize`, { ...namespace('guarded'), metadata: guarded.metadata })).code).toBe(200);
    expect((await api.get(path)).code).toBe(200);
    const released = await api.send('PATCH', path, {
      body: JSON.stringify({ metadata: { finalizers: null } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(released.code).toBe(200);
    expect((await api.get(path)).code).toBe(404);
  });

  it('that are made again have a new uid and none of the old objects', async () => {
    const first = (await api.post(NAMESPACES, namespace('again'))).object();
    await createIn(api, 'again');
    await api.delete(`${NAMESPACES}/again`);
    await gone(api, 'again');
    expect((await createIn(api, 'again', 'new')).code).toBe(201);
    expect((await api.get(`${NAMESPACES}/again`)).object().metadata.uid).not.toBe(first.metadata.uid);
    expect(await namesOf(api, collectionPath(CRON_JOB, 'again'))).toEqual(['new']);
  });

  it('cannot be deleted as a collection', async () => {
    expect((await api.delete(NAMESPACES)).code).toBe(405);
  });

  it('are made for the objects of a store that has none', async () => {
    await createIn(api, 'old');
    const everything = await namesOf(api);
    await changeStopped(api, async (backend) => {
      for (const name of everything) {
        const key = toKey(`/core/namespaces/${name}`);
        const { record } = await backend.get(key);
        if (record !== undefined) await backend.commit({ key, ifRevision: record.revision, value: null });
      }
    });
    const names = await namesOf(api);
    expect(names).toEqual(expect.arrayContaining([...SYSTEM, 'old', 'first', 'again']));
    expect(names).not.toContain('labelled');
  });

  it('go on being emptied by a server that was started again', async () => {
    const sample = CRON_JOB.sample('held', 'restart');
    const held = { ...sample, metadata: { ...sample.metadata, finalizers: ['example.com/guard'] } };
    await api.post(collectionPath(CRON_JOB, 'restart'), held);
    await api.delete(`${NAMESPACES}/restart`);
    await api.restart();
    await api.send('PATCH', itemPath(CRON_JOB, 'restart', 'held'), {
      body: JSON.stringify({ metadata: { finalizers: null } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await gone(api, 'restart');
  });
});

describeServer(
  'Namespaces with --namespace-lifecycle=strict',
  (api) => {
    it('have to be made before anything is created in them', async () => {
      expect((await createIn(api, 'absent')).status()).toMatchObject({
        code: 404,
        reason: 'NotFound',
        message: 'namespaces "absent" not found',
        details: { name: 'absent', kind: 'namespaces' },
      });
      expect((await createIn(api, 'default')).code).toBe(201);
      expect((await api.post(NAMESPACES, namespace('present'))).code).toBe(201);
      expect((await createIn(api, 'present')).code).toBe(201);
    });

    it('refuse before the object itself is looked at', async () => {
      const broken = { ...CRON_JOB.sample('job', 'absent'), spec: { schedule: 'never' } };
      expect((await api.post(collectionPath(CRON_JOB, 'absent'), broken)).code).toBe(404);
    });
  },
  { flags: ['--namespace-lifecycle=strict'] },
);
