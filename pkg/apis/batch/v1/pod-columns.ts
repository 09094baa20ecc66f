/** The columns of pods that a Job and a CronJob show in wide output. */
import { labelSelectorAsSelector, type LabelSelectorObject } from '../../../apimachinery/selectors/label-selector-as-selector.ts';
import { labelSelectorText } from '../../../apimachinery/selectors/selector.ts';
import type { TableCell, TableColumn } from '../../kind.ts';
import { listAt, textAt, valueAt } from '../../table-cells.ts';

const NONE = '<none>';

export const POD_COLUMNS: readonly TableColumn[] = [
  { name: 'Containers', type: 'string', priority: 1, description: 'Names of the containers of each pod.' },
  { name: 'Images', type: 'string', priority: 1, description: 'Images that these containers run.' },
  { name: 'Selector', type: 'string', priority: 1, description: 'Label selector of the pods of each job.' },
];

/** `job`: an unchecked spec of a Job. */
export function podCells(job: unknown): readonly TableCell[] {
  const containers = listAt(job, 'template', 'spec', 'containers');
  return [
    containers.map((container) => textAt(container, ['name'])).join(','),
    containers.map((container) => textAt(container, ['image'])).join(','),
    selectorText(valueAt(job, 'selector')),
  ];
}

function selectorText(selector: unknown): string {
  if (!isSelector(selector)) return NONE;
  try {
    const read = labelSelectorAsSelector(selector);
    return read.selector === undefined ? '<error>' : labelSelectorText(read.selector) || NONE;
  } catch {
    // The members do not have the expected types.
    return '<error>';
  }
}

const isSelector = (value: unknown): value is LabelSelectorObject => typeof value === 'object' && value !== null;
