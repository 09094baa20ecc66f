import { cacheRecent } from '../../../../apimachinery/recent/cache-recent.ts';
import { quotedText } from '../../../../apimachinery/status/quoted-text.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import type { Strategy } from '../../../kind.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import { withoutDisabledJobFields } from '../disabled-job-fields.ts';
import { applyDefaults, withPodLabels, withSpecDefaults } from './defaults.ts';
import { withGeneratedSelector } from './generated-selector.ts';
import { validateCreate, validateUpdate } from './rules.ts';
import { validateStatusUpdate } from './status-rules.ts';
import type { Job } from './types.gen.ts';
import { warnOnCreate, warnOnUpdate } from './warnings.ts';

/** A write of the status repeats the spec, so defaults of a spec are cached. */
export function createStrategy(): Strategy {
  const specDefaults = cacheRecent(withSpecDefaults);
  return defineStrategy<Job>({
    applyDefaults: (object) => applyDefaults(object, specDefaults),
    dropDisabled: (object, stored, { features }) =>
      withMembers(object, { spec: ifGiven(object.spec, (spec) => withoutDisabledJobFields(spec, stored?.spec, features)) }),
    prepareForCreate: withGeneratedSelector,
    // After a selector was generated, or a write of the status took the labels away.
    applyStoredDefaults: withPodLabels,
    validateCreate,
    validateUpdate,
    validateStatusUpdate,
    warnOnCreate,
    warnOnUpdate,
    defaultPropagationPolicy: 'Orphan',
    warnOnDefaultPropagation: PODS_STAY,
    unconditionalUpdate: true,
    generation: 'spec',
    status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec' },
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    unknownFieldText: (field) => `field label ${quotedText(field)} not supported for Job`,
  });
}

const PODS_STAY =
  'child pods are preserved by default when jobs are deleted; ' +
  'set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
