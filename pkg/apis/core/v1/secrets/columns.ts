import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, countAt, NAME_COLUMN, nameOf, textAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Type', type: 'string', priority: 0, description: 'What the data is for, and with it which keys there must be.' },
    { name: 'Data', type: 'string', priority: 0, description: 'Number of keys in data.' },
    AGE_COLUMN,
  ],
  cells: (object) => [nameOf(object), textAt(object, ['type']), countAt(object, 'data'), ageOf(object)],
};
