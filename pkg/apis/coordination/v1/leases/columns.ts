import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf, textAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Holder', type: 'string', priority: 0, description: 'Who holds the Lease; empty when nobody does.' },
    AGE_COLUMN,
  ],
  cells: (object) => [nameOf(object), textAt(object, ['spec', 'holderIdentity']), ageOf(object)],
};
