import type { TableDefinition } from '../../kind.ts';
import { NAME_COLUMN, nameOf, textAt } from '../../table-cells.ts';

/** Of Roles and ClusterRoles. */
export const roleTable: TableDefinition = {
  columns: [NAME_COLUMN, { name: 'Created At', type: 'date', priority: 0, description: 'When the object was created.' }],
  cells: (object) => [nameOf(object), textAt(object, ['metadata', 'creationTimestamp'])],
};
