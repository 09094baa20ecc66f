/** CronJobs of every minute in a namespace of their own, and what is made of them. */
import type { CoreV1Event, V1CronJob, V1CronJobSpec, V1Job } from '@kubernetes/client-node';
import { finishJob, type JobEnd } from '../clients/finish-job.ts';
import { waitFor } from '../support/wait.ts';
import type { Apis } from './target.ts';

export const MINUTE_MS = 60_000;
/** For what a controller does at once. */
const PROMPT_MS = 30_000;
/** For what happens at the next minute. */
const NEXT_MINUTE_MS = MINUTE_MS + PROMPT_MS;
const EVERY_MS = 100;

export interface CronJobs {
  readonly create: (name: string, spec?: Partial<V1CronJobSpec>) => Promise<V1CronJob>;
  readonly read: (name: string) => Promise<V1CronJob>;
  readonly change: (name: string, spec: Partial<V1CronJobSpec>) => Promise<void>;
  /** As if the controller had last run it then: it makes up for what was missed at once. */
  readonly setLastScheduleTime: (name: string, time: Date) => Promise<void>;
  readonly remove: (name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan') => Promise<void>;
  /** Of this CronJob, by name, oldest first, also when it is gone. */
  readonly jobsOf: (name: string) => Promise<readonly V1Job[]>;
  readonly finish: (job: V1Job, end?: JobEnd) => Promise<void>;
  /** Reasons and messages of the Events about it, in the order of the first of each. */
  readonly eventsOf: (name: string) => Promise<readonly string[]>;
  /** Until the condition holds, by the next minute. */
  readonly byNextMinute: (what: string, condition: () => Promise<boolean>) => Promise<void>;
  /** Until the condition holds, within seconds. */
  readonly soon: (what: string, condition: () => Promise<boolean>) => Promise<void>;
}

export const nameOf = ({ metadata }: { readonly metadata?: { readonly name?: string } }): string => metadata?.name ?? '';

export function createCronJobs({ batch, core }: Apis, namespace: string): CronJobs {
  const read = (name: string) => batch.readNamespacedCronJob({ namespace, name });
  return {
    create: (name, spec = {}) =>
      batch.createNamespacedCronJob({
        namespace,
        body: {
          metadata: { name },
          spec: {
            schedule: '* * * * *',
            jobTemplate: {
              metadata: { labels: { app: name } },
              spec: {
                template: { spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'registry.example.com/report:1.0' }] } },
              },
            },
            ...spec,
          },
        },
      }),
    read,
    change: async (name, spec) => {
      await retryOnConflict(async () => {
        const body = await read(name);
        await batch.replaceNamespacedCronJob({ namespace, name, body: { ...body, spec: { ...body.spec, ...spec } } });
      });
    },
    setLastScheduleTime: async (name, lastScheduleTime) => {
      await retryOnConflict(async () => {
        const body = await read(name);
        await batch.replaceNamespacedCronJobStatus({ namespace, name, body: { ...body, status: { ...body.status, lastScheduleTime } } });
      });
    },
    remove: async (name, propagationPolicy) => {
      await batch.deleteNamespacedCronJob({ namespace, name, propagationPolicy });
    },
    jobsOf: async (name) => {
      const { items } = await batch.listNamespacedJob({ namespace, labelSelector: `app=${name}` });
      return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    },
    finish: (job, end = 'Complete') => finishJob(batch, job, end),
    eventsOf: async (name) => {
      const { items } = await core.listNamespacedEvent({
        namespace,
        fieldSelector: `involvedObject.kind=CronJob,involvedObject.name=${name}`,
      });
      return items.toSorted((a, b) => firstOf(a) - firstOf(b)).map(({ reason = '', message = '' }) => `${reason}: ${message}`);
    },
    byNextMinute: (what, condition) => waitFor(condition, { what, timeoutMs: NEXT_MINUTE_MS, everyMs: EVERY_MS }),
    soon: (what, condition) => waitFor(condition, { what, timeoutMs: PROMPT_MS, everyMs: EVERY_MS }),
  };
}

const firstOf = ({ firstTimestamp }: CoreV1Event): number => firstTimestamp?.getTime() ?? 0;

/** The controller writes the status of the same objects. */
async function retryOnConflict(write: () => Promise<void>): Promise<void> {
  await waitFor(
    () =>
      write().then(
        () => true,
        (error: unknown) => {
          if (isConflict(error)) return false;
          throw error;
        },
      ),
    { what: 'a write without a conflict' },
  );
}

const isConflict = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 409;
