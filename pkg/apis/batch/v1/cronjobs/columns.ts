import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageAt, ageOf, listAt, NAME_COLUMN, nameOf, textAt, valueAt } from '../../../table-cells.ts';
import { POD_COLUMNS, podCells } from '../pod-columns.ts';

const NONE = '<none>';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Schedule', type: 'string', priority: 0, description: 'When jobs are started, in Cron format.' },
    { name: 'Timezone', type: 'string', priority: 0, description: 'Time zone in which the schedule is read.' },
    { name: 'Suspend', type: 'boolean', priority: 0, description: 'Whether no further jobs are started for now.' },
    { name: 'Active', type: 'integer', priority: 0, description: 'Number of jobs that are running.' },
    { name: 'Last Schedule', type: 'string', priority: 0, description: 'Time since a job was last started by schedule.' },
    AGE_COLUMN,
    ...POD_COLUMNS,
  ],
  cells: (object) => {
    const lastSchedule = valueAt(object, 'status', 'lastScheduleTime');
    return [
      nameOf(object),
      textAt(object, ['spec', 'schedule']),
      textAt(object, ['spec', 'timeZone'], NONE),
      suspendText(valueAt(object, 'spec', 'suspend')),
      listAt(object, 'status', 'active').length,
      lastSchedule === undefined || lastSchedule === null ? NONE : ageAt(object, 'status', 'lastScheduleTime'),
      ageOf(object),
      ...podCells(valueAt(object, 'spec', 'jobTemplate', 'spec')),
    ];
  },
};

/** Text although the column is boolean, because clients expect it. */
const suspendText = (suspend: unknown): string => (typeof suspend === 'boolean' ? (suspend ? 'True' : 'False') : '<unset>');
