/**
 * The informer of the JavaScript client: it lists, watches and heals by itself, and is only started again after an
 * error.
 */
import { BatchV1Api, KubeConfig, makeInformer, type V1CronJob } from '@kubernetes/client-node';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../support/wait.ts';
import { NAMESPACE, type Server } from './clients.ts';
import type { ObservedInformer } from './evidence.ts';

const AGAIN_MS = 200;
const END_MS = 30_000;

export interface RunningInformer {
  /** Waits until it holds the object of this name, which is written when all else is over. */
  finish(last: string): Promise<ObservedInformer>;
  stop(): Promise<void>;
}

export async function startInformer({ name, api }: Server): Promise<RunningInformer> {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'test', server: api.baseUrl, skipTLSVerify: true }, { name: 'nobody' });
  const batch = config.makeApiClient(BatchV1Api);
  const informer = makeInformer<V1CronJob>(config, `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`, () =>
    batch.listNamespacedCronJob({ namespace: NAMESPACE }),
  );
  const told: ObservedInformer['told'][number][] = [];
  const tell = (verb: 'add' | 'update' | 'delete') => (object: V1CronJob) => {
    told.push({ verb, key: object.metadata?.name ?? '', revision: Number(object.metadata?.resourceVersion) });
  };
  informer.on('add', tell('add'));
  informer.on('update', tell('update'));
  informer.on('delete', tell('delete'));
  let isOver = false;
  const start = async (): Promise<void> => {
    while (!isOver) {
      try {
        await informer.start();
        return;
      } catch {
        await pause(AGAIN_MS);
      }
    }
  };
  informer.on('error', () => {
    if (!isOver) void pause(AGAIN_MS).then(start);
  });
  await start();
  const cache = () =>
    informer.list(NAMESPACE).map(({ metadata }): [string, number] => [metadata?.name ?? '', Number(metadata?.resourceVersion)]);
  return {
    finish: async (last) => {
      await waitFor(() => cache().some(([key]) => key === last), { what: `the informer of ${name} to come to the end`, timeoutMs: END_MS });
      return { informer: `the informer of ${name}`, told, cache: new Map(cache()) };
    },
    stop: async () => {
      isOver = true;
      await informer.stop();
    },
  };
}
