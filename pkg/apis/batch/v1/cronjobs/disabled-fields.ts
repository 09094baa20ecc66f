import type { RuleContext } from '../../../rule-context.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import { withoutDisabledJobFields } from '../disabled-job-fields.ts';
import type { CronJob } from './types.gen.ts';

/** Drops fields of disabled features from the pod template. */
export const dropDisabledFields = (
  object: Unchecked<CronJob>,
  stored: Unchecked<CronJob> | undefined,
  { features }: RuleContext,
): Unchecked<CronJob> =>
  withMembers(object, {
    spec: ifGiven(object.spec, (spec) =>
      withMembers(spec, {
        jobTemplate: ifGiven(spec.jobTemplate, (jobTemplate) =>
          withMembers(jobTemplate, {
            spec: ifGiven(jobTemplate.spec, (job) => withoutDisabledJobFields(job, stored?.spec?.jobTemplate?.spec, features)),
          }),
        ),
      }),
    ),
  });
