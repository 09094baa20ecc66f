import assert from 'node:assert/strict';
import { NAME, assertRefused, cronJob, imagesOf, type Story } from './shared.ts';

export async function create({ batch, namespace }: Story): Promise<void> {
  const body = cronJob(NAME, { app: 'reports' });
  const created = await batch.createNamespacedCronJob({ namespace, body });
  assert.ok(created.metadata?.creationTimestamp instanceof Date);
  assert.equal(created.spec.concurrencyPolicy, 'Allow');
  assert.equal(created.spec.suspend, false);
  assert.equal(created.spec.jobTemplate.spec?.template.spec?.terminationGracePeriodSeconds, 30);
  await assertRefused(batch.createNamespacedCronJob({ namespace, body }), 409, 'AlreadyExists');
}

export async function get({ batch, namespace }: Story): Promise<void> {
  const read = await batch.readNamespacedCronJob({ namespace, name: NAME });
  const sent = cronJob(NAME, { app: 'reports' });
  assert.deepEqual([read.metadata?.name, read.metadata?.namespace, read.metadata?.labels], [NAME, namespace, sent.metadata?.labels]);
  assert.equal(read.spec.schedule, sent.spec.schedule);
  assert.deepEqual(imagesOf(read), imagesOf(sent));
  const { items } = await batch.listNamespacedCronJob({ namespace, fieldSelector: `metadata.name=${NAME}` });
  // Items of a list do not say their kind.
  assert.deepEqual(
    items.map((item) => ({ kind: read.kind, apiVersion: read.apiVersion, ...item })),
    [{ ...read }],
  );
  await assertRefused(batch.readNamespacedCronJob({ namespace, name: 'no-such' }), 404, 'NotFound');
}

export async function updateConflict({ batch, namespace }: Story): Promise<void> {
  const before = await batch.readNamespacedCronJob({ namespace, name: NAME });
  const suspended = { ...before, spec: { ...before.spec, suspend: true } };
  const updated = await batch.replaceNamespacedCronJob({ namespace, name: NAME, body: suspended });
  assert.equal(updated.spec.suspend, true);
  const late = { ...before, spec: { ...before.spec, schedule: '0 3 * * *' } };
  await assertRefused(batch.replaceNamespacedCronJob({ namespace, name: NAME, body: late }), 409, 'Conflict');
  const fresh = { ...updated, spec: { ...updated.spec, schedule: '0 3 * * *' } };
  const stored = await batch.replaceNamespacedCronJob({ namespace, name: NAME, body: fresh });
  assert.equal(stored.spec.schedule, '0 3 * * *');
  assert.equal(stored.spec.suspend, true);
  assert.equal(stored.metadata?.generation, 3);
}
