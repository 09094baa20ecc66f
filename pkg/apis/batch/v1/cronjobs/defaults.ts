import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../../with-members.ts';
import { withPodTemplateDefaults } from '../../../core/v1/pod-template-defaults/pod-template-defaults.ts';
import type { CronJob, CronJobSpec, JobSpec, JobTemplateSpec, PodFailurePolicy } from './types.gen.ts';

/**
 * The same object when nothing is to be filled in. A spec, and what lies between it and the pods, is no pointer in Go:
 * what a client leaves out is there all the same, and gets its defaults. The numbers of the Job get none: those belong
 * to each Job. `specDefaults` may remember what it gave.
 */
export const applyDefaults = (object: Unchecked<CronJob>, specDefaults = withSpecDefaults): Unchecked<CronJob> =>
  withMembers(object, { spec: specDefaults(object.spec ?? {}) });

export const withSpecDefaults = (spec: Unchecked<CronJobSpec>): Unchecked<CronJobSpec> =>
  withMembers(spec, {
    concurrencyPolicy: orDefault(spec.concurrencyPolicy, 'Allow'),
    suspend: spec.suspend ?? false,
    successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
    failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
    jobTemplate: withTemplateDefaults(spec.jobTemplate ?? {}),
  });

const withTemplateDefaults = (template: Unchecked<JobTemplateSpec>): Unchecked<JobTemplateSpec> =>
  withMembers(template, { spec: withJobDefaults(template.spec ?? {}) });

const withJobDefaults = (job: Unchecked<JobSpec>): Unchecked<JobSpec> =>
  withMembers(job, {
    podFailurePolicy: ifGiven(job.podFailurePolicy, withConditionDefaults),
    template: withPodTemplateDefaults(job.template ?? {}),
  });

/** A condition whose status is left out must be true. */
const withConditionDefaults = (policy: Unchecked<PodFailurePolicy>): Unchecked<PodFailurePolicy> =>
  withMembers(policy, {
    rules: withElements(policy.rules, (rule) =>
      withMembers(rule, {
        onPodConditions: withElements(rule.onPodConditions, (pattern) =>
          withMembers(pattern, { status: orDefault(pattern.status, 'True') }),
        ),
      }),
    ),
  });
