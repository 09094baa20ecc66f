import assert from 'node:assert/strict';
import { MINUTE_MS, nameOf } from '../cron-jobs.ts';
import type { Scenario } from '../scenario.ts';

/** Later than that is not on time, on a busy machine either. */
const LATE_MS = 15_000;

/** A Job at each minute, named after it, owned by the CronJob; its status and Events tell of each. */
export const onTime: Scenario = async ({ cronJobs, minutes }) => {
  const cronJob = await cronJobs.create('on-time');
  let latestMs = 0;
  for (let count = 1; count <= minutes; count++) {
    await cronJobs.byNextMinute(`Job ${count}`, async () => (await cronJobs.jobsOf('on-time')).length >= count);
    const jobs = await cronJobs.jobsOf('on-time');
    assert.equal(jobs.length, count);
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const lateMs = Date.now() - minute * MINUTE_MS;
    latestMs = Math.max(latestMs, lateMs);
    const job = jobs.at(-1);
    assert.equal(nameOf(job ?? {}), `on-time-${minute}`);
    assert.equal(job?.metadata?.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'], secondsOf(minute));
    assert.deepEqual(
      job.metadata.ownerReferences?.map((owner) => ({ ...owner })),
      [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: 'on-time',
          uid: cronJob.metadata?.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    );
    await cronJobs.soon('the status', async () => {
      const { status } = await cronJobs.read('on-time');
      return status?.lastScheduleTime?.getTime() === minute * MINUTE_MS && status.active?.length === count;
    });
    await cronJobs.soon('the Event', async () => {
      const events = await cronJobs.eventsOf('on-time');
      const message = `Created job on-time-${minute}`;
      // From the tenth similar one within ten minutes on, client-go writes one Event for all.
      return [message, `(combined from similar events): ${message}`].some((each) => events.includes(`SuccessfulCreate: ${each}`));
    });
  }
  assert.ok(latestMs <= LATE_MS, `a Job was ${latestMs} ms late`);
  return `the latest was ${latestMs} ms late`;
};

const secondsOf = (minute: number): string => new Date(minute * MINUTE_MS).toISOString().replace('.000Z', 'Z');

/** Nothing is made of a suspended one. Then it makes up for the last of the minutes that it missed. */
export const suspend: Scenario = async ({ cronJobs }) => {
  await cronJobs.create('suspended', { suspend: true });
  await cronJobs.create('beside');
  for (const count of [1, 2])
    await cronJobs.byNextMinute(`Job ${count} of another one`, async () => (await cronJobs.jobsOf('beside')).length === count);
  assert.deepEqual(await cronJobs.jobsOf('suspended'), []);
  await cronJobs.change('suspended', { suspend: false });
  await cronJobs.soon('the Job that was missed', async () => (await cronJobs.jobsOf('suspended')).length === 1);
  return undefined;
};

/** More than 100 missed minutes: one Job for the last of them, and a warning. */
export const missed: Scenario = async ({ cronJobs }) => {
  await cronJobs.create('missed', { suspend: true });
  await cronJobs.setLastScheduleTime('missed', new Date(Date.now() - 180 * MINUTE_MS));
  await cronJobs.change('missed', { suspend: false });
  await cronJobs.soon('the Job', async () => (await cronJobs.jobsOf('missed')).length === 1);
  await cronJobs.soon('the warning', async () =>
    (await cronJobs.eventsOf('missed')).some((event) => event.startsWith('TooManyMissedTimes: too many missed start times')),
  );
  return undefined;
};
