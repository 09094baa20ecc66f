import assert from 'node:assert/strict';
import { NAME, assertRefused, cronJob, type Story } from './shared.ts';

export async function finalizer({ batch, namespace }: Story): Promise<void> {
  const name = 'held';
  const body = cronJob(name);
  await batch.createNamespacedCronJob({ namespace, body: { ...body, metadata: { name, finalizers: ['example.com/cleanup'] } } });
  await batch.deleteNamespacedCronJob({ namespace, name });
  const held = await batch.readNamespacedCronJob({ namespace, name });
  assert.ok(held.metadata?.deletionTimestamp instanceof Date);
  await batch.replaceNamespacedCronJob({ namespace, name, body: { ...held, metadata: { ...held.metadata, finalizers: [] } } });
  await assertRefused(batch.readNamespacedCronJob({ namespace, name }), 404, 'NotFound');
}

export async function deleteCollection({ batch, namespace }: Story): Promise<void> {
  const names = async () => (await batch.listNamespacedCronJob({ namespace })).items.map(({ metadata }) => metadata?.name);
  await batch.deleteCollectionNamespacedCronJob({ namespace, labelSelector: 'set=pages' });
  assert.deepEqual(await names(), [NAME]);
  await batch.deleteCollectionNamespacedCronJob({ namespace });
  assert.deepEqual(await names(), []);
}
