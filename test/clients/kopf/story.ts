/** Starts `kopf run` with the operator beside this file, and does with its objects what users do. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { ApiException, BatchV1Api, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions, type V1CronJob } from '@kubernetes/client-node';
import { waitFor } from '../../support/wait.ts';

const STEP_MS = 30_000;
const FINALIZER = 'kopf.zalando.org/KopfFinalizerMarker';
const name = 'nightly';

const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG
const batch = config.makeApiClient(BatchV1Api);
const core = config.makeApiClient(CoreV1Api);
const namespace = process.env['COXSWAIN_NAMESPACE'] ?? 'default';

const operator = spawn('.venv/bin/kopf', ['run', '--namespace', namespace, 'cronjobs.py'], { stdio: ['ignore', 'ignore', 'pipe'] });
process.once('exit', () => operator.kill('SIGKILL'));
let log = '';
operator.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));

/** Throws when the operator has ended. */
const until = (what: string, condition: () => Promise<boolean>): Promise<void> =>
  waitFor(
    () => {
      assert.equal(operator.exitCode ?? operator.signalCode, null, `kopf ended: ${log}`);
      return condition();
    },
    { what: () => `${what}; kopf says:\n${log}`, timeoutMs: STEP_MS, everyMs: 50 },
  );

async function read(): Promise<V1CronJob | undefined> {
  try {
    return await batch.readNamespacedCronJob({ namespace, name });
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}

const annotation = async (key: string) => (await read())?.metadata?.annotations?.[`example.com/${key}`];

async function eventFound(reason: string, type: string): Promise<boolean> {
  const fieldSelector = `involvedObject.kind=CronJob,involvedObject.name=${name},reason=${reason}`;
  const [event] = (await core.listNamespacedEvent({ namespace, fieldSelector })).items;
  if (event === undefined) return false;
  assert.deepEqual([event.type, event.source?.component], [type, 'kopf']);
  return true;
}

/** The namespace comes with the cron job: the operator hears of both. */
async function created(): Promise<void> {
  const containers = [{ name: 'main', image: 'registry.example.com/work:1.0' }];
  const template = { spec: { restartPolicy: 'Never', containers } };
  await batch.createNamespacedCronJob({
    namespace,
    body: { metadata: { name }, spec: { schedule: '15 2 * * *', jobTemplate: { spec: { template } } } },
  });
  await until('the create handler', async () => (await annotation('created')) === '15 2 * * *');
}

async function finalizerSet(): Promise<void> {
  assert.deepEqual((await read())?.metadata?.finalizers, [FINALIZER]);
}

async function updated(): Promise<void> {
  const body = { spec: { schedule: '30 3 * * *' } };
  await batch.patchNamespacedCronJob({ namespace, name, body }, setHeaderOptions('Content-Type', PatchStrategy.MergePatch));
  await until('the update handler', async () => (await annotation('updated')) === '15 2 * * * to 30 3 * * *');
}

async function ticked(): Promise<void> {
  const before = Number((await annotation('ticks')) ?? 0);
  await until('the timer', async () => Number((await annotation('ticks')) ?? 0) >= before + 3);
}

/** The delete handler runs before the finalizer is removed. */
async function deleted(): Promise<void> {
  await batch.deleteNamespacedCronJob({ namespace, name });
  await until('the finalizer to be removed', async () => (await read()) === undefined);
  await until('the Event of the delete handler', () => eventFound('Deleted', 'Warning'));
}

async function stopped(): Promise<void> {
  operator.kill('SIGTERM');
  await waitFor(() => operator.exitCode !== null, { what: () => `kopf to end: ${log}` });
  assert.equal(operator.exitCode, 0, log);
  await core.deleteCollectionNamespacedEvent({ namespace });
}

const STEPS: readonly (readonly [name: string, run: () => Promise<void>])[] = [
  ['created', created],
  ['finalizer-set', finalizerSet],
  ['event', () => until('the Event of the create handler', () => eventFound('Created', 'Normal'))],
  ['updated', updated],
  ['timer', ticked],
  ['deleted', deleted],
  ['stopped', stopped],
];

for (const [step, run] of STEPS) {
  try {
    await run();
  } catch (error) {
    console.error(`failed ${step}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(1);
  }
  console.log(`ok ${step}`);
}
