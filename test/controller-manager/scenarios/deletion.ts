import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;

/** What was made of a CronJob goes with it, or stays without an owner. The CronJob makes up for a minute at once. */
export const deletion: Scenario = async ({ target, namespace, cronJobs }) => {
  const remove = async (policy: (typeof POLICIES)[number]) => {
    const name = policy.toLowerCase();
    await cronJobs.create(name, { suspend: true });
    await cronJobs.setLastScheduleTime(name, new Date(Date.now() - 120_000));
    await cronJobs.change(name, { suspend: false });
    await cronJobs.soon('the Job', async () => (await cronJobs.jobsOf(name)).length > 0);
    await cronJobs.change(name, { suspend: true });
    await cronJobs.remove(name, policy);
    await cronJobs.soon('the CronJob to go', async () => {
      const { items } = await target.apis.batch.listNamespacedCronJob({ namespace, fieldSelector: `metadata.name=${name}` });
      return items.length === 0;
    });
    if (policy !== 'Orphan') {
      await cronJobs.soon('the Jobs to go', async () => (await cronJobs.jobsOf(name)).length === 0);
      return;
    }
    const left = await cronJobs.jobsOf(name);
    assert.notEqual(left.length, 0);
    assert.ok(left.every(({ metadata }) => metadata?.ownerReferences === undefined && metadata?.deletionTimestamp === undefined));
  };
  await Promise.all(POLICIES.map(remove));
  await target.apis.core.deleteNamespace({ name: namespace });
  await cronJobs.soon('the namespace to go', async () => {
    const { items } = await target.apis.core.listNamespace({ fieldSelector: `metadata.name=${namespace}` });
    return items.length === 0;
  });
  assert.deepEqual((await target.apis.batch.listNamespacedJob({ namespace })).items, []);
  return undefined;
};
