import type { TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageOf, listAt, NAME_COLUMN, nameOf, textAt } from '../../../table-cells.ts';

const SHOWN_VERSIONS = 3;
const UNSET = '<unset>';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    {
      name: 'CommonEncodingVersion',
      type: 'string',
      priority: 0,
      description: 'Version in which all servers write the resource, when they agree.',
    },
    { name: 'StorageVersions', type: 'string', priority: 0, description: 'Version in which each server writes the resource.' },
    AGE_COLUMN,
  ],
  cells: (object) => [
    nameOf(object),
    textAt(object, ['status', 'commonEncodingVersion'], UNSET),
    versionsText(listAt(object, 'status', 'storageVersions')),
    ageOf(object),
  ],
};

function versionsText(versions: readonly unknown[]): string {
  const shown = versions
    .slice(0, SHOWN_VERSIONS)
    .map((version) => `${textAt(version, ['apiServerID'])}=${textAt(version, ['encodingVersion'])}`)
    .join(',');
  if (versions.length > SHOWN_VERSIONS) return `${shown} + ${versions.length - SHOWN_VERSIONS} more...`;
  return shown === '' ? UNSET : shown;
}
