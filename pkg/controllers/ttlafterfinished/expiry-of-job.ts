/** The fields of a Job that decide when it goes. Another program may have written them, so their types are unknown. */
interface FinishedJob {
  readonly metadata?: { readonly deletionTimestamp?: unknown } | null;
  readonly spec?: { readonly ttlSecondsAfterFinished?: unknown } | null;
  readonly status?: { readonly conditions?: unknown } | null;
}

interface JobCondition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly lastTransitionTime?: unknown;
}

const TTL = Buffer.from('"ttlSecondsAfterFinished":');
const FINISHED: readonly unknown[] = ['Complete', 'Failed'];

/**
 * When a Job is to be deleted, in milliseconds since the epoch. Undefined: never, not yet known, or it is being
 * deleted. Most Jobs have no such time, and are not parsed.
 */
export function expiryOfJob(json: Buffer): number | undefined {
  if (!json.includes(TTL)) return undefined;
  const { metadata, spec, status } = JSON.parse(json.toString('utf8')) as FinishedJob;
  const ttl = spec?.ttlSecondsAfterFinished;
  if (typeof ttl !== 'number' || metadata?.deletionTimestamp !== undefined) return undefined;
  const conditions: readonly (JobCondition | null)[] = Array.isArray(status?.conditions) ? status.conditions : [];
  const finished = conditions.find((condition) => FINISHED.includes(condition?.type) && condition?.status === 'True');
  const finishedAt = typeof finished?.lastTransitionTime === 'string' ? Date.parse(finished.lastTransitionTime) : NaN;
  return Number.isNaN(finishedAt) ? undefined : finishedAt + ttl * 1000;
}
