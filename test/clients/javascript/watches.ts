import assert from 'node:assert/strict';
import { PatchStrategy, Watch, makeInformer, setHeaderOptions, type V1CronJob } from '@kubernetes/client-node';
import { cronJob, type Story } from './shared.ts';

const pathOf = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
const within = <T>(promise: Promise<T>, what: string): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`waited 10 s for ${what}`)), 10_000).unref()),
  ]);

const suspend = ({ batch, namespace }: Story, name: string): Promise<V1CronJob> =>
  batch.patchNamespacedCronJob(
    { namespace, name, body: { spec: { suspend: true } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );

/**
 * Watches from `resourceVersion` until `count` events have come. They are `ADDED one`, and where the watch has got to.
 */
async function watchFrom({ config, namespace }: Story, resourceVersion: string, count: number) {
  const seen: string[] = [];
  let last = resourceVersion;
  let watching: AbortController | undefined;
  try {
    const all = new Promise<void>((resolve, reject) => {
      const see = (phase: string, object: V1CronJob) => {
        last = object.metadata?.resourceVersion ?? '';
        if (phase !== 'BOOKMARK') seen.push(`${phase} ${object.metadata?.name ?? ''}`);
        if (seen.length === count) resolve();
      };
      const ended = (error: unknown) => reject(error instanceof Error ? error : new Error('the watch ended'));
      const query = { resourceVersion, allowWatchBookmarks: true };
      void new Watch(config).watch(pathOf(namespace), query, see, ended).then((controller) => (watching = controller));
    });
    await within(all, `${count} events, and saw ${seen.join(', ')}`);
  } finally {
    watching?.abort();
  }
  return { seen, resourceVersion: last };
}

export async function watchResume(story: Story): Promise<void> {
  const { batch, namespace } = story;
  const from = (await batch.listNamespacedCronJob({ namespace })).metadata?.resourceVersion ?? '';
  const first = watchFrom(story, from, 3);
  await batch.createNamespacedCronJob({ namespace, body: cronJob('watched') });
  await suspend(story, 'watched');
  await batch.deleteNamespacedCronJob({ namespace, name: 'watched' });
  const { seen, resourceVersion } = await first;
  assert.deepEqual(seen, ['ADDED watched', 'MODIFIED watched', 'DELETED watched']);

  await batch.createNamespacedCronJob({ namespace, body: cronJob('missed') });
  await batch.deleteNamespacedCronJob({ namespace, name: 'missed' });
  assert.deepEqual((await watchFrom(story, resourceVersion, 2)).seen, ['ADDED missed', 'DELETED missed']);
}

export async function informer(story: Story): Promise<void> {
  const { batch, config, namespace } = story;
  const atStart = (await batch.listNamespacedCronJob({ namespace })).items.map(({ metadata }) => metadata?.name);
  const followed = makeInformer<V1CronJob>(config, pathOf(namespace), () => batch.listNamespacedCronJob({ namespace }));
  const next = (verb: 'add' | 'update' | 'delete') =>
    within(
      new Promise<string | undefined>((resolve) => {
        const heard = ({ metadata }: V1CronJob) => {
          followed.off(verb, heard);
          resolve(metadata?.name);
        };
        followed.on(verb, heard);
      }),
      `the informer's ${verb}`,
    );
  const cachedNames = () => followed.list(namespace).map(({ metadata }) => metadata?.name);
  try {
    await followed.start();
    assert.ok(atStart.length > 0);
    assert.deepEqual(cachedNames(), atStart);

    const added = next('add');
    await batch.createNamespacedCronJob({ namespace, body: cronJob('followed') });
    assert.equal(await added, 'followed');
    const updated = next('update');
    await suspend(story, 'followed');
    assert.equal(await updated, 'followed');
    assert.equal(followed.get('followed', namespace)?.spec.suspend, true);
    const deleted = next('delete');
    await batch.deleteNamespacedCronJob({ namespace, name: 'followed' });
    assert.equal(await deleted, 'followed');
    assert.deepEqual(cachedNames(), atStart);
  } finally {
    await followed.stop();
  }
}
