/** Warnings for an accepted CronJob. */
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { warnOfJobSpec, warnOfPodNames } from '../job-spec-warnings.ts';
import type { JobSpec } from '../types.gen.ts';
import { namesZone } from './schedule-rules.ts';
import type { CronJob } from './types.gen.ts';

const JOB = FieldPath.of('spec', 'jobTemplate', 'spec');

/** `jobWarnings` may cache its result. */
export const warnOnCreate = ({ metadata, spec }: Unchecked<CronJob>, jobWarnings = warnOfJob): readonly string[] => [
  ...warnOfPodNames(metadata?.name),
  ...jobWarnings(spec?.jobTemplate?.spec ?? NO_JOB),
];

/** Warns of the Job template only if the spec changed, which the generation shows. */
export const warnOnUpdate = (
  { metadata, spec }: Unchecked<CronJob>,
  stored: Unchecked<CronJob>,
  jobWarnings = warnOfJob,
): readonly string[] => [
  ...(metadata?.generation === stored.metadata?.generation ? [] : jobWarnings(spec?.jobTemplate?.spec ?? NO_JOB)),
  // The path is the same as in Kubernetes.
  ...(namesZone(spec?.schedule) ? [ZONE_IN_SCHEDULE] : []),
];

const ZONE_IN_SCHEDULE =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ' +
  'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

const NO_JOB: Unchecked<JobSpec> = {};

/** Depends only on the Job template, so results can be cached. */
export const warnOfJob = (job: Unchecked<JobSpec>): readonly string[] => warnOfJobSpec(job, JOB);
