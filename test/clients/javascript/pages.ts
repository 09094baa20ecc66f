import assert from 'node:assert/strict';
import type { V1CronJobList } from '@kubernetes/client-node';
import { cronJob, type Story } from './shared.ts';

export async function pages({ batch, namespace }: Story): Promise<void> {
  const names = Array.from({ length: 25 }, (_, index) => `page-${String(index).padStart(2, '0')}`);
  await Promise.all(names.map((name) => batch.createNamespacedCronJob({ namespace, body: cronJob(name, { set: 'pages' }) })));
  const read: V1CronJobList[] = [];
  let _continue: string | undefined;
  do {
    const page = await batch.listNamespacedCronJob({ namespace, labelSelector: 'set=pages', limit: 10, ...(_continue && { _continue }) });
    read.push(page);
    _continue = page.metadata?._continue;
  } while (_continue);
  assert.deepEqual(
    read.map(({ items }) => items.length),
    [10, 10, 5],
  );
  assert.deepEqual(
    read.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name)),
    names,
  );
  assert.equal(new Set(read.map(({ metadata }) => metadata?.resourceVersion)).size, 1);
}
