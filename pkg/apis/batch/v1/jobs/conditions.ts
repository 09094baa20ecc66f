import type { Unchecked } from '../../../define-strategy.ts';
import type { Job, JobStatus } from './types.gen.ts';

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended';

/** Whether any condition of a type has a status. Types should be there once, but nothing makes sure. */
export const hasCondition = (
  { conditions = [] }: Unchecked<JobStatus>,
  type: JobConditionType,
  status: 'True' | 'False' = 'True',
): boolean => conditions.some((condition) => condition.type === type && condition.status === status);

export const isFinished = (status: Unchecked<JobStatus>): boolean => hasCondition(status, 'Complete') || hasCondition(status, 'Failed');

/** Whether nothing runs, and so the pods may be changed: suspended, and never started or stopped again. */
export function isAtRest({ spec, status = {} }: Unchecked<Job>): boolean {
  if (spec?.suspend !== true || (status.active ?? 0) !== 0) return false;
  return status.startTime === undefined || hasCondition(status, 'Suspended');
}
