import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { MANDATORY } from '../bootstrap.ts';
import { conditionCauses } from '../condition-causes.ts';
import { fixedSpecCauses } from '../mandatory.ts';
import { toInternalSpec } from './internal-spec.ts';
import { specCauses } from './rules.ts';
import type { FlowSchema } from './types.gen.ts';

type UncheckedSchema = Unchecked<FlowSchema>;

const SPEC = FieldPath.of('spec');
const DEFAULT_PRECEDENCE = 1000;

const isUnset = (precedence: number | undefined): boolean => precedence === undefined || precedence === 0;

function causesOf({ metadata: { name = '' } = {}, spec = {}, status }: UncheckedSchema): readonly StatusCause[] {
  const fixed = MANDATORY.flowSchemas[name];
  return [
    ...specCauses(name, spec, SPEC),
    ...(fixed === undefined ? [] : fixedSpecCauses(name, toInternalSpec(spec), toInternalSpec(fixed))),
    ...conditionCauses(status?.conditions),
  ];
}

export const strategy = defineStrategy<FlowSchema>({
  unconditionalUpdate: true,
  generation: 'spec',
  status: { resetOnCreate: true, resetOnUpdate: true, resetOnStatusUpdate: 'spec-and-all-metadata' },
  applyDefaults: (object) =>
    isUnset(object.spec?.matchingPrecedence) ? { ...object, spec: { ...object.spec, matchingPrecedence: DEFAULT_PRECEDENCE } } : object,
  validateCreate: causesOf,
  validateUpdate: (object) => [...generateNameCauses(object, checkDnsSubdomain), ...causesOf(object)],
  validateStatusUpdate: ({ status }) => conditionCauses(status?.conditions),
});
