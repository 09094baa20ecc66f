import type { TableCell, TableColumn, TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, nameOf, numberAt, textAt, valueAt } from '../../../table-cells.ts';

const column = (name: string, description: string): TableColumn => ({ name, type: 'string', priority: 0, description });

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    column('Type', 'Whether its requests are limited or exempt.'),
    column('NominalConcurrencyShares', 'Its part of the seats of the server.'),
    column('Queues', 'The number of its queues.'),
    column('HandSize', 'The number of queues that a flow may use.'),
    column('QueueLengthLimit', 'The number of requests that may wait in a queue.'),
    AGE_COLUMN,
  ],
  cells: (object) => {
    const ofQueuing = (field: string) => cellOf(object, ['spec', 'limited', 'limitResponse', 'queuing'], field);
    return [
      nameOf(object),
      textAt(object, ['spec', 'type']),
      cellOf(object, ['spec', 'limited'], 'nominalConcurrencyShares'),
      ofQueuing('queues'),
      ofQueuing('handSize'),
      ofQueuing('queueLengthLimit'),
      ageOf(object),
    ];
  },
};

const cellOf = (object: unknown, parent: readonly string[], field: string): TableCell =>
  valueAt(object, ...parent) === undefined ? '<none>' : numberAt(object, ...parent, field);
