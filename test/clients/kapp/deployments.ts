import assert from 'node:assert/strict';
import { PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { whileFinishing } from '../finish-job.ts';
import { APP, type Story } from './kapp.ts';

/** kapp waits for the Job. */
export async function deploy({ kapp, core, batch, policy, namespace }: Story): Promise<void> {
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  const { problem, stdout, stderr } = await whileFinishing(
    { batch, namespace },
    [['first-report', 'Complete']],
    kapp.deploy({ currency: 'EUR', budget: true }),
  );
  assert.equal(problem, undefined, `${stdout}${stderr}`);
  assert.match(stdout, /ok: reconcile job\/first-report \(batch\/v1\)/);
  const { metadata } = await batch.readNamespacedCronJob({ namespace, name: 'nightly' });
  assert.ok(metadata?.labels?.['kapp.k14s.io/app']);
  assert.equal((await core.readNamespacedConfigMap({ namespace, name: 'nightly-settings-ver-1' })).data?.['currency'], 'EUR');
  assert.equal((await policy.readNamespacedPodDisruptionBudget({ namespace, name: 'nightly' })).spec?.minAvailable, 1);
}

/** Nothing to do, which `--diff-exit-status` tells by the code. */
export async function noChange({ kapp }: Story): Promise<void> {
  const { problem, stdout } = await kapp.deploy({ currency: 'EUR', budget: true }, '--diff-run', '--diff-exit-status');
  assert.equal(problem, 'exit code 2', stdout);
  assert.match(stdout, /0 create, 0 delete, 0 update/);
}

/** Another ConfigMap, a CronJob that names it, and no budget any more. */
export async function change({ kapp, core, batch, policy, namespace }: Story): Promise<void> {
  const { problem, stdout, stderr } = await kapp.deploy({ currency: 'USD', budget: false }, '--diff-changes');
  assert.equal(problem, undefined, `${stdout}${stderr}`);
  assert.match(stdout, /-ver-1\n.*\+ +name: nightly-settings-ver-2\n/);
  assert.match(stdout, /1 create, 1 delete, 1 update, 0 noop/);
  assert.equal((await core.readNamespacedConfigMap({ namespace, name: 'nightly-settings-ver-2' })).data?.['currency'], 'USD');
  const { spec } = await batch.readNamespacedCronJob({ namespace, name: 'nightly' });
  assert.deepEqual(
    spec.jobTemplate.spec?.template.spec?.containers[0]?.envFrom?.map(({ configMapRef }) => configMapRef?.name),
    ['nightly-settings-ver-2'],
  );
  assert.deepEqual((await policy.listNamespacedPodDisruptionBudget({ namespace })).items, []);
}

/** The server's causes are shown. */
export async function refused({ kapp, batch, namespace }: Story): Promise<void> {
  const { problem, stderr } = await kapp.deploy({ currency: 'USD', budget: false, schedule: 'never' });
  assert.equal(problem, 'exit code 1');
  assert.match(stderr, /CronJob\.batch "nightly" is invalid: spec\.schedule:\s+Invalid value: "never": .* \(reason: Invalid\)/);
  assert.equal((await batch.readNamespacedCronJob({ namespace, name: 'nightly' })).spec.schedule, '15 2 * * *');
}

/** What somebody else changed or added is taken back. */
export async function otherManagers({ kapp, batch, namespace }: Story): Promise<void> {
  await batch.patchNamespacedCronJob(
    {
      namespace,
      name: 'nightly',
      body: { metadata: { annotations: { 'example.com/owner': 'finance' } }, spec: { schedule: '0 4 * * *' } },
    },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  const { problem, stdout, stderr } = await kapp.deploy({ currency: 'USD', budget: false });
  assert.equal(problem, undefined, `${stdout}${stderr}`);
  assert.match(stdout, /0 create, 0 delete, 1 update/);
  const { metadata, spec } = await batch.readNamespacedCronJob({ namespace, name: 'nightly' });
  assert.equal(spec.schedule, '15 2 * * *');
  assert.equal(metadata?.annotations?.['example.com/owner'], undefined);
}

/** Everything goes, and what kapp kept about it. */
export async function remove({ kapp, core, namespace }: Story): Promise<void> {
  assert.match(await kapp.told('delete', '--app', APP), /6 delete/);
  assert.deepEqual((await core.listNamespacedConfigMap({ namespace })).items, []);
  assert.deepEqual(await kapp.rows('list'), []);
}
