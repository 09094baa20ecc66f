import assert from 'node:assert/strict';
import { CHART, INSTALLED, RELEASE, namesIn, releaseSecrets, type Story } from './helm.ts';
import { whileFinishing } from '../finish-job.ts';

const HOOK = [['nightly-migrate', 'Complete']] as const;

/** One object changes, one goes, one keeps what the chart reads from it. */
export async function upgrade(story: Story): Promise<void> {
  const { helm, core, namespace } = story;
  const token = async () => (await core.readNamespacedSecret({ namespace, name: 'nightly-token' })).data?.['token'];
  const before = await token();
  const told = await whileFinishing(
    story,
    HOOK,
    helm.told('upgrade', RELEASE, CHART, '--wait', '--wait-for-jobs', '--set', 'currency=USD,budget=false'),
  );
  assert.match(told, /REVISION: 2/);
  assert.equal(await currency(story), 'USD');
  assert.ok(before !== undefined && (await token()) === before);
  assert.deepEqual(await namesIn(story), { ...INSTALLED, budgets: [], secrets: ['nightly-token', ...releaseSecrets(2)] });
}

export async function history({ helm, major, namespace }: Story): Promise<void> {
  const told = JSON.parse(await helm.told('history', RELEASE, '--output', 'json')) as readonly {
    readonly revision: number;
    readonly status: string;
    readonly description: string;
  }[];
  assert.deepEqual(
    told.map(({ revision, status, description }) => [revision, status, description]),
    [
      [1, 'superseded', 'Install complete'],
      [2, 'superseded', 'Upgrade complete'],
      ...(major === 4 ? [[3, 'failed', conflictIn(namespace)] as const] : []),
      [major, 'deployed', 'Upgrade complete'],
    ],
  );
}

const conflictIn = (namespace: string): string =>
  `Upgrade "nightly" failed: conflict occurred while applying object ${namespace}/nightly-settings /v1, Kind=ConfigMap: ` +
  'Apply failed with 1 conflict: conflict with "finance": .data.currency';

/** Of `other-managers`: helm 4 needs one more. */
const revisionsBefore = ({ major }: Story): number => major;

/** The budget comes back. */
export async function rollback(story: Story): Promise<void> {
  const { helm } = story;
  await helm.told('rollback', RELEASE, '1', '--wait', '--no-hooks');
  assert.equal(await currency(story), 'EUR');
  assert.deepEqual(await namesIn(story), { ...INSTALLED, secrets: ['nightly-token', ...releaseSecrets(revisionsBefore(story) + 1)] });
}

/** The server's refusal is shown, and what was changed before is taken back. */
export async function failedUpgrade(story: Story): Promise<void> {
  const { helm, major } = story;
  const flag = major === 3 ? '--atomic' : '--rollback-on-failure';
  const complaint = await helm.refused('upgrade', RELEASE, CHART, flag, '--no-hooks', '--set', 'currency=CHF,schedule=never');
  assert.match(complaint, /CronJob(\.batch)? "nightly" is invalid: spec\.schedule: Invalid value: "never": /);
  assert.equal(await currency(story), 'EUR');
  const rolledBack = revisionsBefore(story) + 1;
  assert.match(await helm.told('history', RELEASE), new RegExp(`\\n${rolledBack + 2} .*deployed .*Rollback to ${rolledBack}`));
}

const currency = async ({ core, namespace }: Story): Promise<string | undefined> =>
  (await core.readNamespacedConfigMap({ namespace, name: 'nightly-settings' })).data?.['currency'];
