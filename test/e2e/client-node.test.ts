/**
 * The unmodified JavaScript client of Kubernetes, known by a token: its typed clients of the other kinds, and its
 * informer when things get rough. What it does with a cron job, known by the admin's certificate, is
 * test/clients/javascript.
 */
import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  InternalApiserverV1alpha1Api,
  KubeConfig,
  PolicyV1Api,
  StorageV1Api,
  VersionApi,
  makeInformer,
  type V1CronJob,
  type V1CronJobSpec,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSecureServer, temporaryDirectory, type SecureServer, type TemporaryDirectory } from '../support/server.ts';
import { BACKENDS, openTestStore, type TestStore } from '../support/test-store.ts';
import { deadline, waitFor } from '../support/wait.ts';

const TOKEN = 'a-token-of-the-tests';
const TOKENS = [{ token: TOKEN, user: 'client-node', groups: ['system:masters'] }];
const namespace = 'client-node';

/** `token` undefined: nobody. */
function configFor({ url, ca }: SecureServer, token: string | undefined): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'test', server: url, caData: Buffer.from(ca).toString('base64') }],
    users: [{ name: 'holder', ...(token === undefined ? {} : { token }) }],
    contexts: [{ name: 'test', cluster: 'test', user: 'holder' }],
    currentContext: 'test',
  });
  return config;
}

const spec: V1CronJobSpec = {
  schedule: '*/10 * * * *',
  jobTemplate: {
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/work:1.0' }] } } },
  },
};
const cronJob = (name: string, space: string): V1CronJob => ({ metadata: { name, namespace: space }, spec });

/** The code of the refusal that `call` must end with. */
async function refusal(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiException) return error.code;
    throw error;
  }
  throw new Error('the call was not refused');
}

describe.each(BACKENDS)('JavaScript client with a token › on %s', (backend) => {
  let etcd: TestStore | undefined;
  let data: TemporaryDirectory | undefined;
  let server: SecureServer | undefined;
  const running = (): SecureServer => {
    if (server === undefined) throw new Error('the server is not running');
    return server;
  };
  const start = (dataDir: string, port?: number) =>
    startSecureServer(etcd?.flags ?? [], { dataDir, tokens: TOKENS, ...(port === undefined ? {} : { port }) });
  const restart = async () => {
    const { dataDir, port, stop } = running();
    await stop();
    server = await start(dataDir, port);
  };
  beforeAll(async () => {
    if (backend === 'etcd') etcd = await openTestStore('etcd');
    data = await temporaryDirectory();
    server = await start(data.path);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    await data?.remove();
    await etcd?.close();
  }, 30_000);

  const client = () => {
    const config = configFor(running(), TOKEN);
    return {
      config,
      batch: config.makeApiClient(BatchV1Api),
      policy: config.makeApiClient(PolicyV1Api),
      apps: config.makeApiClient(AppsV1Api),
      storage: config.makeApiClient(StorageV1Api),
      internal: config.makeApiClient(InternalApiserverV1alpha1Api),
    };
  };

  describe('typed clients', () => {
    it('work with pod disruption budgets', async () => {
      const { policy } = client();
      const body = { metadata: { name: 'typed' }, spec: { maxUnavailable: '25%', selector: { matchLabels: { app: 'web' } } } };
      const created = await policy.createNamespacedPodDisruptionBudget({ namespace, body });
      expect(created.spec?.maxUnavailable).toBe('25%');
      const answer = await policy.replaceNamespacedPodDisruptionBudgetStatus({
        namespace,
        name: 'typed',
        body: { ...created, status: { disruptionsAllowed: 1, currentHealthy: 4, desiredHealthy: 3, expectedPods: 4 } },
      });
      expect(answer.status?.disruptionsAllowed).toBe(1);
      await policy.deleteNamespacedPodDisruptionBudget({ namespace, name: 'typed' });
    });

    it('work with controller revisions', async () => {
      const { apps } = client();
      const body = { metadata: { name: 'typed' }, revision: 4, data: { spec: { replicas: 2 } } };
      const created = await apps.createNamespacedControllerRevision({ namespace, body });
      expect(created).toMatchObject({ revision: 4, data: { spec: { replicas: 2 } } });
      expect(
        await refusal(apps.replaceNamespacedControllerRevision({ namespace, name: 'typed', body: { ...created, data: { other: 1 } } })),
      ).toBe(422);
      await apps.deleteNamespacedControllerRevision({ namespace, name: 'typed' });
    });

    it('work with volume attachments', async () => {
      const { storage } = client();
      const body = {
        metadata: { name: 'typed' },
        spec: { attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'pv1' } },
      };
      const created = await storage.createVolumeAttachment({ body });
      expect(created.status?.attached).toBe(false);
      const deleted = await storage.deleteVolumeAttachment({ name: 'typed' });
      expect(deleted.spec).toEqual(created.spec);
    });

    it('work with storage versions', async () => {
      const { internal } = client();
      const created = await internal.createStorageVersion({ body: { metadata: { name: 'batch.typed' }, spec: {}, status: {} } });
      expect(created.metadata.uid).toBeTruthy();
      const { items } = await internal.listStorageVersion();
      expect(items.map(({ metadata }) => metadata.name)).toContain('batch.typed');
      expect((await internal.deleteStorageVersion({ name: 'batch.typed' })).status).toBe('Success');
    });
  });

  it('has an informer that sees every change exactly once under concurrent writers', async () => {
    const { batch, config } = client();
    const space = 'informer';
    const versions = new Map<string, string[]>();
    const deleted: string[] = [];
    const errors: unknown[] = [];
    const see = (object: V1CronJob) => {
      const { name = '', resourceVersion = '' } = object.metadata ?? {};
      versions.set(name, [...(versions.get(name) ?? []), resourceVersion]);
    };
    const body = cronJob('before', space);
    const before = await batch.createNamespacedCronJob({ namespace: space, body });
    const informer = makeInformer<V1CronJob>(config, `/apis/batch/v1/namespaces/${space}/cronjobs`, () =>
      batch.listNamespacedCronJob({ namespace: space }),
    );
    informer.on('add', see);
    informer.on('update', see);
    informer.on('delete', (object) => deleted.push(object.metadata?.name ?? ''));
    informer.on('error', (error) => errors.push(error));
    await informer.start();

    const written = new Map<string, string[]>([['before', [before.metadata?.resourceVersion ?? '']]]);
    const writer = async (index: number) => {
      const name = `w-${index}`;
      let object = await batch.createNamespacedCronJob({ namespace: space, body: cronJob(name, space) });
      const own = [object.metadata?.resourceVersion ?? ''];
      for (let step = 0; step < 15; step++) {
        object = await batch.replaceNamespacedCronJob({
          namespace: space,
          name,
          body: { ...object, spec: { ...spec, startingDeadlineSeconds: step + 100 } },
        });
        own.push(object.metadata?.resourceVersion ?? '');
      }
      written.set(name, own);
      if (index % 2 === 0) await batch.deleteNamespacedCronJob({ namespace: space, name });
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => writer(index)));
    const total = (all: ReadonlyMap<string, readonly string[]>) => [...all.values()].reduce((sum, own) => sum + own.length, 0);
    await waitFor(() => total(versions) >= total(written) && deleted.length >= 5, {
      what: () => `${total(written)} changes, got ${total(versions)}`,
    });
    const cached = informer.list(space);
    await informer.stop();
    expect(errors).toEqual([]);
    expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(written));
    expect(deleted.sort()).toEqual(['w-0', 'w-2', 'w-4', 'w-6', 'w-8']);
    expect(cached.map((object) => object.metadata?.name).sort()).toEqual(['before', 'w-1', 'w-3', 'w-5', 'w-7', 'w-9']);
  }, 30_000);

  it('has an informer that goes on after the server was restarted', async () => {
    const { batch, config } = client();
    const space = 'restart';
    const seen: string[] = [];
    const informer = makeInformer<V1CronJob>(config, `/apis/batch/v1/namespaces/${space}/cronjobs`, () =>
      batch.listNamespacedCronJob({ namespace: space }),
    );
    informer.on('add', (object) => seen.push(object.metadata?.name ?? ''));
    const failed = new Promise<void>((resolve) => informer.on('error', () => resolve()));
    await informer.start();
    await batch.createNamespacedCronJob({ namespace: space, body: cronJob('one', space) });
    await waitFor(() => seen.includes('one'), { what: 'the first object' });
    await restart();
    await Promise.race([failed, deadline(failed, 2000, 'x').catch(() => {})]);
    await informer.start();
    await batch.createNamespacedCronJob({ namespace: space, body: cronJob('two', space) });
    await waitFor(() => seen.includes('two'), { what: 'the second object' });
    await informer.stop();
    expect(seen.filter((name) => name === 'two')).toEqual(['two']);
  }, 30_000);

  it('is told 401 for a token that is not known, whatever it asks for', async () => {
    const batch = configFor(running(), 'no-such-token').makeApiClient(BatchV1Api);
    expect(await refusal(batch.listCronJobForAllNamespaces())).toBe(401);
    const version = configFor(running(), 'no-such-token').makeApiClient(VersionApi);
    expect(await refusal(version.getCode())).toBe(401);
  });

  it('sees the version and nothing more without credentials', async () => {
    const config = configFor(running(), undefined);
    expect((await config.makeApiClient(VersionApi).getCode()).minor).toBe('36');
    expect([401, 403]).toContain(await refusal(config.makeApiClient(BatchV1Api).listCronJobForAllNamespaces()));
  });
});
