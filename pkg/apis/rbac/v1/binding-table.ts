import type { TableColumn, TableDefinition } from '../../kind.ts';
import { AGE_COLUMN, ageOf, listAt, NAME_COLUMN, nameOf, textAt } from '../../table-cells.ts';

const wide = (name: string, description: string): TableColumn => ({ name, type: 'string', priority: 1, description });

/** Of RoleBindings and ClusterRoleBindings. */
export const bindingTable: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Role', type: 'string', priority: 0, description: 'Kind and name of the role that is granted.' },
    AGE_COLUMN,
    wide('Users', 'Users that get its permissions.'),
    wide('Groups', 'Groups that get its permissions.'),
    wide('ServiceAccounts', 'Service accounts that get its permissions.'),
  ],
  cells: (object) => [
    nameOf(object),
    `${textAt(object, ['roleRef', 'kind'])}/${textAt(object, ['roleRef', 'name'])}`,
    ageOf(object),
    namesOf(object, 'User'),
    namesOf(object, 'Group'),
    namesOf(object, 'ServiceAccount'),
  ],
};

function namesOf(object: unknown, kind: string): string {
  const subjects = listAt(object, 'subjects').filter((subject) => textAt(subject, ['kind']) === kind);
  const text = (subject: unknown) =>
    kind === 'ServiceAccount' ? `${textAt(subject, ['namespace'])}/${textAt(subject, ['name'])}` : textAt(subject, ['name']);
  return subjects.map(text).join(', ');
}
