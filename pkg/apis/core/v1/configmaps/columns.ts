import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, countAt, NAME_COLUMN, nameOf } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [NAME_COLUMN, { name: 'Data', type: 'string', priority: 0, description: 'Number of keys in data and binaryData.' }, AGE_COLUMN],
  cells: (object) => [nameOf(object), countAt(object, 'data') + countAt(object, 'binaryData'), ageOf(object)],
};
