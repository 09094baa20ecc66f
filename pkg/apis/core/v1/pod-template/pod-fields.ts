/** The rules of independent pod fields: names, enums, deadlines, gates. */
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { labelCauses } from '../../../../apimachinery/meta/object-meta.ts';
import {
  causesOfElements,
  duplicateValue,
  forbidden,
  invalidValue,
  NO_CAUSES,
  required,
  tooLong,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { requiredChoiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses, optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type { PodSchedulingGate, PodSchedulingGroup, PodSpec } from '../types.gen.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAX_DEADLINE_SECONDS = 2 ** 31 - 1;
/** The limit of Linux for host names. */
const MAX_HOSTNAME_BYTES = 64;

/** `path`: that of the pod's spec. */
export const validatePodFields = (spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] => [
  ...requiredChoiceCauses(spec.restartPolicy, path, 'restartPolicy', RESTART_POLICIES),
  ...(spec.preemptionPolicy === undefined
    ? NO_CAUSES
    : requiredChoiceCauses(spec.preemptionPolicy, path, 'preemptionPolicy', PREEMPTION_POLICIES)),
  ...deadlineCauses(spec, path),
  ...nameFieldCauses(spec, path),
  ...hostnameCauses(spec, path),
  ...(spec.nodeSelector === undefined ? NO_CAUSES : labelCauses(spec.nodeSelector, path.child('nodeSelector'))),
  ...causesOfElements(path.child('readinessGates'), spec.readinessGates, ({ conditionType = '' }, at) =>
    nameCauses(conditionType, at.child('conditionType'), checkQualifiedName),
  ),
  ...(spec.schedulingGates === undefined ? NO_CAUSES : gateCauses(spec.schedulingGates, path.child('schedulingGates'))),
  ...(spec.schedulingGroup === undefined ? NO_CAUSES : groupCauses(spec.schedulingGroup, path.child('schedulingGroup', 'podGroupName'))),
];

/** The grace period may be any number: negative ones count as 1. */
function deadlineCauses(
  { activeDeadlineSeconds, terminationGracePeriodSeconds }: Unchecked<PodSpec>,
  path: FieldPath,
): readonly StatusCause[] {
  const isRight = activeDeadlineSeconds === undefined || (activeDeadlineSeconds >= 1 && activeDeadlineSeconds <= MAX_DEADLINE_SECONDS);
  const why = `must be between 1 and ${MAX_DEADLINE_SECONDS}, inclusive`;
  return [
    ...(terminationGracePeriodSeconds === undefined ? [required(path.child('terminationGracePeriodSeconds'))] : NO_CAUSES),
    ...(isRight ? NO_CAUSES : [invalidValue(path.child('activeDeadlineSeconds'), activeDeadlineSeconds, why)]),
  ];
}

const nameFieldCauses = (spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] => [
  ...optionalNameCauses(spec.serviceAccountName, path, 'serviceAccountName', checkDnsSubdomain),
  ...optionalNameCauses(spec.nodeName, path, 'nodeName', checkDnsSubdomain),
  ...optionalNameCauses(spec.priorityClassName, path, 'priorityClassName', checkDnsSubdomain),
  // This field is a pointer in Kubernetes, unlike the others, so an empty name is checked.
  ...(spec.runtimeClassName === undefined
    ? NO_CAUSES
    : nameCauses(spec.runtimeClassName, path.child('runtimeClassName'), checkDnsSubdomain)),
  ...optionalNameCauses(spec.hostname, path, 'hostname', checkDnsLabel),
  ...optionalNameCauses(spec.subdomain, path, 'subdomain', checkDnsLabel),
];

function hostnameCauses(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const { hostnameOverride, setHostnameAsFQDN = false, hostNetwork = false } = spec;
  if (hostnameOverride === undefined) return NO_CAUSES;
  const at = path.child('hostnameOverride');
  return [
    ...(setHostnameAsFQDN ? [forbidden(at, 'may not be specified when setHostnameAsFQDN is true')] : NO_CAUSES),
    ...(hostNetwork ? [forbidden(at, 'may not be specified when hostNetwork is true')] : NO_CAUSES),
    ...(Buffer.byteLength(hostnameOverride) > MAX_HOSTNAME_BYTES ? [tooLong(at, MAX_HOSTNAME_BYTES)] : NO_CAUSES),
    ...nameCauses(hostnameOverride, at, checkDnsSubdomain),
  ];
}

/** As in Kubernetes, the path of a gate has no `name`. */
function gateCauses(gates: readonly Unchecked<PodSchedulingGate>[], path: FieldPath): readonly StatusCause[] {
  const seen = new Set<string>();
  return causesOfElements(path, gates, ({ name = '' }, at) => {
    const repeated = seen.has(name) ? [duplicateValue(at, name)] : NO_CAUSES;
    seen.add(name);
    return [...nameCauses(name, at, checkQualifiedName), ...repeated];
  });
}

const groupCauses = ({ podGroupName }: Unchecked<PodSchedulingGroup>, path: FieldPath): readonly StatusCause[] =>
  podGroupName === undefined
    ? [invalidValue(path, null, 'must specify one of: `podGroupName`')]
    : nameCauses(podGroupName, path, checkDnsSubdomain);
