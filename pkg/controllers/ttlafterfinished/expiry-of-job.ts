/** The fields of a Job that decide when it goes. */
interface FinishedJob {
  readonly metadata?: { readonly deletionTimestamp?: string };
  readonly spec?: { readonly ttlSecondsAfterFinished?: number };
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string; readonly status?: string; readonly lastTransitionTime?: string }[];
  };
}

const TTL = Buffer.from('"ttlSecondsAfterFinished":');
const FINISHED: readonly (string | undefined)[] = ['Complete', 'Failed'];

/**
 * When a Job is to be deleted, in milliseconds since the epoch. Undefined: never, not yet known, or it is being
 * deleted. Most Jobs have no such time, and are not parsed.
 */
export function expiryOfJob(json: Buffer): number | undefined {
  if (!json.includes(TTL)) return undefined;
  const { metadata, spec, status } = JSON.parse(json.toString('utf8')) as FinishedJob;
  const ttl = spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || metadata?.deletionTimestamp !== undefined) return undefined;
  const finished = status?.conditions?.find((condition) => FINISHED.includes(condition.type) && condition.status === 'True');
  const finishedAt = Date.parse(finished?.lastTransitionTime ?? '');
  return Number.isNaN(finishedAt) ? undefined : finishedAt + ttl * 1000;
}
