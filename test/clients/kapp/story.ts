/** What a user does with kapp, step by step. */
import { BatchV1Api, CoreV1Api, KubeConfig, PolicyV1Api } from '@kubernetes/client-node';
import { runSteps } from '../run-steps.ts';
import { change, deploy, noChange, otherManagers, refused, remove } from './deployments.ts';
import { createKapp, type Story } from './kapp.ts';
import { history, inspect, list } from './reads.ts';

const namespace = process.env['COXSWAIN_NAMESPACE'] ?? 'default';
const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG

await runSteps<Story>(
  [
    ['deploy', deploy],
    ['list', list],
    ['inspect', inspect],
    ['no-change', noChange],
    ['change', change],
    ['refused', refused],
    ['other-managers', otherManagers],
    ['history', history],
    ['delete', remove],
  ],
  {
    namespace,
    kapp: createKapp(namespace, process.env['TMPDIR'] ?? '/tmp'),
    core: config.makeApiClient(CoreV1Api),
    batch: config.makeApiClient(BatchV1Api),
    policy: config.makeApiClient(PolicyV1Api),
  },
);
