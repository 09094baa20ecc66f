import assert from 'node:assert/strict';
import { nameOf } from '../cron-jobs.ts';
import type { Scenario } from '../scenario.ts';

/** A Job that still runs keeps the next one back, until it is done. */
export const forbid: Scenario = async ({ cronJobs }) => {
  await cronJobs.create('forbid', { concurrencyPolicy: 'Forbid' });
  await cronJobs.byNextMinute('the first Job', async () => (await cronJobs.jobsOf('forbid')).length === 1);
  await cronJobs.byNextMinute('the Event', async () =>
    (await cronJobs.eventsOf('forbid')).some((event) => event.startsWith('JobAlreadyActive: ')),
  );
  const [first, ...others] = await cronJobs.jobsOf('forbid');
  assert.ok(first);
  assert.deepEqual(others, []);
  await cronJobs.finish(first);
  await cronJobs.soon('the second Job', async () => (await cronJobs.jobsOf('forbid')).length === 2);
  await cronJobs.soon('the status', async () => {
    const { status } = await cronJobs.read('forbid');
    return status?.active?.length === 1 && status.active[0]?.name !== nameOf(first) && status.lastSuccessfulTime !== undefined;
  });
  return undefined;
};

/** A Job that still runs is deleted for the next one. */
export const replace: Scenario = async ({ cronJobs }) => {
  await cronJobs.create('replace', { concurrencyPolicy: 'Replace' });
  await cronJobs.byNextMinute('the first Job', async () => (await cronJobs.jobsOf('replace')).length === 1);
  const [first] = await cronJobs.jobsOf('replace');
  assert.ok(first);
  await cronJobs.byNextMinute('the second Job instead of it', async () => {
    const jobs = await cronJobs.jobsOf('replace');
    return jobs.length === 1 && jobs[0]?.metadata?.uid !== first.metadata?.uid;
  });
  const [second] = await cronJobs.jobsOf('replace');
  await cronJobs.soon('the Events', async () => {
    const events = await cronJobs.eventsOf('replace');
    return [`SuccessfulDelete: Deleted job ${nameOf(first)}`, `SuccessfulCreate: Created job ${nameOf(second ?? {})}`].every((event) =>
      events.includes(event),
    );
  });
  await cronJobs.soon(
    'the status',
    async () => (await cronJobs.read('replace')).status?.active?.map(({ name }) => name).join() === nameOf(second ?? {}),
  );
  return undefined;
};
