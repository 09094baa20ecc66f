/** Warnings for an accepted CronJob. */
import { checkDnsLabel } from '../../../../apimachinery/meta/names.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { warnOfPodTemplate } from '../../../core/v1/pod-template-warnings/pod-template-warnings.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { namesZone } from './schedule-rules.ts';
import type { CronJob, JobSpec } from './types.gen.ts';

const TEMPLATE = FieldPath.of('spec', 'jobTemplate', 'spec', 'template');
const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;

/** `jobWarnings` may cache its result. */
export function warnOnCreate({ metadata, spec }: Unchecked<CronJob>, jobWarnings = warnOfJob): readonly string[] {
  const wrong = checkDnsLabel(metadata?.name ?? '');
  const nameWarnings =
    wrong.length === 0
      ? []
      : [`metadata.name: names and host names of pods are made from it, so a DNS label is recommended: ${wrong.join(', ')}`];
  return [...nameWarnings, ...jobWarnings(spec?.jobTemplate?.spec ?? NO_JOB)];
}

/** Warns of the Job template only if the spec changed, which the generation shows. */
export const warnOnUpdate = (
  { metadata, spec }: Unchecked<CronJob>,
  stored: Unchecked<CronJob>,
  jobWarnings = warnOfJob,
): readonly string[] => [
  ...(metadata?.generation === stored.metadata?.generation ? [] : jobWarnings(spec?.jobTemplate?.spec ?? NO_JOB)),
  // The path is the same as in Kubernetes.
  ...(namesZone(spec?.schedule) ? ['spec.spec.schedule: TZ and CRON_TZ are not supported in a schedule; use timeZone'] : []),
];

const NO_JOB: Unchecked<JobSpec> = {};

/** Depends only on the Job template, so results can be cached. */
export function warnOfJob({ completionMode, completions = 0, parallelism = 0, template }: Unchecked<JobSpec>): readonly string[] {
  const podWarnings = warnOfPodTemplate(template, TEMPLATE);
  if (completionMode !== 'Indexed' || completions <= MANY_COMPLETIONS || parallelism <= MANY_AT_ONCE) return podWarnings;
  return [
    `spec.jobTemplate.spec: with more than ${MANY_COMPLETIONS} completions and a parallelism above ${MANY_AT_ONCE}, ` +
      'completed indexes may be lost track of when many of them fail',
    ...podWarnings,
  ];
}
