import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });
const [, STATUS, COMPLETIONS, DURATION] = table.columns.keys();
const condition = (type: string, status = 'True') => ({ type, status });

describe('The table of a Job', () => {
  it('shows a full object', () => {
    const object = {
      metadata: { name: 'once', creationTimestamp: '2026-03-01T00:00:00Z' },
      spec: {
        completions: 5,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } },
        template: {
          spec: {
            containers: [
              { name: 'main', image: 'report:1' },
              { name: 'side', image: 'proxy:2' },
            ],
          },
        },
      },
      status: {
        succeeded: 5,
        startTime: '2026-03-01T00:00:01Z',
        completionTime: '2026-03-01T01:02:03Z',
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
    };
    expect(cellsOf(object)).toEqual([
      'once',
      'Complete',
      '5/5',
      '62m',
      { age: Date.UTC(2026, 2, 1) },
      'main,side',
      'report:1,proxy:2',
      'batch.kubernetes.io/controller-uid=u-1',
    ]);
  });

  it('shows a bookmark, which has zero values only', () => {
    expect(cellsOf({ spec: { template: {} }, status: {} })).toEqual(['', 'Running', '0/1', '', { age: undefined }, '', '', '<none>']);
  });

  it.each<[readonly object[], string]>([
    [[condition('Complete'), condition('Failed')], 'Complete'],
    [[condition('FailureTarget'), condition('Failed')], 'Failed'],
    [[condition('FailureTarget')], 'FailureTarget'],
    [[condition('SuccessCriteriaMet')], 'SuccessCriteriaMet'],
    [[condition('SuccessCriteriaMet'), condition('Suspended')], 'Suspended'],
    [[condition('Suspended', 'False'), condition('Suspended')], 'Running'],
    [[condition('Complete', 'Unknown')], 'Running'],
  ])('with the conditions %j says %s', (conditions, text) => {
    expect(cellsOf({ status: { conditions } })[STATUS ?? 0]).toBe(text);
  });

  it('says that a Job is being deleted, unless it has ended', () => {
    const statusOf = (type: string) =>
      cellsOf({ metadata: { deletionTimestamp: '2026-03-01T00:00:00Z' }, status: { conditions: [condition(type)] } })[STATUS ?? 0];
    expect([statusOf('Suspended'), statusOf('Failed')]).toEqual(['Terminating', 'Failed']);
  });

  it.each<[object, string]>([
    [{ completions: 0 }, '2/0'],
    [{ completions: 3, parallelism: 5 }, '2/3'],
    [{ parallelism: 1 }, '2/1'],
    [{ parallelism: 5 }, '2/1 of 5'],
    [{}, '2/1'],
  ])('of two pods that succeeded, with %j, shows %s', (spec, text) => {
    expect(cellsOf({ spec, status: { succeeded: 2 } })[COMPLETIONS ?? 0]).toBe(text);
  });

  it('shows how long a Job has run so far', () => {
    expect(cellsOf({ status: { startTime: '2026-03-01T00:00:00Z' } })[DURATION ?? 0]).toEqual({ age: Date.UTC(2026, 2, 1) });
    expect(cellsOf({ status: { startTime: 'soon', completionTime: '2026-03-01T00:00:00Z' } })[DURATION ?? 0]).toBe('<invalid>');
  });
});
