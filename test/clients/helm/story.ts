/** What a user does with helm, step by step: `node story.ts 3` with helm 3, `node story.ts 4` with helm 4. */
import { BatchV1Api, CoreV1Api, KubeConfig, PolicyV1Api } from '@kubernetes/client-node';
import { runSteps } from '../run-steps.ts';
import { failedUpgrade, history, rollback, upgrade } from './changes.ts';
import { createHelm, type Story } from './helm.ts';
import { otherManagers } from './other-managers.ts';
import { get, list, nameInUse, status } from './reads.ts';
import { dryRun, install, test, uninstall } from './releases.ts';

const major = process.argv[2] === '3' ? 3 : 4;
const namespace = process.env['COXSWAIN_NAMESPACE'] ?? 'default';
const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG

await runSteps<Story>(
  [
    ['dry-run', dryRun],
    ['install', install],
    ['status', status],
    ['list', list],
    ['get', get],
    ['name-in-use', nameInUse],
    ['upgrade', upgrade],
    ['other-managers', otherManagers],
    ['history', history],
    ['rollback', rollback],
    ['failed-upgrade', failedUpgrade],
    ['test', test],
    ['uninstall', uninstall],
  ],
  {
    major,
    namespace,
    helm: createHelm(major, namespace, process.env['TMPDIR'] ?? '/tmp'),
    core: config.makeApiClient(CoreV1Api),
    batch: config.makeApiClient(BatchV1Api),
    policy: config.makeApiClient(PolicyV1Api),
  },
);
