import { checkPathSegment } from '../../../../apimachinery/meta/names.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import type { PodDisruptionBudget } from './types.gen.ts';

export const strategy = defineStrategy<PodDisruptionBudget>({
  checkName: checkPathSegment,
  checksStandardFinalizers: 'never',
  generation: 'spec',
  status: { resetOnCreate: true, keptByMainUpdate: true, keptByStatusUpdate: 'spec' },
});
