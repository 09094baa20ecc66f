import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../../with-members.ts';
import { withPodTemplateDefaults } from '../../../core/v1/pod-template-defaults/pod-template-defaults.ts';
import type { CronJob, CronJobSpec, JobSpec, JobTemplateSpec, PodFailurePolicy } from './types.gen.ts';

/**
 * Returns the same object if no default applies. The structs from the spec to the pods are not pointers in Go, so
 * absent ones get defaults as well. The integers of the Job get none, because each Job is defaulted itself.
 * `specDefaults` may cache its result.
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

/** An absent status of a condition means `True`. */
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
