/** The unmodified JavaScript client of Kubernetes over HTTPS: its typed clients, its watch, its informer; known by certificate and by token. */
import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  EventsV1Api,
  InternalApiserverV1alpha1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  PolicyV1Api,
  StorageV1Api,
  V1MicroTime,
  VersionApi,
  Watch,
  makeInformer,
  setHeaderOptions,
  type V1CronJob,
  type V1CronJobSpec,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSecureServer, temporaryDirectory, type SecureServer, type TemporaryDirectory } from '../support/server.ts';
import { BACKENDS, openTestStore, type TestStore } from '../support/test-store.ts';
import { deadline, waitFor } from '../support/wait.ts';

const TOKEN = 'a-token-of-the-tests';
const TOKENS = [{ token: TOKEN, user: 'client-node', groups: ['system:masters'] }];
const CREDENTIALS = ['certificate', 'token'] as const;

/** As a program would: with the file that the server wrote for its admin, or with what somebody was handed. */
function configFor({ url, ca, kubeconfig }: SecureServer, credential: 'certificate' | 'token' | 'nothing', token = TOKEN): KubeConfig {
  const config = new KubeConfig();
  if (credential === 'certificate') {
    config.loadFromFile(kubeconfig);
    return config;
  }
  config.loadFromOptions({
    clusters: [{ name: 'test', server: url, caData: Buffer.from(ca).toString('base64') }],
    users: [credential === 'token' ? { name: 'holder', token } : { name: 'nobody' }],
    contexts: [{ name: 'test', cluster: 'test', user: credential === 'token' ? 'holder' : 'nobody' }],
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

describe.each(BACKENDS)('JavaScript client › on %s', (backend) => {
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

  describe.each(CREDENTIALS)('known by %s', (credential) => {
    const namespace = `client-${credential}`;
    const client = () => {
      const config = configFor(running(), credential);
      return {
        config,
        batch: config.makeApiClient(BatchV1Api),
        policy: config.makeApiClient(PolicyV1Api),
        apps: config.makeApiClient(AppsV1Api),
        events: config.makeApiClient(EventsV1Api),
        storage: config.makeApiClient(StorageV1Api),
        internal: config.makeApiClient(InternalApiserverV1alpha1Api),
      };
    };

    describe('typed clients', () => {
      it('work with cron jobs', async () => {
        const { batch } = client();
        const created = await batch.createNamespacedCronJob({ namespace, body: cronJob('typed', namespace) });
        expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
        expect(created.spec.concurrencyPolicy).toBe('Allow');
        const read = await batch.readNamespacedCronJob({ namespace, name: 'typed' });
        expect(read).toEqual(created);
        const replaced = await batch.replaceNamespacedCronJob({
          namespace,
          name: 'typed',
          body: { ...read, spec: { ...spec, suspend: true } },
        });
        expect(replaced.spec.suspend).toBe(true);
        const status = await batch.replaceNamespacedCronJobStatus({
          namespace,
          name: 'typed',
          body: { ...replaced, status: { lastScheduleTime: new Date('2026-11-20T10:00:00Z') } },
        });
        expect(status.status?.lastScheduleTime).toEqual(new Date('2026-11-20T10:00:00Z'));
        expect((await batch.listNamespacedCronJob({ namespace })).items.map((item) => item.metadata?.name)).toContain('typed');
        expect((await batch.listCronJobForAllNamespaces({ limit: 1 })).items).toHaveLength(1);
        expect((await batch.deleteNamespacedCronJob({ namespace, name: 'typed' })).status).toBe('Success');
        expect(await refusal(batch.readNamespacedCronJob({ namespace, name: 'typed' }))).toBe(404);
      });

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

      it('work with events', async () => {
        const { events } = client();
        const created = await events.createNamespacedEvent({
          namespace,
          body: {
            metadata: { generateName: 'typed-' },
            eventTime: new V1MicroTime(),
            type: 'Warning',
            reason: 'Tested',
            action: 'Test',
            reportingController: 'tests',
            reportingInstance: 'tests-0',
            regarding: { kind: 'CronJob', namespace, name: 'typed', apiVersion: 'batch/v1' },
          },
        });
        expect(created.metadata?.name).toMatch(/^typed-./);
        const list = await events.listNamespacedEvent({ namespace, fieldSelector: 'type=Warning' });
        expect(list.items.map((item) => item.metadata?.uid)).toEqual([created.metadata?.uid]);
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

      it('patch in every way', async () => {
        const { batch } = client();
        const name = 'patched';
        await batch.createNamespacedCronJob({ namespace, body: cronJob(name, namespace) });
        const patch = (body: unknown, type: PatchStrategy, more: { fieldManager?: string; force?: boolean } = {}) =>
          batch.patchNamespacedCronJob({ namespace, name, body, ...more }, setHeaderOptions('Content-Type', type));
        expect((await patch({ spec: { suspend: true } }, PatchStrategy.MergePatch)).spec.suspend).toBe(true);
        const json = await patch([{ op: 'replace', path: '/spec/suspend', value: false }], PatchStrategy.JsonPatch);
        expect(json.spec.suspend).toBe(false);
        const side = { name: 'side', image: 'registry.example.com/side:1' };
        const inPod = { jobTemplate: { spec: { template: { spec: { containers: [side] } } } } };
        const strategic = await patch({ spec: inPod }, PatchStrategy.StrategicMergePatch);
        expect(strategic.spec.jobTemplate.spec?.template.spec?.containers.map((container) => container.name)).toEqual(['side', 'main']);
        const config = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec: { schedule: '0 * * * *' } };
        expect(await refusal(patch(config, PatchStrategy.ServerSideApply, { fieldManager: 'applier' }))).toBe(409);
        const applied = await patch(config, PatchStrategy.ServerSideApply, { fieldManager: 'applier', force: true });
        expect(applied.spec.schedule).toBe('0 * * * *');
        expect(applied.metadata?.managedFields?.map(({ manager, operation }) => `${operation} ${manager ?? ''}`)).toContain(
          'Apply applier',
        );
        const status = await batch.patchNamespacedCronJobStatus(
          { namespace, name, body: { status: { lastScheduleTime: '2026-11-20T10:00:00Z' }, spec: { schedule: '1 * * * *' } } },
          setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
        );
        expect(status.status?.lastScheduleTime).toEqual(new Date('2026-11-20T10:00:00Z'));
        expect(status.spec.schedule).toBe('0 * * * *');
      });

      it('apply with the client that knows no types', async () => {
        const objects = KubernetesObjectApi.makeApiClient(client().config);
        const body = { apiVersion: 'batch/v1', kind: 'CronJob', ...cronJob('untyped', namespace) };
        const apply = () => objects.patch(body, undefined, undefined, 'applier', false, PatchStrategy.ServerSideApply);
        const created = await apply();
        expect(created.metadata?.uid).toBeTruthy();
        expect(await apply()).toEqual(created);
      });

      it('get refusals as exceptions with the code', async () => {
        const { batch } = client();
        await batch.createNamespacedCronJob({ namespace, body: cronJob('refused', namespace) });
        expect(await refusal(batch.createNamespacedCronJob({ namespace, body: cronJob('refused', namespace) }))).toBe(409);
        expect(
          await refusal(
            batch.createNamespacedCronJob({
              namespace,
              body: { ...cronJob('x', namespace), spec: { ...spec, concurrencyPolicy: 'Never' } },
            }),
          ),
        ).toBe(422);
      });
    });

    it('watches with its own Watch', async () => {
      const watched = `watch-${credential}`;
      const { batch, config } = client();
      const from = (await batch.listNamespacedCronJob({ namespace: watched })).metadata?.resourceVersion;
      const seen: string[] = [];
      const watch = await new Watch(config).watch(
        `/apis/batch/v1/namespaces/${watched}/cronjobs`,
        { resourceVersion: from, allowWatchBookmarks: true },
        (phase: string, object: V1CronJob) => {
          if (phase !== 'BOOKMARK') seen.push(`${phase} ${object.metadata?.name ?? ''}`);
        },
        () => {},
      );
      await batch.createNamespacedCronJob({ namespace: watched, body: cronJob('w', watched) });
      await batch.deleteNamespacedCronJob({ namespace: watched, name: 'w' });
      await waitFor(() => seen.length >= 2, { what: () => `two events, got ${seen.join(', ')}` });
      watch.abort();
      expect(seen).toEqual(['ADDED w', 'DELETED w']);
    });

    it('has an informer that sees every change exactly once under concurrent writers', async () => {
      const { batch, config } = client();
      const space = `informer-${credential}`;
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
      const space = `restart-${credential}`;
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
  });

  it('is told 401 for a token that is not known, whatever it asks for', async () => {
    const batch = configFor(running(), 'token', 'no-such-token').makeApiClient(BatchV1Api);
    expect(await refusal(batch.listCronJobForAllNamespaces())).toBe(401);
    const version = configFor(running(), 'token', 'no-such-token').makeApiClient(VersionApi);
    expect(await refusal(version.getCode())).toBe(401);
  });

  it('sees the version and nothing more without credentials', async () => {
    const config = configFor(running(), 'nothing');
    expect((await config.makeApiClient(VersionApi).getCode()).minor).toBe('36');
    expect([401, 403]).toContain(await refusal(config.makeApiClient(BatchV1Api).listCronJobForAllNamespaces()));
  });
});
