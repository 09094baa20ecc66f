import { cacheRecent } from '../../../../apimachinery/recent/cache-recent.ts';
import type { Strategy } from '../../../kind.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import { applyDefaults, withSpecDefaults } from './defaults.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { causesOfJob, validateCreate, validateUpdate } from './rules.ts';
import type { CronJob } from './types.gen.ts';
import { warnOfJob, warnOnCreate, warnOnUpdate } from './warnings.ts';

/** Many CronJobs have the same Job template, so results for a template are cached. */
export function createStrategy(): Strategy {
  const specDefaults = cacheRecent(withSpecDefaults);
  const causes = cacheRecent(causesOfJob);
  const warnings = cacheRecent(warnOfJob);
  return defineStrategy<CronJob>({
    applyDefaults: (object) => applyDefaults(object, specDefaults),
    dropDisabled: dropDisabledFields,
    validateCreate: (object, context) => validateCreate(object, context, causes),
    validateUpdate: (object, stored, context) => validateUpdate(object, stored, context, causes),
    warnOnCreate: (object) => warnOnCreate(object, warnings),
    warnOnUpdate: (object, stored) => warnOnUpdate(object, stored, warnings),
    unconditionalUpdate: true,
    generation: 'spec',
    status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec' },
  });
}
