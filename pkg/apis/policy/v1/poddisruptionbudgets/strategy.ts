import { checkPathSegment } from '../../../../apimachinery/meta/names.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import { hasInvalidValues } from '../../../meta/v1/label-selector.ts';
import { validateSpec, validateStatus } from './rules.ts';
import type { PodDisruptionBudget } from './types.gen.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

export const strategy = defineStrategy<PodDisruptionBudget>({
  checkName: checkPathSegment,
  checksStandardFinalizers: 'never',
  generation: 'spec',
  status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec' },
  validateCreate: ({ spec }) => validateSpec(spec, SPEC),
  // A selector that was stored before its values were checked must not block updates of other fields.
  validateUpdate: ({ spec }, stored) => validateSpec(spec, SPEC, { allowInvalidValues: hasInvalidValues(stored.spec?.selector) }),
  validateStatusUpdate: ({ status }) => validateStatus(status, STATUS),
});
