import assert from 'node:assert/strict';
import type { RunningProcess } from '../../support/server.ts';
import { MINUTE_MS, type CronJobs } from '../cron-jobs.ts';
import type { Scenario } from '../scenario.ts';

const LEASE = { namespace: 'kube-system', name: 'kube-controller-manager' };

/** The server ends and starts again under the controllers: their watches go on. */
export const restart: Scenario = async ({ target, cronJobs }) => {
  await makesUp(cronJobs, 'before');
  await target.restart();
  await makesUp(cronJobs, 'after');
  return undefined;
};

/** The first of two leads by its Lease. When it is killed, the other leads, and does the work. */
export const takeOver =
  (managers: readonly RunningProcess[]): Scenario =>
  async ({ target, cronJobs }) => {
    const lease = async () => (await target.apis.coordination.readNamespacedLease(LEASE)).spec;
    await cronJobs.soon('a leader', async () => leaderOf(managers) !== undefined);
    await makesUp(cronJobs, 'first');
    const leader = leaderOf(managers);
    assert.ok(leader);
    assert.equal(managers.filter(isLeading).length, 1);
    const before = await lease();
    assert.ok(before?.holderIdentity);
    await leader.kill();
    const killed = performance.now();
    await cronJobs.soon('the other to lead', async () => managers.some((manager) => manager !== leader && isLeading(manager)));
    const tookMs = performance.now() - killed;
    const after = await lease();
    assert.notEqual(after?.holderIdentity, before.holderIdentity);
    assert.equal(after?.leaseTransitions, (before.leaseTransitions ?? 0) + 1);
    await makesUp(cronJobs, 'second');
    return `the other led after ${(tookMs / 1000).toFixed(1)} s`;
  };

const isLeading = (manager: RunningProcess): boolean => manager.output().includes('Successfully acquired lease');
const leaderOf = (managers: readonly RunningProcess[]): RunningProcess | undefined => managers.find(isLeading);

/** A Job at once, for a minute that was missed. */
async function makesUp(cronJobs: CronJobs, name: string): Promise<void> {
  await cronJobs.create(name, { suspend: true });
  await cronJobs.setLastScheduleTime(name, new Date(Date.now() - 2 * MINUTE_MS));
  await cronJobs.change(name, { suspend: false });
  await cronJobs.soon(`the Job of ${name}`, async () => (await cronJobs.jobsOf(name)).length > 0);
}
