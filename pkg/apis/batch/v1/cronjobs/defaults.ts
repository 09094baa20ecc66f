import type { Unchecked } from '../../../define-strategy.ts';
import { orDefault, withMembers } from '../../../with-members.ts';
import { withPartDefaults } from '../job-spec-defaults.ts';
import type { CronJob, CronJobSpec, JobTemplateSpec } from './types.gen.ts';

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
  withMembers(template, { spec: withPartDefaults(template.spec ?? {}) });
