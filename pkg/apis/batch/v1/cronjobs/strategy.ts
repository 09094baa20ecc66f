import { defineStrategy } from '../../../define-strategy.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { validateCreate, validateUpdate } from './rules.ts';
import type { CronJob } from './types.gen.ts';
import { warnOnCreate, warnOnUpdate } from './warnings.ts';

/** An empty string counts as absent, as in every field of Go that is not a pointer. */
function applyDefaults(object: Unchecked<CronJob>): Unchecked<CronJob> {
  const { spec } = object;
  if (spec === undefined) return object;
  return {
    ...object,
    spec: {
      ...spec,
      concurrencyPolicy: spec.concurrencyPolicy === undefined || spec.concurrencyPolicy === '' ? 'Allow' : spec.concurrencyPolicy,
      suspend: spec.suspend ?? false,
      successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
      failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
    },
  };
}

export const strategy = defineStrategy<CronJob>({
  applyDefaults,
  validateCreate,
  validateUpdate,
  warnOnCreate,
  warnOnUpdate,
  unconditionalUpdate: true,
  generation: 'spec',
  status: { resetOnCreate: true, keptByMainUpdate: true, keptByStatusUpdate: 'spec' },
});
