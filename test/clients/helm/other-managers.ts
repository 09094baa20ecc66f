import assert from 'node:assert/strict';
import { PatchStrategy, setHeaderOptions, type V1ConfigMap } from '@kubernetes/client-node';
import { CHART, RELEASE, type Story } from './helm.ts';
import { whileFinishing } from '../finish-job.ts';

const NAME = 'nightly-settings';
const HOOK = [['nightly-migrate', 'Complete']] as const;

/**
 * Somebody else takes a field of the release and adds one. helm 3 patches: it takes its own field back and leaves the
 * other. helm 4 applies: it meets a conflict, and takes the field back only by force.
 */
export async function otherManagers(story: Story): Promise<void> {
  const { helm, major, core, namespace } = story;
  const read = () => core.readNamespacedConfigMap({ namespace, name: NAME });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME }, data: { currency: 'GBP', owner: 'finance' } };
  await core.patchNamespacedConfigMap(
    { namespace, name: NAME, body, fieldManager: 'finance', force: true },
    setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
  );
  const upgrade = ['upgrade', RELEASE, CHART, '--reuse-values', '--wait', '--set', 'currency=JPY'];
  if (major === 4) {
    const complaint = await helm.refused(...upgrade, '--no-hooks');
    assert.match(complaint, /conflict with "finance": \.data\.currency/);
    assert.equal((await read()).data?.['currency'], 'GBP');
  }
  await whileFinishing(story, HOOK, helm.told(...upgrade, ...(major === 4 ? ['--force-conflicts'] : [])));
  const after = await read();
  assert.deepEqual(after.data, { currency: 'JPY', owner: 'finance' });
  assert.deepEqual(operationsOf(after), [
    ['finance', 'Apply'],
    ['helm', major === 4 ? 'Apply' : 'Update'],
  ]);
}

const operationsOf = ({ metadata }: V1ConfigMap) =>
  (metadata?.managedFields ?? []).map(({ manager, operation }) => [manager, operation]).sort();
