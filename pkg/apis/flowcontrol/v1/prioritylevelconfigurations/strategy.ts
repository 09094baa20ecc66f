import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { forbidden } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../../group-suffix.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { MANDATORY } from '../bootstrap.ts';
import { conditionCauses } from '../condition-causes.ts';
import { fixedSpecCauses } from '../mandatory.ts';
import { withDefaults } from './defaults.ts';
import { toInternalSpec } from './internal-spec.ts';
import { specCauses } from './rules.ts';
import type { PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from './types.gen.ts';

type UncheckedLevelSpec = Unchecked<PriorityLevelConfigurationSpec>;
type UncheckedLevel = Unchecked<PriorityLevelConfiguration>;

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
/** Kubernetes' own, for versions of the kind that are not served here. */
const PRESERVE_ZERO = `flowcontrol.${DEFAULT_GROUP_SUFFIX}/v1beta3-preserve-zero-concurrency-shares`;

function causesOf({ metadata: { name = '', annotations = {} } = {}, spec = {}, status }: UncheckedLevel): readonly StatusCause[] {
  return [
    ...(Object.hasOwn(annotations, PRESERVE_ZERO) ? [forbidden(ANNOTATIONS, `annotation '${PRESERVE_ZERO}' is forbidden`)] : []),
    ...specCauses(name, spec, SPEC),
    ...mandatoryCauses(name, spec),
    ...conditionCauses(status?.conditions),
  ];
}

function mandatoryCauses(name: string, spec: UncheckedLevelSpec): readonly StatusCause[] {
  const fixed = MANDATORY.priorityLevels[name];
  if (fixed === undefined) return [];
  const shown = toInternalSpec(spec);
  if (name !== 'exempt') return fixedSpecCauses(name, shown, toInternalSpec(fixed));
  return fixedSpecCauses(name, shown, { ...toInternalSpec(fixed), Exempt: shown.Exempt }, " except the 'spec.exempt' field");
}

export const strategy = defineStrategy<PriorityLevelConfiguration>({
  unconditionalUpdate: true,
  generation: 'spec',
  status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec-and-all-metadata' },
  applyDefaults: (object) => (object.spec === undefined ? object : { ...object, spec: withDefaults(object.spec) }),
  validateCreate: causesOf,
  validateUpdate: (object) => [...generateNameCauses(object, checkDnsSubdomain), ...causesOf(object)],
  validateStatusUpdate: ({ status }) => conditionCauses(status?.conditions),
});
