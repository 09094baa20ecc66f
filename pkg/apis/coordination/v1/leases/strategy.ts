import { checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { forbidden, invalidValue, invalidWord, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { nonNegativeCauses } from '../../../meta/v1/integer-causes.ts';
import { ifGiven, withMembers } from '../../../with-members.ts';
import type { Lease, LeaseSpec } from './types.gen.ts';

type UncheckedLease = Unchecked<LeaseSpec>;

const SPEC = FieldPath.of('spec');
const STRATEGIES = ['OldestEmulationVersion'];

function specCauses({ spec = {} }: Unchecked<Lease>): readonly StatusCause[] {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy, preferredHolder = '' } = spec;
  const isTooShort = seconds !== undefined && seconds <= 0;
  return [
    ...(isTooShort ? [invalidValue(SPEC.child('leaseDurationSeconds'), seconds, 'must be greater than 0')] : NO_CAUSES),
    ...nonNegativeCauses(leaseTransitions, SPEC, 'leaseTransitions'),
    ...(strategy === undefined ? NO_CAUSES : strategyCauses(strategy)),
    ...(preferredHolder !== '' && (strategy ?? '') === ''
      ? [forbidden(SPEC.child('preferredHolder'), 'may only be specified if `strategy` is defined')]
      : NO_CAUSES),
  ];
}

function strategyCauses(strategy: string): readonly StatusCause[] {
  // Kubernetes names the field twice.
  const path = SPEC.child('strategy', 'strategy');
  if (!strategy.includes('/')) return STRATEGIES.includes(strategy) ? NO_CAUSES : [notSupported(path, strategy, STRATEGIES)];
  return checkQualifiedName(strategy).map((message) => invalidWord(path, strategy, message));
}

export const strategy = defineStrategy<Lease>({
  checksStandardFinalizers: 'never',
  updateCreates: true,
  dropDisabled: (object, stored, { features }) =>
    features.isEnabled('CoordinatedLeaderElection')
      ? object
      : withMembers(object, { spec: ifGiven(object.spec, (spec) => withoutNew(spec, stored?.spec)) }),
  validateCreate: specCauses,
  validateUpdate: specCauses,
});

const withoutNew = (spec: UncheckedLease, stored: UncheckedLease = {}): UncheckedLease =>
  withMembers(spec, {
    strategy: stored.strategy === undefined ? undefined : spec.strategy,
    preferredHolder: stored.preferredHolder === undefined ? undefined : spec.preferredHolder,
  });
