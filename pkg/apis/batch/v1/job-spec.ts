/** The rules of a Job's spec that hold for a Job and for the template of a CronJob. */
import { domainPrefixedPathCauses } from '../../../apimachinery/meta/domain-prefixed-path.ts';
import { invalidValue, invalidWhole, NO_CAUSES, notSupported, required, tooLong } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import { validatePodTemplate } from '../../core/v1/pod-template/pod-template.ts';
import { choiceCauses } from '../../meta/v1/choice-causes.ts';
import { nonNegativeCauses } from '../../meta/v1/integer-causes.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { validatePodFailurePolicy } from './pod-failure-policy.ts';
import { validateSuccessPolicy } from './success-policy.ts';
import type { JobSpec } from './types.gen.ts';

export type UncheckedJobSpec = Unchecked<JobSpec>;

const MAX_INDEXED = 100_000;
/** Limit for parallelism and maxFailedIndexes with more than `MAX_INDEXED` completions. */
const MAX_OF_MANY = 10_000;
const MAX_MANAGED_BY_BYTES = 63;

const COMPLETION_MODES: readonly string[] = ['NonIndexed', 'Indexed'];
const REPLACEMENT_POLICIES: readonly string[] = ['Failed', 'TerminatingOrFailed'];
const REPLACEMENT_POLICIES_WITH_FAILURE_POLICY: readonly string[] = ['Failed'];
const RESTART_POLICIES: readonly string[] = ['OnFailure', 'Never'];

/** `path`: that of the Job's spec. An absent spec equals an empty one. */
export function validateJobSpec(spec: UncheckedJobSpec | undefined = {}, path: FieldPath): readonly StatusCause[] {
  const { podFailurePolicy, successPolicy } = spec;
  return [
    ...integerCauses(spec, path),
    ...managedByCauses(spec.managedBy, path),
    ...completionModeCauses(spec, path),
    ...(podFailurePolicy === undefined ? NO_CAUSES : validatePodFailurePolicy(podFailurePolicy, spec, path.child('podFailurePolicy'))),
    ...(successPolicy === undefined ? NO_CAUSES : successPolicyCauses(spec, successPolicy, path.child('successPolicy'))),
    ...replacementCauses(spec, path),
    ...validatePodTemplate(spec.template, path.child('template')),
    ...restartPolicyCauses(spec, path),
  ];
}

function integerCauses(spec: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  const { parallelism, completions, activeDeadlineSeconds, backoffLimit, ttlSecondsAfterFinished } = spec;
  const { backoffLimitPerIndex, maxFailedIndexes } = spec;
  return [
    ...nonNegativeCauses(parallelism, path, 'parallelism'),
    ...nonNegativeCauses(completions, path, 'completions'),
    ...nonNegativeCauses(activeDeadlineSeconds, path, 'activeDeadlineSeconds'),
    ...nonNegativeCauses(backoffLimit, path, 'backoffLimit'),
    ...nonNegativeCauses(ttlSecondsAfterFinished, path, 'ttlSecondsAfterFinished'),
    ...nonNegativeCauses(backoffLimitPerIndex, path, 'backoffLimitPerIndex'),
    ...nonNegativeCauses(maxFailedIndexes, path, 'maxFailedIndexes'),
    ...(maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : NO_CAUSES),
  ];
}

function managedByCauses(managedBy: string | undefined, path: FieldPath): readonly StatusCause[] {
  if (managedBy === undefined) return NO_CAUSES;
  const at = path.child('managedBy');
  const causes = [...domainPrefixedPathCauses(managedBy, at)];
  if (Buffer.byteLength(managedBy) > MAX_MANAGED_BY_BYTES) causes.push(tooLong(at, MAX_MANAGED_BY_BYTES));
  return causes;
}

function completionModeCauses(spec: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  switch (spec.completionMode) {
    case 'Indexed':
      return indexedCauses(spec, path);
    case 'NonIndexed':
    case undefined:
      return nonIndexedCauses(spec, path);
    default:
      return [notSupported(path.child('completionMode'), spec.completionMode, COMPLETION_MODES)];
  }
}

function nonIndexedCauses({ backoffLimitPerIndex, maxFailedIndexes }: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  if (backoffLimitPerIndex === undefined && maxFailedIndexes === undefined) return NO_CAUSES;
  const onlyIndexed = (field: string, value: number | undefined) =>
    value === undefined ? NO_CAUSES : [invalidValue(path.child(field), value, 'requires indexed completion mode')];
  return [...onlyIndexed('backoffLimitPerIndex', backoffLimitPerIndex), ...onlyIndexed('maxFailedIndexes', maxFailedIndexes)];
}

function indexedCauses(spec: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const causes: StatusCause[] = [];
  const atMost = (field: string, value: number | undefined, max: number, limit = String(max)) => {
    if (value !== undefined && value > max) causes.push(invalidValue(path.child(field), value, `must be less than or equal to ${limit}`));
  };
  if (completions === undefined) causes.push(required(path.child('completions'), 'when completion mode is Indexed'));
  atMost('parallelism', parallelism, MAX_INDEXED, `${MAX_INDEXED} when completion mode is Indexed`);
  if (completions !== undefined) atMost('maxFailedIndexes', maxFailedIndexes, completions, 'completions');
  atMost('maxFailedIndexes', maxFailedIndexes, MAX_INDEXED);
  if ((completions ?? 0) > MAX_INDEXED && backoffLimitPerIndex !== undefined) {
    const limit = `${MAX_OF_MANY} when completions are above ${MAX_INDEXED} and used with backoff limit per index`;
    if (maxFailedIndexes === undefined) {
      causes.push(required(path.child('maxFailedIndexes'), `must be specified when completions is above ${MAX_INDEXED}`));
    }
    atMost('parallelism', parallelism, MAX_OF_MANY, limit);
    atMost('maxFailedIndexes', maxFailedIndexes, MAX_OF_MANY, limit);
  }
  return causes;
}

const successPolicyCauses = (
  spec: UncheckedJobSpec,
  policy: NonNullable<UncheckedJobSpec['successPolicy']>,
  path: FieldPath,
): readonly StatusCause[] =>
  spec.completionMode === 'Indexed'
    ? validateSuccessPolicy(policy, spec.completions, path)
    : [invalidWhole(path, 'requires indexed completion mode')];

function replacementCauses({ podReplacementPolicy: policy, podFailurePolicy }: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  const supported = podFailurePolicy === undefined ? REPLACEMENT_POLICIES : REPLACEMENT_POLICIES_WITH_FAILURE_POLICY;
  return choiceCauses(policy, path, 'podReplacementPolicy', supported);
}

/** `Always` counts as absent, because it is the default. */
function restartPolicyCauses({ template, podFailurePolicy }: UncheckedJobSpec, path: FieldPath): readonly StatusCause[] {
  const { restartPolicy = '' } = template?.spec ?? {};
  if (restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && podFailurePolicy === undefined)) return NO_CAUSES;
  const at = path.child('template', 'spec', 'restartPolicy');
  if (restartPolicy === '' || restartPolicy === 'Always') return [required(at, 'valid values: "OnFailure", "Never"')];
  return restartPolicy === 'OnFailure'
    ? [invalidValue(at, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [notSupported(at, restartPolicy, RESTART_POLICIES)];
}
