import assert from 'node:assert/strict';
import { CHART, INSTALLED, NOTHING, RELEASE, namesIn, type Story } from './helm.ts';
import { whileFinishing } from '../finish-job.ts';

/** Rendered with what the server says of itself, and checked by it; nothing is made, not even the namespace. */
export async function dryRun(story: Story): Promise<void> {
  const { helm, core, namespace } = story;
  const rendered = await helm.told('install', RELEASE, CHART, '--dry-run=server', '--create-namespace');
  assert.match(rendered, /kind: CronJob/);
  const { items } = await core.listNamespace();
  assert.ok(!items.some(({ metadata }) => metadata?.name === namespace));
  assert.deepEqual(await namesIn(story), NOTHING);
}

/** The hook runs first; helm waits for it, and then for the Job of the release. */
export async function install(story: Story): Promise<void> {
  const { helm, core, namespace } = story;
  const told = await whileFinishing(
    story,
    [
      ['nightly-migrate', 'Complete'],
      ['nightly-first-report', 'Complete'],
    ],
    helm.told('install', RELEASE, CHART, '--create-namespace', '--wait', '--wait-for-jobs'),
  );
  assert.match(told, /STATUS: deployed/);
  assert.match(told, /nightly reports in EUR\./);
  assert.deepEqual(await namesIn(story), INSTALLED);
  // helm makes a namespace with this label; the server's own ones have none.
  assert.equal((await core.readNamespace({ name: namespace })).metadata?.labels?.['name'], namespace);
  const settings = await core.readNamespacedConfigMap({ namespace, name: 'nightly-settings' });
  assert.equal(settings.metadata?.annotations?.['meta.helm.sh/release-name'], RELEASE);
  const release = await core.readNamespacedSecret({ namespace, name: 'sh.helm.release.v1.nightly.v1' });
  assert.equal(release.type, 'helm.sh/release.v1');
  assert.equal(release.metadata?.labels?.['status'], 'deployed');
}

/** A hook that fails, then one that succeeds. */
export async function test(story: Story): Promise<void> {
  const { helm } = story;
  const complaint = await whileFinishing(story, [['nightly-totals', 'Failed']], helm.refused('test', RELEASE));
  assert.match(complaint, /nightly-totals/);
  assert.match(await helm.told('status', RELEASE), /Phase: +Failed/);
  await whileFinishing(story, [['nightly-totals', 'Complete']], helm.told('test', RELEASE));
  assert.match(await helm.told('status', RELEASE), /Phase: +Succeeded/);
}

/** Everything goes but the Job of the test, which no release holds. */
export async function uninstall(story: Story): Promise<void> {
  const { helm, batch, namespace } = story;
  assert.match(await helm.told('uninstall', RELEASE, '--wait'), /release "nightly" uninstalled/);
  assert.deepEqual(await namesIn(story), { ...NOTHING, jobs: ['nightly-totals'] });
  await batch.deleteNamespacedJob({ namespace, name: 'nightly-totals', propagationPolicy: 'Background' });
  assert.deepEqual(await namesIn(story), NOTHING);
  assert.match(await helm.refused('status', RELEASE), /not found/);
}
