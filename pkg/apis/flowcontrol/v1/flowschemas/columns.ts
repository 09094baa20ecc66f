import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, listAt, NAME_COLUMN, nameOf, numberAt, textAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'PriorityLevel', type: 'string', priority: 0, description: 'The priority level of its requests.' },
    { name: 'MatchingPrecedence', type: 'string', priority: 0, description: 'Its place among the FlowSchemas: the lowest comes first.' },
    { name: 'DistinguisherMethod', type: 'string', priority: 0, description: 'What divides its requests into flows.' },
    AGE_COLUMN,
    { name: 'MissingPL', type: 'string', priority: 0, description: 'Whether the priority level does not exist.' },
  ],
  cells: (object) => [
    nameOf(object),
    textAt(object, ['spec', 'priorityLevelConfiguration', 'name']),
    numberAt(object, 'spec', 'matchingPrecedence'),
    textAt(object, ['spec', 'distinguisherMethod', 'type'], '<none>'),
    ageOf(object),
    danglingOf(object),
  ],
  rank: (object) => Number(numberAt(object, 'spec', 'matchingPrecedence')),
};

function danglingOf(object: unknown): string {
  const condition = listAt(object, 'status', 'conditions').find((each) => textAt(each, ['type']) === 'Dangling');
  return condition === undefined ? '?' : textAt(condition, ['status']);
}
