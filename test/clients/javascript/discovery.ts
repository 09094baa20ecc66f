import assert from 'node:assert/strict';
import { KubernetesObjectApi } from '@kubernetes/client-node';
import { NAME, type Story } from './shared.ts';

/** The groups, the resources of one, and the client that finds the path of an object by its kind. */
export async function discover({ config, namespace, apis, batch }: Story): Promise<void> {
  const { groups } = await apis.getAPIVersions();
  assert.deepEqual(
    groups.find(({ name }) => name === 'batch')?.versions.map(({ groupVersion }) => groupVersion),
    ['batch/v1'],
  );
  const { resources } = await batch.getAPIResources();
  const cronJobs = resources.find(({ name }) => name === 'cronjobs');
  assert.equal(cronJobs?.kind, 'CronJob');
  assert.ok(cronJobs.namespaced);
  assert.ok(
    ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'].every((verb) => cronJobs.verbs.includes(verb)),
  );
  assert.ok(resources.some(({ name }) => name === 'cronjobs/status'));
  const found = await KubernetesObjectApi.makeApiClient(config).list('batch/v1', 'CronJob', namespace);
  assert.deepEqual(
    found.items.filter(({ metadata }) => metadata?.name === NAME),
    [],
  );
}
