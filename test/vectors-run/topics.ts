/** The topics that have a runner, by the name of their file. */
import { cronSchedule } from './cron-schedule.ts';
import { duration } from './duration.ts';
import { intOrPercent } from './int-or-percent.ts';
import { names } from './names.ts';
import { objectMeta } from './object-meta.ts';
import { needsUnsafeDelete, options } from './options.ts';
import { quantity } from './quantity.ts';
import { fieldSelector, labelSelector, labelSelectorObject } from './selectors.ts';
import { strictDecoding } from './strict-decoding.ts';
import { time } from './time.ts';
import type { Runner, Vector } from './vector.ts';

export interface Topic {
  readonly run: Runner;
  /** Vectors of what this version does not have. They are counted as skipped. */
  readonly skips?: (vector: Vector) => boolean;
}

export const TOPICS: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['cron-schedule', { run: cronSchedule }],
  ['duration', { run: duration }],
  ['field-selector', { run: fieldSelector }],
  ['int-or-percent', { run: intOrPercent }],
  ['label-selector', { run: labelSelector }],
  ['label-selector-object', { run: labelSelectorObject }],
  ['names', { run: names }],
  ['object-meta', { run: objectMeta }],
  ['options', { run: options, skips: needsUnsafeDelete }],
  ['quantity', { run: quantity }],
  ['strict-decoding', { run: strictDecoding }],
  ['time', { run: time }],
]);
