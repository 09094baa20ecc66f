import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, listAt, NAME_COLUMN, nameOf, numberAt, textAt, valueAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Controller', type: 'string', priority: 0, description: 'Object whose controller made this revision.' },
    { name: 'Revision', type: 'string', priority: 0, description: 'Number of the revision; the newest has the highest.' },
    AGE_COLUMN,
  ],
  cells: (object) => [nameOf(object), controllerText(object), numberAt(object, 'revision'), ageOf(object)],
};

/** The controller among the owners, such as `statefulset.apps/web`. */
function controllerText(object: unknown): string {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((reference) => valueAt(reference, 'controller') === true);
  if (owner === undefined) return '<none>';
  const kind = textAt(owner, ['kind']);
  const [group = ''] = textAt(owner, ['apiVersion']).split('/', 1);
  // The apiVersion of the core group is only the version.
  const qualified = textAt(owner, ['apiVersion']).includes('/') ? `${kind}.${group}` : kind;
  const name = textAt(owner, ['name']);
  return kind === '' ? name : `${qualified.toLowerCase()}/${name}`;
}
