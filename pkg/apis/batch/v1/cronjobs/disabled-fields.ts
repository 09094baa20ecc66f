import type { RuleContext } from '../../../rule-context.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { withoutDisabledFields } from '../../../core/v1/pod-template/disabled-fields.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import type { CronJob } from './types.gen.ts';

type UncheckedCronJob = Unchecked<CronJob>;

/** Drops fields of disabled features from the pod template. */
export function dropDisabledFields(
  object: UncheckedCronJob,
  stored: UncheckedCronJob | undefined,
  { features }: RuleContext,
): UncheckedCronJob {
  const storedPods = podsOf(stored);
  return withMembers(object, {
    spec: ifGiven(object.spec, (spec) =>
      withMembers(spec, {
        jobTemplate: ifGiven(spec.jobTemplate, (jobTemplate) =>
          withMembers(jobTemplate, {
            spec: ifGiven(jobTemplate.spec, (job) =>
              withMembers(job, {
                template: ifGiven(job.template, (template) =>
                  withMembers(template, { spec: ifGiven(template.spec, (pods) => withoutDisabledFields(pods, storedPods, features)) }),
                ),
              }),
            ),
          }),
        ),
      }),
    ),
  });
}

const podsOf = (object: UncheckedCronJob | undefined) => object?.spec?.jobTemplate?.spec?.template?.spec;
