import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf, textAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Status', type: 'string', priority: 0, description: 'Active, or Terminating while it is deleted.' },
    AGE_COLUMN,
  ],
  cells: (object) => [nameOf(object), textAt(object, ['status', 'phase']), ageOf(object)],
};
