/** What becomes of dependents, as clients see it, and that another server goes on when the leader is killed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiObject, OwnerReference } from '../support/api-object.ts';
import type { Api } from '../support/api.ts';
import { collectionPath, CONTROLLER_REVISION, CRON_JOB, itemPath } from '../support/kinds.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { startServer, type ServerProcess } from '../support/server.ts';
import { describeServer } from '../support/stores.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait.ts';

const namespace = 'garbage';
const REVISIONS = collectionPath(CONTROLLER_REVISION, namespace);
const pathOf = (name: string) => itemPath(CONTROLLER_REVISION, namespace, name);

const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: ApiObject, blockOwnerDeletion = true): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  blockOwnerDeletion,
});

async function create(api: Api, name: string, ownerReferences: readonly OwnerReference[] = []): Promise<ApiObject> {
  const sample = CONTROLLER_REVISION.sample(name, namespace);
  return (await api.post(REVISIONS, { ...sample, metadata: { ...sample.metadata, ownerReferences } })).object();
}

const isGone = async (api: Api, name: string): Promise<boolean> => (await api.get(pathOf(name))).code === 404;

describeServer('Garbage collection', (api) => {
  let kubectl: Kubectl;
  beforeAll(async () => {
    kubectl = await openKubectl({ server: () => api.baseUrl });
  });
  afterAll(() => kubectl.close());

  it('does what kubectl delete --cascade asks for', async () => {
    for (const cascade of ['background', 'foreground', 'orphan']) {
      const owner = await create(api, `owner-${cascade}`);
      await create(api, `child-${cascade}`, [referenceTo(owner)]);
      // It waits until the object is gone.
      await kubectl.told(['delete', 'controllerrevision', `owner-${cascade}`, '-n', namespace, `--cascade=${cascade}`, '--timeout=20s']);
      expect(await isGone(api, `owner-${cascade}`)).toBe(true);
      if (cascade === 'orphan') {
        expect((await api.get(pathOf('child-orphan'))).object().metadata.ownerReferences).toBeUndefined();
      } else {
        await waitFor(() => isGone(api, `child-${cascade}`), { what: `the child to go: ${cascade}` });
      }
    }
  });

  it('is told to watches like any deletion', async () => {
    const owner = (await api.post(collectionPath(CRON_JOB, namespace), CRON_JOB.sample('watched', namespace))).object();
    const child = await create(api, 'watched-child', [referenceTo(owner)]);
    const stream = await api.watch(`${REVISIONS}?watch=true&resourceVersion=${child.metadata.resourceVersion}`);
    await api.delete(itemPath(CRON_JOB, namespace, 'watched'));
    const event = await stream.next();
    stream.close();
    expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { uid: child.metadata.uid } } });
  });

  it('is counted in the metrics', async () => {
    await waitFor(
      async () => /^workqueue_adds_total\{name="garbage_collector_attempt_to_delete"\} [1-9]/m.test((await api.get('/metrics')).text),
      { what: 'the metrics of the collector' },
    );
  });
});

describeServer(
  'Garbage collection that is turned off',
  (api) => {
    it('ignores owners and propagation policies, as kube-apiserver does', async () => {
      const owner = await create(api, 'owner');
      await create(api, 'child', [referenceTo(owner)]);
      const deleted = await api.delete(pathOf('owner'), { propagationPolicy: 'Foreground' });
      expect(deleted.status().status).toBe('Success');
      expect([await isGone(api, 'owner'), await isGone(api, 'child')]).toEqual([true, false]);
    });
  },
  { flags: ['--enable-garbage-collector=false'] },
);

describeServer(
  'Garbage collection that is left to another program',
  (api) => {
    it('leaves the finalizers of propagation policies to it', async () => {
      const owner = await create(api, 'owner');
      await create(api, 'child', [referenceTo(owner)]);
      const deleted = await api.delete(pathOf('owner'), { propagationPolicy: 'Foreground' });
      expect(deleted.object().metadata.finalizers).toEqual(['foregroundDeletion']);
      expect([await isGone(api, 'owner'), await isGone(api, 'child')]).toEqual([false, false]);
    });
  },
  { flags: ['--controllers=*,-garbage-collector-controller'] },
);

describe('Garbage collection on two servers over one etcd', () => {
  const DEPENDENTS = 2000;
  const TAKEN_OVER_MS = 15_000;
  let store: TestStore;
  let leader: ServerProcess;
  let follower: ServerProcess;
  beforeAll(async () => {
    store = await openTestStore('etcd');
    leader = await startServer([...store.flags, '-v', '2']);
    await waitFor(() => leader.output().includes('graph of owners built'), { what: 'the first server to lead' });
    follower = await startServer([...store.flags, '-v', '2']);
  }, 60_000);
  afterAll(async () => {
    await Promise.allSettled([leader.kill(), follower.stop()]);
    await store.close();
  }, 30_000);

  it('goes on within 15 s when the leader is killed in the middle: nothing is left over, and nothing wrongly deleted', async () => {
    const [owner, other] = [await create(follower, 'owner'), await create(follower, 'other')];
    const names = Array.from({ length: DEPENDENTS }, (_, index) => `dependent-${String(index).padStart(4, '0')}`);
    const rest = names.values();
    const lane = async () => {
      // Every tenth has another owner, which stays.
      for (const name of rest) {
        await create(follower, name, [referenceTo(owner), ...(name.endsWith('0') ? [referenceTo(other)] : [])]);
      }
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    const count = async () => {
      const { items, metadata } = (await follower.get(`${REVISIONS}?limit=1`)).list();
      return items.length + (metadata.remainingItemCount ?? 0);
    };
    await follower.delete(pathOf('owner'), { propagationPolicy: 'Foreground' });
    await waitFor(async () => (await count()) < DEPENDENTS * 0.9, {
      what: 'the leader to be in the middle of it',
      timeoutMs: 30_000,
      everyMs: 5,
    });
    await leader.kill();
    const killedAt = performance.now();
    const left = await count();
    expect(left).toBeGreaterThan(DEPENDENTS * 0.2);
    await waitFor(async () => (await count()) < left, { what: 'the other server to go on', timeoutMs: TAKEN_OVER_MS });
    expect(performance.now() - killedAt).toBeLessThan(TAKEN_OVER_MS);
    const kept = 1 + DEPENDENTS / 10;
    await waitFor(async () => (await count()) <= kept, { what: 'all dependents to go', timeoutMs: 60_000 });
    // The owner goes last: nobody works on it any more.
    await waitFor(() => isGone(follower, 'owner'), { what: 'the owner to go', timeoutMs: 30_000 });
    const { items } = (await follower.get(REVISIONS)).list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual([...names.filter((name) => name.endsWith('0')), 'other']);
    expect(items.flatMap(({ metadata }) => metadata.ownerReferences ?? []).every(({ uid }) => uid === other.metadata.uid)).toBe(true);
  }, 180_000);
});
