/** Finishes a Job as the job controller does: no controller here runs pods. */
import type { BatchV1Api, V1Job } from '@kubernetes/client-node';

export type JobEnd = 'Complete' | 'Failed';

/** What the job controller writes: the criterion first, then the end. */
const CRITERION = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const;

export async function finishJob(batch: BatchV1Api, job: V1Job, end: JobEnd = 'Complete'): Promise<V1Job> {
  const { name = '', namespace = '' } = job.metadata ?? {};
  const now = new Date();
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now });
  return batch.replaceNamespacedJobStatus({
    namespace,
    name,
    body: {
      ...job,
      status: {
        startTime: job.status?.startTime ?? now,
        conditions: [condition(CRITERION[end]), condition(end)],
        uncountedTerminatedPods: {},
        ...(end === 'Complete' ? { succeeded: 1, completionTime: now } : { failed: 1 }),
      },
    },
  });
}
