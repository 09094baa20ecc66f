/**
 * The rules of a Job's status. Most hold only for what a write changes: a status that was stored before must not block
 * others, and after a change of the spec the controller needs time to follow.
 */
import {
  causesOfElements,
  duplicateValue,
  invalidValue,
  invalidWhole,
  NO_CAUSES,
  required,
} from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import { nonNegativeCauses } from '../../../meta/v1/integer-causes.ts';
import { commonIndex, countIndexes } from '../index-intervals.ts';
import type { JobSpec } from '../types.gen.ts';
import { hasCondition, isFinished, type JobConditionType } from './conditions.ts';
import { UncountedTerminatedPodsShape } from './shapes.gen.ts';
import type { Job, JobStatus, UncountedTerminatedPods } from './types.gen.ts';

type UncheckedJobStatus = Unchecked<JobStatus>;

/** A write of a status. */
interface JobStatusChange {
  readonly spec: Unchecked<JobSpec>;
  readonly status: UncheckedJobStatus;
  readonly before: UncheckedJobStatus;
  /** Whether the status has a condition now, and whether it has since or no longer. */
  readonly is: (type: JobConditionType) => boolean;
  readonly changes: (type: JobConditionType) => boolean;
  readonly isFinished: boolean;
  readonly finishes: boolean;
}

const STATUS = FieldPath.of('status');
const CONDITIONS = STATUS.child('conditions');

export function validateStatusUpdate({ spec = {}, status = {} }: Unchecked<Job>, stored: Unchecked<Job>): readonly StatusCause[] {
  const before = stored.status ?? {};
  const change: JobStatusChange = {
    spec,
    status,
    before,
    is: (type) => hasCondition(status, type),
    changes: (type) => hasCondition(status, type) !== hasCondition(before, type),
    isFinished: isFinished(status),
    finishes: isFinished(status) !== isFinished(before),
  };
  return [
    ...countCauses(status),
    ...uncountedCauses(status.uncountedTerminatedPods),
    ...conditionCauses(change),
    ...timeCauses(change),
    ...finishedCauses(change),
    ...indexCauses(change),
    ...transitionCauses(change),
  ];
}

const countCauses = ({ active, succeeded, failed, ready, terminating }: UncheckedJobStatus): readonly StatusCause[] => [
  ...nonNegativeCauses(active, STATUS, 'active'),
  ...nonNegativeCauses(succeeded, STATUS, 'succeeded'),
  ...nonNegativeCauses(failed, STATUS, 'failed'),
  ...nonNegativeCauses(ready, STATUS, 'ready'),
  ...nonNegativeCauses(terminating, STATUS, 'terminating'),
];

/** No uid twice, in both lists together. */
function uncountedCauses({ succeeded = [], failed = [] }: Unchecked<UncountedTerminatedPods> = {}): readonly StatusCause[] {
  const seen = new Set<string>();
  const causesOf = (uids: readonly string[], list: FieldPath): readonly StatusCause[] =>
    causesOfElements(list, uids, (uid, at) => {
      if (uid === '') return [invalidValue(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicateValue(at, uid)];
      seen.add(uid);
      return NO_CAUSES;
    });
  const path = STATUS.child('uncountedTerminatedPods');
  return [...causesOf(succeeded, path.child('succeeded')), ...causesOf(failed, path.child('failed'))];
}

/** Which conditions go together. */
function conditionCauses({ spec, status, before, is, changes }: JobStatusChange): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  const refuse = (isWrong: boolean, detail: string) => {
    if (isWrong) causes.push(invalidWhole(CONDITIONS, detail));
  };
  const complete = is('Complete');
  const failed = is('Failed');
  const failureTarget = is('FailureTarget');
  const criteriaMet = is('SuccessCriteriaMet');
  if (changes('Complete') || changes('Failed')) refuse(complete && failed, 'cannot set Complete=True and Failed=true conditions');
  if (changes('Complete') || changes('FailureTarget')) {
    refuse(complete && failureTarget, 'cannot set Complete=True and FailureTarget=true conditions');
  }
  if (changes('Failed') || status.failedIndexes !== before.failedIndexes) {
    refuse(failed && !failureTarget, 'cannot set Failed=True condition without the FailureTarget=true condition');
  }
  if (changes('Complete') || changes('SuccessCriteriaMet')) {
    refuse(complete && !criteriaMet, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  refuse(criteriaMet && failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  refuse(criteriaMet && failureTarget, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  refuse(
    spec.successPolicy !== undefined && complete && !criteriaMet,
    'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  );
  return causes;
}

/** Times are canonical, so their order is that of their texts. */
function timeCauses({ spec, status, before, is, changes, isFinished, finishes }: JobStatusChange): readonly StatusCause[] {
  const { startTime, completionTime } = status;
  const startChanges = startTime !== before.startTime;
  const completionChanges = completionTime !== before.completionTime;
  const causes: StatusCause[] = [];
  const atCompletion = STATUS.child('completionTime');
  if (changes('Complete') || completionChanges) {
    if (completionTime !== undefined && !is('Complete')) {
      causes.push(invalidValue(atCompletion, completionTime, 'cannot set completionTime when there is no Complete=True condition'));
    }
    if (completionTime === undefined && is('Complete')) {
      causes.push(required(atCompletion, 'completionTime is required for Complete jobs'));
    }
  }
  if ((startChanges || completionChanges) && startTime !== undefined && completionTime !== undefined && completionTime < startTime) {
    causes.push(invalidValue(atCompletion, completionTime, 'must be equal to or after `startTime`'));
  }
  const neverRan = spec.suspend === true && spec.completions === 0;
  if ((finishes || startChanges) && !neverRan && startTime === undefined && isFinished) {
    causes.push(required(STATUS.child('startTime'), 'startTime is required for finished job'));
  }
  return causes;
}

/** A finished Job has no pods left. */
function finishedCauses({ status, before, isFinished, finishes }: JobStatusChange): readonly StatusCause[] {
  const { active = 0, ready, terminating, uncountedTerminatedPods: uncounted } = status;
  const causes: StatusCause[] = [];
  const activeChanges = active !== (before.active ?? 0);
  if ((finishes || activeChanges) && isFinished && active > 0) {
    causes.push(invalidValue(STATUS.child('active'), active, 'active>0 is invalid for finished job'));
  }
  if ((finishes || !equalUncounted(uncounted, before.uncountedTerminatedPods)) && isFinished && countUncounted(uncounted) > 0) {
    causes.push(invalidWhole(STATUS.child('uncountedTerminatedPods'), 'must be empty for finished job'));
  }
  if ((finishes || terminating !== before.terminating) && isFinished && terminating !== undefined && terminating > 0) {
    causes.push(invalidValue(STATUS.child('terminating'), terminating, 'terminating>0 is invalid for finished job'));
  }
  if ((activeChanges || ready !== before.ready) && ready !== undefined && ready > active) {
    causes.push(invalidValue(STATUS.child('ready'), ready, 'cannot set more ready pods than active'));
  }
  return causes;
}

const countUncounted = ({ succeeded = [], failed = [] }: Unchecked<UncountedTerminatedPods> = {}): number =>
  succeeded.length + failed.length;

const equalUncounted = (
  left: UncheckedJobStatus['uncountedTerminatedPods'],
  right: UncheckedJobStatus['uncountedTerminatedPods'],
): boolean => (left === undefined || right === undefined ? left === right : equalByShape(UncountedTerminatedPodsShape, left, right));

function indexCauses({ spec, status, before }: JobStatusChange): readonly StatusCause[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const completedChanges = completedIndexes !== (before.completedIndexes ?? '');
  const failedChanges = failedIndexes !== before.failedIndexes;
  const [atCompleted, atFailed] = [STATUS.child('completedIndexes'), STATUS.child('failedIndexes')];
  const causes: StatusCause[] = [];
  if (completedChanges && completions !== undefined) causes.push(...formatCauses(completedIndexes, completions, 'completedIndexes'));
  if (failedChanges && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    causes.push(...formatCauses(failedIndexes, completions, 'failedIndexes'));
  }
  if (completedChanges && completedIndexes !== '' && completionMode !== 'Indexed') {
    causes.push(invalidValue(atCompleted, completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode'));
  }
  if (failedIndexes === undefined) return causes;
  if (failedChanges && backoffLimitPerIndex === undefined) {
    causes.push(invalidValue(atFailed, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
  }
  if ((failedChanges || completedChanges) && completions !== undefined) {
    const common = commonIndex(completedIndexes, failedIndexes, completions);
    if (common !== undefined) {
      causes.push(invalidValue(atFailed, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${common}`));
    }
  }
  return causes;
}

function formatCauses(text: string, completions: number, field: 'completedIndexes' | 'failedIndexes'): readonly StatusCause[] {
  const counted = countIndexes(text, completions);
  return typeof counted === 'number' ? NO_CAUSES : [invalidValue(STATUS.child(field), text, `error parsing ${field}: ${counted}`)];
}

const LASTING: readonly JobConditionType[] = ['Failed', 'Complete', 'FailureTarget'];

/** What only goes one way: conditions that end a Job, counters, and times. */
function transitionCauses(change: JobStatusChange): readonly StatusCause[] {
  const { before, is } = change;
  const causes: StatusCause[] = [];
  const was = (type: JobConditionType) => hasCondition(before, type);
  for (const type of LASTING) {
    if (was(type) && !is(type)) causes.push(invalidWhole(CONDITIONS, `cannot disable the terminal ${type}=True condition`));
  }
  if (was('SuccessCriteriaMet') && !is('SuccessCriteriaMet')) {
    causes.push(invalidWhole(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (was('Complete') && !was('SuccessCriteriaMet') && is('SuccessCriteriaMet')) {
    causes.push(invalidWhole(CONDITIONS, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'));
  }
  return [...causes, ...counterTransitionCauses(change), ...timeTransitionCauses(change)];
}

function counterTransitionCauses({ spec, status, before }: JobStatusChange): readonly StatusCause[] {
  const { failed = 0, succeeded = 0 } = status;
  // Such a Job may be made smaller.
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  return [
    ...(failed < (before.failed ?? 0) ? [invalidValue(STATUS.child('failed'), failed, 'cannot decrease the failed counter')] : NO_CAUSES),
    ...(!isElastic && succeeded < (before.succeeded ?? 0)
      ? [invalidValue(STATUS.child('succeeded'), succeeded, 'cannot decrease the succeeded counter')]
      : NO_CAUSES),
  ];
}

function timeTransitionCauses({ spec, status, before }: JobStatusChange): readonly StatusCause[] {
  const { startTime, completionTime } = status;
  const causes: StatusCause[] = [];
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime) {
    causes.push(invalidValue(STATUS.child('completionTime'), completionTime, 'field is immutable'));
  }
  // A resumed Job starts anew, and its spec may say so before its status does.
  const resumes = hasCondition(before, 'Suspended') && hasCondition(status, 'Suspended', 'False');
  if (before.startTime !== undefined && startTime !== before.startTime && spec.suspend !== true && !resumes) {
    causes.push(invalidValue(STATUS.child('startTime'), startTime ?? null, 'field is immutable for unsuspended job once set'));
  }
  return causes;
}
