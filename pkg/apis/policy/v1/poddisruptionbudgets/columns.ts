import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf, numberAt, textAt } from '../../../table-cells.ts';

const NOT_SET = 'N/A';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    {
      name: 'Min Available',
      type: 'string',
      priority: 0,
      description: 'Number or percentage of pods that an eviction must leave available.',
    },
    {
      name: 'Max Unavailable',
      type: 'string',
      priority: 0,
      description: 'Number or percentage of pods that may be unavailable after an eviction.',
    },
    { name: 'Allowed Disruptions', type: 'integer', priority: 0, description: 'Number of pods that may be evicted now.' },
    AGE_COLUMN,
  ],
  cells: (object) => [
    nameOf(object),
    textAt(object, ['spec', 'minAvailable'], NOT_SET),
    textAt(object, ['spec', 'maxUnavailable'], NOT_SET),
    numberAt(object, 'status', 'disruptionsAllowed'),
    ageOf(object),
  ],
};
