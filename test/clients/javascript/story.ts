/**
 * What a program does with @kubernetes/client-node, step by step; `ok <step>` is printed when a step was done and
 * checked.
 */
import { ApisApi, BatchV1Api, EventsV1Api, KubeConfig } from '@kubernetes/client-node';
import { discover } from './discovery.ts';
import { deleteCollection, finalizer } from './deletion.ts';
import { events } from './events.ts';
import { pages } from './pages.ts';
import { apply, mergePatch, status, strategicPatch } from './patches.ts';
import type { Story } from './shared.ts';
import { informer, watchResume } from './watches.ts';
import { create, get, updateConflict } from './writes.ts';

const STEPS: readonly (readonly [name: string, run: (story: Story) => Promise<void>])[] = [
  ['discover', discover],
  ['create', create],
  ['get', get],
  ['update-conflict', updateConflict],
  ['merge-patch', mergePatch],
  ['strategic-patch', strategicPatch],
  ['apply', apply],
  ['status', status],
  ['pages', pages],
  ['watch-resume', watchResume],
  ['informer', informer],
  ['finalizer', finalizer],
  ['delete-collection', deleteCollection],
  ['events', events],
];

const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG
const story: Story = {
  config,
  namespace: process.env['COXSWAIN_NAMESPACE'] ?? 'default',
  apis: config.makeApiClient(ApisApi),
  batch: config.makeApiClient(BatchV1Api),
  events: config.makeApiClient(EventsV1Api),
};

for (const [name, step] of STEPS) {
  try {
    await step(story);
  } catch (error) {
    console.error(`failed ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(1);
  }
  console.log(`ok ${name}`);
}
