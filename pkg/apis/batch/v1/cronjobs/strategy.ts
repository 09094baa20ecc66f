import { defineStrategy } from '../../../define-strategy.ts';
import { applyDefaults } from './defaults.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { validateCreate, validateUpdate } from './rules.ts';
import type { CronJob } from './types.gen.ts';
import { warnOnCreate, warnOnUpdate } from './warnings.ts';

export const strategy = defineStrategy<CronJob>({
  applyDefaults,
  dropDisabled: dropDisabledFields,
  validateCreate,
  validateUpdate,
  warnOnCreate,
  warnOnUpdate,
  unconditionalUpdate: true,
  generation: 'spec',
  status: { resetOnCreate: true, keptByMainUpdate: true, keptByStatusUpdate: 'spec' },
});
