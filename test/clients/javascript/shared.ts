/** What the steps share: the clients, a cron job, and refusals. */
import assert from 'node:assert/strict';
import { ApiException, type ApisApi, type BatchV1Api, type EventsV1Api, type KubeConfig, type V1CronJob } from '@kubernetes/client-node';

export interface Story {
  readonly config: KubeConfig;
  /** Ours alone; empty at the start and at the end. */
  readonly namespace: string;
  readonly apis: ApisApi;
  readonly batch: BatchV1Api;
  readonly events: EventsV1Api;
}

/** The cron job that lives from `create` to `delete-collection`. */
export const NAME = 'nightly';

export const cronJob = (name: string, labels: Record<string, string> = {}): V1CronJob => ({
  metadata: { name, labels },
  spec: {
    schedule: '15 2 * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [
              { name: 'report', image: 'registry.example.com/report:1.0' },
              { name: 'upload', image: 'registry.example.com/upload:1.0' },
            ],
          },
        },
      },
    },
  },
});

export const imagesOf = (job: V1CronJob): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries((job.spec.jobTemplate.spec?.template.spec?.containers ?? []).map(({ name, image }) => [name, image]));

/** `call` must be refused with this code, and with a Status of this reason. */
export async function assertRefused(call: Promise<unknown>, code: number, reason: string): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ApiException, String(error));
    assert.equal(error.code, code);
    assert.equal((JSON.parse(String(error.body)) as { reason?: string }).reason, reason);
    return true;
  });
}
