/** The topics that have a runner, by the name of their file. */
import { cronSchedule } from './cron-schedule.ts';
import { duration } from './duration.ts';
import { intOrPercent } from './int-or-percent.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { names } from './names.ts';
import { objectMeta } from './object-meta.ts';
import { options } from './options.ts';
import { protobuf } from './protobuf.ts';
import { quantity } from './quantity.ts';
import { fieldSelector, labelSelector, labelSelectorObject } from './selectors.ts';
import { serverSideApply } from './server-side-apply.ts';
import { shardSelector } from './shard-selector.ts';
import { strategicMergePatchCreate } from './strategic-merge-patch-create.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';
import { strictDecoding } from './strict-decoding.ts';
import { time } from './time.ts';
import type { Runner } from './vector.ts';

export const TOPICS: ReadonlyMap<string, Runner> = new Map([
  ['cron-schedule', cronSchedule],
  ['duration', duration],
  ['field-selector', fieldSelector],
  ['int-or-percent', intOrPercent],
  ['json-patch', jsonPatch],
  ['label-selector', labelSelector],
  ['label-selector-object', labelSelectorObject],
  ['merge-patch', mergePatch],
  ['names', names],
  ['object-meta', objectMeta],
  ['options', options],
  ['protobuf', protobuf],
  ['quantity', quantity],
  ['server-side-apply', serverSideApply],
  ['shard-selector', shardSelector],
  ['strategic-merge-patch', strategicMergePatch],
  ['strategic-merge-patch-create', strategicMergePatchCreate],
  ['strict-decoding', strictDecoding],
  ['time', time],
]);
