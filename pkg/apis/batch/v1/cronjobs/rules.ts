/** The rules of a CronJob. Its status and the metadata of the Job template are not checked. */
import { invalidValue, invalidWhole, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nonNegativeCauses } from '../../../meta/v1/integer-causes.ts';
import type { RuleContext } from '../../../rule-context.ts';
import { validateJobSpec } from '../job-spec.ts';
import type { JobSpec } from '../types.gen.ts';
import { validateSchedule, validateTimeZone } from './schedule-rules.ts';
import type { UncheckedCronJobSpec } from './schedule-rules.ts';
import type { CronJob } from './types.gen.ts';

type JobRules = (job: Unchecked<JobSpec>) => readonly StatusCause[];

/** A Job's name has at most 63 bytes: the name of its CronJob and 11 more. */
const MAX_NAME_BYTES = 52;
const CONCURRENCY_POLICIES: readonly string[] = ['Allow', 'Forbid', 'Replace'];

const SPEC = FieldPath.of('spec');
const TIME_ZONE = SPEC.child('timeZone');
const JOB_SPEC = SPEC.child('jobTemplate', 'spec');

/**
 * Causes of the Job template; they depend only on the template. Update rules of Jobs do not apply, because a template
 * may change freely.
 */
export const causesOfJob: JobRules = (job) => {
  const { selector, manualSelector } = job;
  return [
    ...validateJobSpec(job, JOB_SPEC),
    ...(selector === undefined ? NO_CAUSES : [invalidWhole(JOB_SPEC.child('selector'), '`selector` will be auto-generated')]),
    ...(manualSelector === true ? [notSupported(JOB_SPEC.child('manualSelector'), manualSelector, ['nil', 'false'])] : NO_CAUSES),
  ];
};

/** `jobCauses` may cache its result. */
export const validateCreate = (
  { metadata, spec = {} }: Unchecked<CronJob>,
  context: RuleContext,
  jobCauses = causesOfJob,
): readonly StatusCause[] => [...specCauses(spec, undefined, context, jobCauses), ...nameCauses(metadata?.name)];

/** The length of the name is not checked: the object may be older than the rule. */
export const validateUpdate = (
  { spec = {} }: Unchecked<CronJob>,
  stored: Unchecked<CronJob>,
  context: RuleContext,
  jobCauses = causesOfJob,
): readonly StatusCause[] => specCauses(spec, stored.spec ?? {}, context, jobCauses);

const nameCauses = (name = ''): readonly StatusCause[] =>
  Buffer.byteLength(name) <= MAX_NAME_BYTES
    ? NO_CAUSES
    : [invalidValue('metadata.name', name, `must be no more than ${MAX_NAME_BYTES} characters`)];

const NO_JOB: Unchecked<JobSpec> = {};

function specCauses(
  spec: UncheckedCronJobSpec,
  stored: UncheckedCronJobSpec | undefined,
  { timeZones }: RuleContext,
  jobCauses: JobRules,
): readonly StatusCause[] {
  const { timeZone, concurrencyPolicy, successfulJobsHistoryLimit, failedJobsHistoryLimit } = spec;
  return [
    ...validateSchedule(spec, stored, SPEC, timeZones),
    ...nonNegativeCauses(spec.startingDeadlineSeconds, SPEC, 'startingDeadlineSeconds'),
    ...(stored !== undefined && stored.timeZone === timeZone ? NO_CAUSES : validateTimeZone(timeZone, TIME_ZONE, timeZones)),
    // Empty values are defaulted before validation.
    ...choiceCauses(concurrencyPolicy || undefined, SPEC, 'concurrencyPolicy', CONCURRENCY_POLICIES),
    ...jobCauses(spec.jobTemplate?.spec ?? NO_JOB),
    ...nonNegativeCauses(successfulJobsHistoryLimit, SPEC, 'successfulJobsHistoryLimit'),
    ...nonNegativeCauses(failedJobsHistoryLimit, SPEC, 'failedJobsHistoryLimit'),
  ];
}
