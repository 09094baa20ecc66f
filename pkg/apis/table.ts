/** Pieces that the tables of several kinds are made of. */
import type { TableCell, TableDefinition } from './kind.ts';

/** For a kind that shows nothing of its own: the columns that every table of Kubernetes has. */
export const NAME_AND_AGE: TableDefinition = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      priority: 0,
      description: 'Name of the object, unique among its kind in its namespace.',
    },
    { name: 'Age', type: 'string', priority: 0, description: 'Time since the object was created.' },
  ],
  cells: ({ metadata }) => [metadata.name ?? '', ageOf(metadata.creationTimestamp)],
};

/** The age since a time as it is written in an object; absent or not a time: unknown. */
export function ageOf(time: unknown): TableCell {
  const age = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return { age: Number.isNaN(age) ? undefined : age };
}
