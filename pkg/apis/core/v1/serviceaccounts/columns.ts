import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [NAME_COLUMN, AGE_COLUMN],
  cells: (object) => [nameOf(object), ageOf(object)],
};
