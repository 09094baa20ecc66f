import { describe, expect, it } from '@jest/globals';
import type { Unchecked } from '../../../define-strategy.ts';
import type { JobSpec } from '../types.gen.ts';
import { validateStatusUpdate } from './status-rules.ts';
import type { Job, JobStatus } from './types.gen.ts';

type Status = Unchecked<JobStatus>;

const STARTED = '2026-03-14T15:00:00Z';
const DONE = '2026-03-14T16:00:00Z';
const conditions = (...types: readonly string[]) => ({ conditions: types.map((type) => ({ type, status: 'True' })) });
const isNot = (type: string) => ({ conditions: [{ type, status: 'False' }] });
const complete: Status = { startTime: STARTED, completionTime: DONE, ...conditions('SuccessCriteriaMet', 'Complete') };
const failed: Status = { startTime: STARTED, ...conditions('FailureTarget', 'Failed') };

const { completionTime: _completed, ...completeWithoutTime } = complete;
const { startTime: _started, ...failedBeforeStart } = failed;

const job = (spec: Unchecked<JobSpec>, status: Status): Unchecked<Job> => ({ metadata: { name: 'a' }, spec, status });
const causesOf = (status: Status, before: Status = {}, spec: Unchecked<JobSpec> = {}) =>
  validateStatusUpdate(job(spec, status), job(spec, before)).map(
    ({ reason, field }) => `${reason.replace('FieldValue', '')} ${field ?? ''}`,
  );
const detailsOf = (status: Status, before: Status = {}, spec: Unchecked<JobSpec> = {}) =>
  validateStatusUpdate(job(spec, status), job(spec, before)).map(({ message }) => message.replace(/^[^:]*: /, ''));

const indexed: Unchecked<JobSpec> = { completionMode: 'Indexed', completions: 10, parallelism: 2, backoffLimitPerIndex: 1 };

describe('The status of a Job', () => {
  it.each<[string, Status, Status]>([
    ['may be empty', {}, {}],
    ['may say how far it is', { startTime: STARTED, active: 2, ready: 2, succeeded: 3, failed: 1, terminating: 1 }, {}],
    ['may become complete', complete, { startTime: STARTED, ...conditions('SuccessCriteriaMet') }],
    ['may fail', failed, { startTime: STARTED, ...conditions('FailureTarget') }],
    ['may stay complete', complete, complete],
    ['may stay failed', failed, failed],
    ['may lose pods that are counted', {}, { uncountedTerminatedPods: { succeeded: ['a'] } }],
    ['may have conditions of others', conditions('Custom'), {}],
  ])('%s', (_, status, before) => expect(causesOf(status, before)).toEqual([]));

  it.each<[Status, readonly string[]]>([
    [{ active: -1 }, ['Invalid status.active']],
    [{ succeeded: -1 }, ['Invalid status.succeeded', 'Invalid status.succeeded']],
    [{ failed: -1 }, ['Invalid status.failed', 'Invalid status.failed']],
    [{ ready: -1 }, ['Invalid status.ready']],
    [{ terminating: -1 }, ['Invalid status.terminating']],
    [{ active: 1, ready: 2 }, ['Invalid status.ready']],
    [{ uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['b'] } }, ['Invalid status.uncountedTerminatedPods.succeeded[1]']],
    [{ uncountedTerminatedPods: { succeeded: ['a'], failed: ['b', 'a'] } }, ['Duplicate status.uncountedTerminatedPods.failed[1]']],
  ])('has counts and lists that make sense: %j', (status, causes) => expect(causesOf(status)).toEqual(causes));

  it.each<[string, Status, Status, readonly string[]]>([
    [
      'Complete and Failed',
      { ...complete, ...conditions('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
      {},
      [
        'cannot set Complete=True and Failed=true conditions',
        'cannot set Complete=True and FailureTarget=true conditions',
        'cannot set SuccessCriteriaMet=True and Failed=true conditions',
        'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ],
    ],
    [
      'Complete alone',
      { ...complete, ...conditions('Complete') },
      {},
      ['cannot set Complete=True condition without the SuccessCriteriaMet=true condition'],
    ],
    [
      'Failed alone',
      { ...failed, ...conditions('Failed') },
      {},
      ['cannot set Failed=True condition without the FailureTarget=true condition'],
    ],
    [
      'both targets',
      conditions('SuccessCriteriaMet', 'FailureTarget'),
      {},
      ['cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
    ],
    [
      'Complete no longer',
      { ...completeWithoutTime, ...conditions('SuccessCriteriaMet') },
      complete,
      ['cannot disable the terminal Complete=True condition'],
    ],
    ['Failed no longer', { ...failed, ...conditions('FailureTarget') }, failed, ['cannot disable the terminal Failed=True condition']],
    [
      'FailureTarget no longer',
      isNot('FailureTarget'),
      conditions('FailureTarget'),
      ['cannot disable the terminal FailureTarget=True condition'],
    ],
    ['SuccessCriteriaMet no longer', {}, conditions('SuccessCriteriaMet'), ['cannot disable the SuccessCriteriaMet=True condition']],
    [
      'SuccessCriteriaMet after Complete',
      complete,
      { ...complete, ...conditions('Complete') },
      ['cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'],
    ],
  ])('with the conditions %s is refused', (_, status, before, details) => expect(detailsOf(status, before)).toEqual(details));

  it('with a success policy needs SuccessCriteriaMet at any time', () => {
    const before = { ...complete, ...conditions('Complete') };
    const details = ['cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'];
    expect(detailsOf(before, before, { successPolicy: { rules: [] } })).toEqual(details);
    expect(detailsOf(before, before)).toEqual([]);
  });

  it.each<[string, Status, Status, readonly string[]]>([
    ['a time of completion', { completionTime: DONE }, {}, ['Invalid status.completionTime']],
    ['none when it is complete', completeWithoutTime, {}, ['Required status.completionTime']],
    ['a completion before its start', { ...complete, startTime: DONE, completionTime: STARTED }, {}, ['Invalid status.completionTime']],
    ['a completion at its start', { ...complete, completionTime: STARTED }, {}, []],
    ['another time of completion', { ...complete, completionTime: '2026-03-14T17:00:00Z' }, complete, ['Invalid status.completionTime']],
    ['no start when it has ended', failedBeforeStart, {}, ['Required status.startTime']],
    ['no start any more', {}, { startTime: STARTED }, ['Invalid status.startTime']],
    ['another start', { startTime: DONE }, { startTime: STARTED }, ['Invalid status.startTime']],
    [
      'another start when it is resumed',
      { startTime: DONE, ...isNot('Suspended') },
      { startTime: STARTED, ...conditions('Suspended') },
      [],
    ],
    ['a first start', { startTime: STARTED }, {}, []],
  ])('with %s', (_, status, before, causes) => expect(causesOf(status, before)).toEqual(causes));

  it('may lose its start while it is suspended, and needs none when it never had pods', () => {
    expect(causesOf({}, { startTime: STARTED }, { suspend: true })).toEqual([]);
    const ended = failedBeforeStart;
    expect(causesOf(ended, {}, { suspend: true, completions: 0 })).toEqual([]);
    expect(causesOf(ended, {}, { suspend: true, completions: 1 })).toEqual(['Required status.startTime']);
  });

  it.each<[Status, readonly string[]]>([
    [{ active: 1 }, ['Invalid status.active']],
    [{ terminating: 1 }, ['Invalid status.terminating']],
    [{ uncountedTerminatedPods: { failed: ['a'] } }, ['Invalid status.uncountedTerminatedPods']],
    [{ terminating: 0, uncountedTerminatedPods: {} }, []],
  ])('of a finished Job has no pods: %j', (status, causes) => {
    expect(causesOf({ ...failed, ...status })).toEqual(causes);
    expect(causesOf({ ...failed, ...status }, failed)).toEqual(causes);
  });

  it.each<[string, Status]>([
    ['active pods of a finished Job', { ...failed, active: 1 }],
    ['terminating pods of a finished Job', { ...failed, terminating: 1 }],
    ['uncounted pods of a finished Job', { ...failed, uncountedTerminatedPods: { failed: ['a'] } }],
    ['more ready pods than active ones', { ready: 1 }],
    ['a finished Job that never started', conditions('FailureTarget', 'Failed')],
    ['a Job that failed without a target', { startTime: STARTED, ...conditions('Failed') }],
    ['a Job that is complete without a time', { startTime: STARTED, ...conditions('SuccessCriteriaMet', 'Complete') }],
    ['a time of completion alone', { completionTime: DONE }],
    ['indexes that are none', { completedIndexes: 'x', failedIndexes: 'y' }],
  ])('may keep what it had before: %s', (_, status) => {
    const other = { ...status, conditions: [...(status.conditions ?? []), { type: 'Custom', status: 'True' }] };
    expect(causesOf(other, status)).toEqual([]);
    expect(causesOf(status)).not.toEqual([]);
  });

  it.each<[Unchecked<JobSpec>, Status, Status, readonly string[]]>([
    [{}, { failed: 1 }, { failed: 2 }, ['Invalid status.failed']],
    [{}, { succeeded: 1 }, { succeeded: 2 }, ['Invalid status.succeeded']],
    [{}, {}, { succeeded: 2 }, ['Invalid status.succeeded']],
    [indexed, { succeeded: 1 }, { succeeded: 2 }, ['Invalid status.succeeded']],
    [{ ...indexed, parallelism: 10 }, { succeeded: 1 }, { succeeded: 2 }, []],
    [{ ...indexed, parallelism: 10 }, { failed: 1 }, { failed: 2 }, ['Invalid status.failed']],
  ])('of a Job with %j counts up: %j after %j', (spec, status, before, causes) => expect(causesOf(status, before, spec)).toEqual(causes));

  it.each<[Unchecked<JobSpec>, Status, readonly string[]]>([
    [indexed, { completedIndexes: '0-3,5', failedIndexes: '4' }, []],
    [indexed, { completedIndexes: '10' }, ['error parsing completedIndexes: too large index: "10"']],
    [indexed, { failedIndexes: '3,2' }, ['error parsing failedIndexes: non-increasing order, previous: 3, current: 2']],
    [indexed, { completedIndexes: '0-3', failedIndexes: '2,5' }, ['failedIndexes and completedIndexes overlap at index: 2']],
    [indexed, { failedIndexes: '' }, []],
    [{ completions: 2 }, { completedIndexes: '0' }, ['cannot set non-empty completedIndexes when non-indexed completion mode']],
    [{ completions: 2 }, { completedIndexes: '' }, []],
    [{ completions: 2 }, { failedIndexes: '' }, ['cannot set non-null failedIndexes when backoffLimitPerIndex is null']],
    [{}, { completedIndexes: 'x' }, ['cannot set non-empty completedIndexes when non-indexed completion mode']],
  ])('of a Job with %j lists indexes: %j', (spec, status, details) => {
    const wholes = validateStatusUpdate(job(spec, status), job(spec, {}));
    expect(wholes.map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, ''))).toEqual(details);
  });
});
