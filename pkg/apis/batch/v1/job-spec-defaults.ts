/** Defaults that a Job and the template of a CronJob have in common. */
import type { Unchecked } from '../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../with-members.ts';
import { withPodTemplateDefaults } from '../../core/v1/pod-template-defaults/pod-template-defaults.ts';
import type { JobSpec, PodFailurePolicy } from './types.gen.ts';

/** Returns the same object if no default applies. Adds an absent pod template, because it is not a pointer in Go. */
export const withPartDefaults = (job: Unchecked<JobSpec>): Unchecked<JobSpec> =>
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
