import assert from 'node:assert/strict';
import { KubernetesObjectApi, PatchStrategy, setHeaderOptions, type V1CronJob } from '@kubernetes/client-node';
import { NAME, assertRefused, imagesOf, type Story } from './shared.ts';

export async function mergePatch({ batch, namespace }: Story): Promise<void> {
  const body = { metadata: { annotations: { 'example.com/owner': 'finance' }, labels: { app: null } } };
  const patched = await batch.patchNamespacedCronJob(
    { namespace, name: NAME, body },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  assert.equal(patched.metadata?.annotations?.['example.com/owner'], 'finance');
  assert.equal(patched.metadata.labels?.['app'], undefined);
}

export async function strategicPatch({ batch, namespace }: Story): Promise<void> {
  const containers = [{ name: 'report', image: 'registry.example.com/report:1.1' }];
  const patched = await batch.patchNamespacedCronJob(
    { namespace, name: NAME, body: { spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } } },
    setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
  );
  assert.deepEqual(imagesOf(patched), { report: 'registry.example.com/report:1.1', upload: 'registry.example.com/upload:1.0' });
}

/** With the client that knows no types; it takes the path from discovery. */
export async function apply({ config, batch, namespace }: Story): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const applyAs = (manager: string, spec: object, force: boolean) => {
    const intent = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: NAME, namespace }, spec };
    return objects.patch(intent, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  };
  const read = () => batch.readNamespacedCronJob({ namespace, name: NAME });
  await applyAs('first', { successfulJobsHistoryLimit: 5 }, true);
  assert.deepEqual(appliersOf(await read(), 'f:successfulJobsHistoryLimit'), ['first']);
  await assertRefused(applyAs('second', { successfulJobsHistoryLimit: 7 }, false), 409, 'Conflict');
  assert.equal((await read()).spec.successfulJobsHistoryLimit, 5);
  await applyAs('second', { successfulJobsHistoryLimit: 7 }, true);
  const taken = await read();
  assert.equal(taken.spec.successfulJobsHistoryLimit, 7);
  assert.deepEqual(appliersOf(taken, 'f:successfulJobsHistoryLimit'), ['second']);
}

/** Who owns a field of the spec by having applied it. */
const appliersOf = (job: V1CronJob, field: string): readonly string[] =>
  (job.metadata?.managedFields ?? []).flatMap(({ manager = '', operation, fieldsV1 }) => {
    const spec = (fieldsV1 as { 'f:spec'?: object } | undefined)?.['f:spec'] ?? {};
    return operation === 'Apply' && field in spec ? [manager] : [];
  });

export async function status({ batch, namespace }: Story): Promise<void> {
  const before = await batch.readNamespacedCronJob({ namespace, name: NAME });
  const lastScheduleTime = new Date('2026-11-20T02:15:00Z');
  const spec = { ...before.spec, schedule: '0 4 * * *' };
  const replaced = await batch.replaceNamespacedCronJobStatus({
    namespace,
    name: NAME,
    body: { ...before, spec, status: { lastScheduleTime } },
  });
  assert.deepEqual(replaced.status?.lastScheduleTime, lastScheduleTime);
  assert.deepEqual(replaced.spec, before.spec);
  const patched = await batch.patchNamespacedCronJobStatus(
    { namespace, name: NAME, body: { status: { lastSuccessfulTime: '2026-11-20T02:20:00Z' }, spec: { suspend: false } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  assert.deepEqual({ ...patched.status }, { ...replaced.status, lastSuccessfulTime: new Date('2026-11-20T02:20:00Z') });
  assert.deepEqual(patched.spec, before.spec);
}
