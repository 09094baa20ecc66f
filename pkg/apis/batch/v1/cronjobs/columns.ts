import { labelSelectorText } from '../../../../apimachinery/selectors/selector.ts';
import { labelSelectorAsSelector, type LabelSelectorObject } from '../../../../apimachinery/selectors/label-selector-as-selector.ts';
import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageAt, ageOf, listAt, NAME_COLUMN, nameOf, textAt, valueAt } from '../../../table-cells.ts';

const NONE = '<none>';
const POD = ['spec', 'jobTemplate', 'spec', 'template', 'spec'] as const;

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Schedule', type: 'string', priority: 0, description: 'When jobs are started, in Cron format.' },
    { name: 'Timezone', type: 'string', priority: 0, description: 'Time zone in which the schedule is read.' },
    { name: 'Suspend', type: 'boolean', priority: 0, description: 'Whether no further jobs are started for now.' },
    { name: 'Active', type: 'integer', priority: 0, description: 'Number of jobs that are running.' },
    { name: 'Last Schedule', type: 'string', priority: 0, description: 'Time since a job was last started by schedule.' },
    AGE_COLUMN,
    { name: 'Containers', type: 'string', priority: 1, description: 'Names of the containers of each pod.' },
    { name: 'Images', type: 'string', priority: 1, description: 'Images that these containers run.' },
    { name: 'Selector', type: 'string', priority: 1, description: 'Label selector of the pods of each job.' },
  ],
  cells: (object) => {
    const containers = listAt(object, ...POD, 'containers');
    const lastSchedule = valueAt(object, 'status', 'lastScheduleTime');
    return [
      nameOf(object),
      textAt(object, ['spec', 'schedule']),
      textAt(object, ['spec', 'timeZone'], NONE),
      suspendText(valueAt(object, 'spec', 'suspend')),
      listAt(object, 'status', 'active').length,
      lastSchedule === undefined || lastSchedule === null ? NONE : ageAt(object, 'status', 'lastScheduleTime'),
      ageOf(object),
      containers.map((container) => textAt(container, ['name'])).join(','),
      containers.map((container) => textAt(container, ['image'])).join(','),
      selectorText(valueAt(object, 'spec', 'jobTemplate', 'spec', 'selector')),
    ];
  },
};

/** Text although the column is boolean, because clients expect it. */
const suspendText = (suspend: unknown): string => (typeof suspend === 'boolean' ? (suspend ? 'True' : 'False') : '<unset>');

function selectorText(selector: unknown): string {
  if (!isSelector(selector)) return NONE;
  try {
    const read = labelSelectorAsSelector(selector);
    return read.selector === undefined ? '<error>' : labelSelectorText(read.selector) || NONE;
  } catch {
    // The members do not have the expected types.
    return '<error>';
  }
}

const isSelector = (value: unknown): value is LabelSelectorObject => typeof value === 'object' && value !== null;
