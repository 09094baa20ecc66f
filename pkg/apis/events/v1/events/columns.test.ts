import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

const [LAST_SEEN, TYPE, REASON, OBJECT, SUBOBJECT, SOURCE, MESSAGE, FIRST_SEEN, COUNT, NAME] = table.columns.keys();
const at = (second: number) => ({ age: Date.UTC(2026, 2, 1, 0, 0, second) });
const time = (second: number) => new Date(Date.UTC(2026, 2, 1, 0, 0, second)).toISOString();
const unknown = { age: undefined };

describe('The table of an Event', () => {
  it('has the name last, and no age', () => {
    expect(table.columns.map(({ name }) => name)).toEqual([
      'Last Seen',
      'Type',
      'Reason',
      'Object',
      'Subobject',
      'Source',
      'Message',
      'First Seen',
      'Count',
      'Name',
    ]);
    expect(table.columns.filter(({ priority }) => priority === 1).map(({ name }) => name)).toEqual([
      'Subobject',
      'Source',
      'First Seen',
      'Count',
      'Name',
    ]);
  });

  it.each([
    [{ series: { lastObservedTime: time(3) }, deprecatedLastTimestamp: time(2), eventTime: time(1) }, LAST_SEEN, at(3)],
    [{ series: {}, deprecatedLastTimestamp: time(2) }, LAST_SEEN, unknown],
    [{ deprecatedLastTimestamp: time(2), deprecatedFirstTimestamp: time(1) }, LAST_SEEN, at(2)],
    [{ deprecatedLastTimestamp: null, deprecatedFirstTimestamp: time(1), eventTime: time(4) }, LAST_SEEN, at(1)],
    [{ eventTime: time(4) }, LAST_SEEN, at(4)],
    [{}, LAST_SEEN, unknown],
    [{ deprecatedFirstTimestamp: time(1), eventTime: time(4) }, FIRST_SEEN, at(1)],
    [{ deprecatedFirstTimestamp: null, eventTime: time(4) }, FIRST_SEEN, at(4)],
    [{ eventTime: null }, FIRST_SEEN, unknown],
    [{ type: 'Warning' }, TYPE, 'Warning'],
    [{ reason: 'Scheduled' }, REASON, 'Scheduled'],
    [{ regarding: { kind: 'CronJob', name: 'nightly' } }, OBJECT, 'cronjob/nightly'],
    [{ regarding: { kind: 'CronJob' } }, OBJECT, 'cronjob'],
    [{}, OBJECT, ''],
    [{ regarding: { fieldPath: 'spec.containers{main}' } }, SUBOBJECT, 'spec.containers{main}'],
    [{ deprecatedSource: { component: 'kubelet', host: 'n1' }, reportingController: 'c', reportingInstance: 'i' }, SOURCE, 'kubelet, n1'],
    [{ deprecatedSource: { component: 'kubelet' }, reportingInstance: 'i' }, SOURCE, 'kubelet, i'],
    [{ deprecatedSource: {}, reportingController: 'c' }, SOURCE, 'c'],
    [{ reportingInstance: 'i' }, SOURCE, ', i'],
    [{ note: ' it ran\n' }, MESSAGE, 'it ran'],
    [{ series: { count: 4 }, deprecatedCount: 2 }, COUNT, 4],
    [{ series: {} }, COUNT, 0],
    [{ deprecatedCount: 2 }, COUNT, 2],
    [{ deprecatedCount: 0 }, COUNT, 1],
    [{}, COUNT, 1],
    [{ metadata: { name: 'nightly.17' } }, NAME, 'nightly.17'],
  ])('of %j has in column %d the cell %j', (object, column, cell) => {
    expect(cellsOf(object)[column ?? -1]).toEqual(cell);
  });
});
