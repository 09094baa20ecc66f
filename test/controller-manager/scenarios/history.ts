import assert from 'node:assert/strict';
import { nameOf } from '../cron-jobs.ts';
import type { Scenario } from '../scenario.ts';
import type { JobEnd } from '../../clients/finish-job.ts';

const ENDS: readonly JobEnd[] = ['Complete', 'Failed'];

/** One finished Job of each sort is kept, the newest; what it saw end is told. */
export const history: Scenario = async ({ cronJobs }) => {
  const follow = async (end: JobEnd) => {
    const name = end.toLowerCase();
    await cronJobs.create(name, { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 });
    await cronJobs.byNextMinute('the first Job', async () => (await cronJobs.jobsOf(name)).length === 1);
    const [first] = await cronJobs.jobsOf(name);
    assert.ok(first);
    await cronJobs.finish(first, end);
    await cronJobs.soon('the end of the first', async () =>
      (await cronJobs.eventsOf(name)).includes(`SawCompletedJob: Saw completed job: ${nameOf(first)}, condition: ${end}`),
    );
    assert.equal((await cronJobs.jobsOf(name)).length, 1);
    await cronJobs.soon('the status', async () => {
      const { status } = await cronJobs.read(name);
      return status?.active === undefined && (status?.lastSuccessfulTime !== undefined) === (end === 'Complete');
    });
    await cronJobs.byNextMinute('the second Job', async () => (await cronJobs.jobsOf(name)).length === 2);
    const [, second] = await cronJobs.jobsOf(name);
    assert.ok(second);
    await cronJobs.finish(second, end);
    await cronJobs.soon('the second Job alone', async () => (await cronJobs.jobsOf(name)).map(nameOf).join() === nameOf(second));
  };
  await Promise.all(ENDS.map(follow));
  return undefined;
};
