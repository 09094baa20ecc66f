/** The topics that have a runner, by the name of their file. */
import { cronSchedule } from './cron-schedule.ts';
import { duration } from './duration.ts';
import { intOrPercent } from './int-or-percent.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { names } from './names.ts';
import { objectMeta } from './object-meta.ts';
import { needsUnsafeDelete, options } from './options.ts';
import { protobuf } from './protobuf.ts';
import { quantity } from './quantity.ts';
import { fieldSelector, labelSelector, labelSelectorObject } from './selectors.ts';
import { serverSideApply } from './server-side-apply.ts';
import { shardSelector } from './shard-selector.ts';
import { strategicMergePatchCreate } from './strategic-merge-patch-create.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';
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
  ['json-patch', { run: jsonPatch }],
  ['label-selector', { run: labelSelector }],
  ['label-selector-object', { run: labelSelectorObject }],
  ['merge-patch', { run: mergePatch }],
  ['names', { run: names }],
  ['object-meta', { run: objectMeta }],
  ['options', { run: options, skips: needsUnsafeDelete }],
  ['protobuf', { run: protobuf }],
  ['quantity', { run: quantity }],
  ['server-side-apply', { run: serverSideApply }],
  ['shard-selector', { run: shardSelector }],
  ['strategic-merge-patch', { run: strategicMergePatch }],
  ['strategic-merge-patch-create', { run: strategicMergePatchCreate }],
  ['strict-decoding', { run: strictDecoding }],
  ['time', { run: time }],
]);
