import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf, textAt, valueAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Attacher', type: 'string', format: 'name', priority: 0, description: 'Driver that is asked to attach and detach the volume.' },
    { name: 'PV', type: 'string', priority: 0, description: 'Persistent volume to attach.' },
    { name: 'Node', type: 'string', priority: 0, description: 'Node to which the volume is attached.' },
    { name: 'Attached', type: 'boolean', priority: 0, description: 'Whether the driver has attached the volume.' },
    AGE_COLUMN,
  ],
  cells: (object) => [
    nameOf(object),
    textAt(object, ['spec', 'attacher']),
    textAt(object, ['spec', 'source', 'persistentVolumeName']),
    textAt(object, ['spec', 'nodeName']),
    valueAt(object, 'status', 'attached') === true,
    ageOf(object),
  ],
};
