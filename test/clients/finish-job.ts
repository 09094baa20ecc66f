/** Finishes a Job as the job controller does: no controller here runs pods. */
import { PatchStrategy, setHeaderOptions, type BatchV1Api, type V1Job } from '@kubernetes/client-node';
import { waitFor } from '../support/wait.ts';

const JOB_MS = 60_000;

export type JobEnd = 'Complete' | 'Failed';

/** What the job controller writes: the criterion first, then the end. */
const CRITERION = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const;

/** By a patch, so that it meets no conflict with who else writes it. */
export async function finishJob(
  batch: BatchV1Api,
  { metadata: { name = '', namespace = '' } = {}, status }: V1Job,
  end: JobEnd,
): Promise<void> {
  const now = new Date().toISOString();
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now });
  await batch.patchNamespacedJobStatus(
    {
      namespace,
      name,
      body: {
        status: {
          startTime: status?.startTime ?? now,
          conditions: [condition(CRITERION[end]), condition(end)],
          uncountedTerminatedPods: {},
          ...(end === 'Complete' ? { succeeded: 1, completionTime: now } : { failed: 1 }),
        },
      },
    },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
}

/**
 * Finishes Jobs in this order, each as soon as it is there, while `command` runs; it must not end before the last of
 * them. Resolves as it does.
 */
export async function whileFinishing<T>(
  { batch, namespace }: { readonly batch: BatchV1Api; readonly namespace: string },
  jobs: readonly (readonly [name: string, end: JobEnd])[],
  command: Promise<T>,
): Promise<T> {
  let over = false;
  const ended = command.finally(() => (over = true));
  // Awaited below; until then nobody else does.
  ended.catch(() => undefined);
  for (const [name, end] of jobs) {
    const find = async () => {
      const { items } = await batch.listNamespacedJob({ namespace, fieldSelector: `metadata.name=${name}` });
      return items.find(({ metadata, status }) => metadata?.deletionTimestamp === undefined && !status?.conditions?.length);
    };
    await waitFor(async () => over || (await find()) !== undefined, { what: `the Job ${name}`, timeoutMs: JOB_MS, everyMs: 50 });
    const job = await find();
    if (job === undefined) throw new Error(`the command did not wait for the Job ${name}: ${String(await ended)}`);
    await finishJob(batch, job, end);
  }
  return ended;
}
