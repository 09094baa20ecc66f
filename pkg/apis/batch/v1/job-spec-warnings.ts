/** Warnings for a Job and for the template of a CronJob. */
import { checkDnsLabel } from '../../../apimachinery/meta/names.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import { warnOfPodTemplate } from '../../core/v1/pod-template-warnings/pod-template-warnings.ts';
import type { Unchecked } from '../../define-strategy.ts';
import type { JobSpec } from './types.gen.ts';

const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;

/** `path`: of the Job's spec. */
export function warnOfJobSpec(
  { completionMode, completions = 0, parallelism = 0, template }: Unchecked<JobSpec>,
  path: FieldPath,
): readonly string[] {
  const podWarnings = warnOfPodTemplate(template, path.child('template'));
  if (completionMode !== 'Indexed' || completions <= MANY_COMPLETIONS || parallelism <= MANY_AT_ONCE) return podWarnings;
  return [
    `${String(path)}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ` +
      'Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
    ...podWarnings,
  ];
}

/** Pods and their hosts are named after the object. */
export function warnOfPodNames(name = ''): readonly string[] {
  const wrong = checkDnsLabel(name);
  if (wrong.length === 0) return [];
  return [
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; ' +
      `a DNS label is recommended: [${wrong.join(' ')}]`,
  ];
}
