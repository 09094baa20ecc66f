import { humanDuration } from '../../../../apimachinery/time/human-duration.ts';
import type { TableCell, TableDefinition } from '../../../kind.ts';
import { AGE_COLUMN, ageAt, ageOf, listAt, NAME_COLUMN, nameOf, numberAt, textAt, valueAt } from '../../../table-cells.ts';
import { POD_COLUMNS, podCells } from '../pod-columns.ts';

export const table: TableDefinition = {
  columns: [
    NAME_COLUMN,
    { name: 'Status', type: 'string', priority: 0, description: 'What the conditions say: whether the Job runs, or how it ended.' },
    { name: 'Completions', type: 'string', priority: 0, description: 'Pods that have succeeded, and how many must.' },
    { name: 'Duration', type: 'string', priority: 0, description: 'Time from start to completion, or until now.' },
    AGE_COLUMN,
    ...POD_COLUMNS,
  ],
  cells: (object) => [
    nameOf(object),
    statusText(object),
    completionsText(object),
    durationOf(object),
    ageOf(object),
    ...podCells(valueAt(object, 'spec')),
  ],
};

/** Words of Kubernetes, the first that applies; a Job that ended is not `Terminating`. */
function statusText(object: unknown): string {
  const is = (type: string) => firstStatus(object, type) === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (textAt(object, ['metadata', 'deletionTimestamp']) !== '') return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

const firstStatus = (object: unknown, type: string): string | undefined => {
  const condition = listAt(object, 'status', 'conditions').find((each) => textAt(each, ['type']) === type);
  return condition === undefined ? undefined : textAt(condition, ['status']);
};

/** Without completions, one success of any pod is enough. */
function completionsText(object: unknown): string {
  const succeeded = numberAt(object, 'status', 'succeeded');
  const completions = valueAt(object, 'spec', 'completions');
  if (typeof completions === 'number') return `${succeeded}/${completions}`;
  const parallelism = numberAt(object, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf(object: unknown): TableCell {
  const startTime = textAt(object, ['status', 'startTime']);
  const completionTime = textAt(object, ['status', 'completionTime']);
  if (startTime === '') return '';
  if (completionTime === '') return ageAt(object, 'status', 'startTime');
  const ms = Date.parse(completionTime) - Date.parse(startTime);
  return Number.isNaN(ms) ? '<invalid>' : humanDuration(ms);
}
