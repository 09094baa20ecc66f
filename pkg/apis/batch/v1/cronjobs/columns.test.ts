import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

const [, SCHEDULE, TIMEZONE, SUSPEND, ACTIVE, LAST_SCHEDULE, AGE, CONTAINERS, IMAGES, SELECTOR] = table.columns.keys();

describe('The table of a CronJob', () => {
  it('shows a full object', () => {
    const object = {
      metadata: { name: 'nightly', creationTimestamp: '2026-03-01T00:00:00Z' },
      spec: {
        schedule: '0 3 * * *',
        timeZone: 'Europe/Vienna',
        suspend: true,
        jobTemplate: {
          spec: {
            selector: {
              matchLabels: { tier: 'back', app: 'report' },
              matchExpressions: [{ key: 'zone', operator: 'In', values: ['b', 'a'] }],
            },
            template: {
              spec: {
                initContainers: [{ name: 'wait', image: 'busybox' }],
                containers: [
                  { name: 'main', image: 'report:1' },
                  { name: 'side', image: 'proxy:2' },
                ],
              },
            },
          },
        },
      },
      status: { active: [{ name: 'a' }, { name: 'b' }], lastScheduleTime: '2026-03-02T03:00:00Z' },
    };
    expect(cellsOf(object)).toEqual([
      'nightly',
      '0 3 * * *',
      'Europe/Vienna',
      'True',
      2,
      { age: Date.UTC(2026, 2, 2, 3) },
      { age: Date.UTC(2026, 2, 1) },
      'main,side',
      'report:1,proxy:2',
      'app=report,tier=back,zone in (a,b)',
    ]);
  });

  it('shows a bookmark, which has zero values only', () => {
    expect(cellsOf({ spec: { schedule: '', jobTemplate: {} }, status: {} })).toEqual([
      '',
      '',
      '<none>',
      '<unset>',
      0,
      '<none>',
      { age: undefined },
      '',
      '',
      '<none>',
    ]);
  });

  it.each([
    [{ spec: { schedule: '@daily' } }, SCHEDULE, '@daily'],
    [{ spec: { timeZone: '' } }, TIMEZONE, ''],
    [{ spec: { suspend: false } }, SUSPEND, 'False'],
    [{ status: { active: [] } }, ACTIVE, 0],
    [{ status: { lastScheduleTime: 'soon' } }, LAST_SCHEDULE, { age: undefined }],
    [{ metadata: { creationTimestamp: '2026-03-01T00:00:00.5Z' } }, AGE, { age: Date.UTC(2026, 2, 1, 0, 0, 0, 500) }],
    [{ spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'a' }] } } } } } }, CONTAINERS, 'a'],
    [{ spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'a' }] } } } } } }, IMAGES, ''],
    [{ spec: { jobTemplate: { spec: { selector: {} } } } }, SELECTOR, '<none>'],
    [{ spec: { jobTemplate: { spec: { selector: { matchLabels: { a: '' } } } } } }, SELECTOR, 'a='],
    [{ spec: { jobTemplate: { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } } } } }, SELECTOR, '<error>'],
    [{ spec: { jobTemplate: { spec: { selector: { matchExpressions: 7 } } } } }, SELECTOR, '<error>'],
  ])('of %j has in column %d the cell %j', (object, column, cell) => {
    expect(cellsOf(object)[column ?? -1]).toEqual(cell);
  });
});
