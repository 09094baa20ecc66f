import type { TableCell, TableDefinition } from '../../../kind.ts';
import { ageAt, NAME_COLUMN, nameOf, numberAt, textAt, valueAt } from '../../../table-cells.ts';

export const table: TableDefinition = {
  columns: [
    { name: 'Last Seen', type: 'string', priority: 0, description: 'Time since the event was last observed.' },
    { name: 'Type', type: 'string', priority: 0, description: 'Normal, or Warning.' },
    { name: 'Reason', type: 'string', priority: 0, description: 'Why the action was taken, in one word.' },
    { name: 'Object', type: 'string', priority: 0, description: 'Kind and name of the object that the event is about.' },
    { name: 'Subobject', type: 'string', priority: 1, description: 'Part of that object that the event is about.' },
    { name: 'Source', type: 'string', priority: 1, description: 'Component that reported the event, and its instance.' },
    { name: 'Message', type: 'string', priority: 0, description: 'What happened, in a sentence.' },
    { name: 'First Seen', type: 'string', priority: 1, description: 'Time since the event was first observed.' },
    { name: 'Count', type: 'string', priority: 1, description: 'How often the event was observed.' },
    { ...NAME_COLUMN, priority: 1 },
  ],
  cells: (event) => [
    lastSeen(event),
    textAt(event, ['type']),
    textAt(event, ['reason']),
    objectText(event),
    textAt(event, ['regarding', 'fieldPath']),
    sourceText(event),
    textAt(event, ['note']).trim(),
    firstSeen(event),
    count(event),
    nameOf(event),
  ],
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const firstSeen = (event: unknown): TableCell =>
  ageAt(event, isSet(valueAt(event, 'deprecatedFirstTimestamp')) ? 'deprecatedFirstTimestamp' : 'eventTime');

function lastSeen(event: unknown): TableCell {
  if (isSet(valueAt(event, 'series'))) return ageAt(event, 'series', 'lastObservedTime');
  return isSet(valueAt(event, 'deprecatedLastTimestamp')) ? ageAt(event, 'deprecatedLastTimestamp') : firstSeen(event);
}

function count(event: unknown): TableCell {
  if (isSet(valueAt(event, 'series'))) return numberAt(event, 'series', 'count');
  const counted = numberAt(event, 'deprecatedCount');
  // Recorders of events/v1 set no count for the first occurrence.
  return counted === 0 ? 1 : counted;
}

function objectText(event: unknown): string {
  const kind = textAt(event, ['regarding', 'kind']).toLowerCase();
  const name = textAt(event, ['regarding', 'name']);
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceText(event: unknown): string {
  const component = textAt(event, ['deprecatedSource', 'component']) || textAt(event, ['reportingController']);
  const instance = textAt(event, ['deprecatedSource', 'host']) || textAt(event, ['reportingInstance']);
  return instance === '' ? component : `${component}, ${instance}`;
}
