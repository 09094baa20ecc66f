import type { Features } from '../../../apimachinery/features/features.ts';
import { withoutDisabledFields } from '../../core/v1/pod-template/disabled-fields.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { ifGiven, withMembers } from '../../with-members.ts';
import type { JobSpec } from './types.gen.ts';

/** Drops fields of disabled features from the pod template, unless the stored Job has them. */
export const withoutDisabledJobFields = (
  job: Unchecked<JobSpec>,
  stored: Unchecked<JobSpec> | undefined,
  features: Features,
): Unchecked<JobSpec> =>
  withMembers(job, {
    template: ifGiven(job.template, (template) =>
      withMembers(template, { spec: ifGiven(template.spec, (pods) => withoutDisabledFields(pods, stored?.template?.spec, features)) }),
    ),
  });
