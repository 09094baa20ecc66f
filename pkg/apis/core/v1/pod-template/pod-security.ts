/** The rules of a pod's security context and host namespaces. */
import {
  causesOfEach,
  causesOfElements,
  duplicateValue,
  forbidden,
  invalidValue,
  NO_CAUSES,
  required,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { idCauses, idCausesAt, validateAppArmorProfile, validateSeccompProfile, validateWindowsOptions } from '../security-profiles.ts';
import type { PodSecurityContext, PodSpec, Sysctl } from '../types.gen.ts';
import { eachContainer } from './each-container.ts';

const FS_GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];
const SUPPLEMENTAL_GROUPS_POLICIES = ['Merge', 'Strict'];
/** Kubernetes 1.36 accepts `MountOption` only with a feature gate that is off by default. */
const SE_LINUX_CHANGE_POLICIES = ['Recursive'];
const MAX_SYSCTL_BYTES = 253;
const SYSCTL = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_RULE = `must have at most ${MAX_SYSCTL_BYTES} characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;

/** `path`: that of the pod's spec. */
export function validatePodSecurity(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const { securityContext, shareProcessNamespace = false, hostPID = false } = spec;
  const at = path.child('securityContext');
  return [
    ...(securityContext === undefined ? NO_CAUSES : contextCauses(securityContext, spec, at)),
    // Kubernetes has both in its internal security context, so paths include it.
    ...(shareProcessNamespace && hostPID
      ? [invalidValue(at.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : NO_CAUSES),
    ...(spec.hostUsers === false ? userNamespaceCauses(spec, path) : NO_CAUSES),
  ];
}

const contextCauses = (context: Unchecked<PodSecurityContext>, spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] => [
  ...idCauses(context.fsGroup, path, 'fsGroup'),
  ...idCauses(context.runAsUser, path, 'runAsUser'),
  ...idCauses(context.runAsGroup, path, 'runAsGroup'),
  ...(context.supplementalGroups === undefined
    ? NO_CAUSES
    : causesOfElements(path.child('supplementalGroups'), context.supplementalGroups, idCausesAt)),
  ...(context.sysctls === undefined ? NO_CAUSES : sysctlCauses(context.sysctls, spec, path.child('sysctls'))),
  ...choiceCauses(context.fsGroupChangePolicy, path, 'fsGroupChangePolicy', FS_GROUP_CHANGE_POLICIES),
  ...choiceCauses(context.supplementalGroupsPolicy, path, 'supplementalGroupsPolicy', SUPPLEMENTAL_GROUPS_POLICIES),
  ...choiceCauses(context.seLinuxChangePolicy, path, 'seLinuxChangePolicy', SE_LINUX_CHANGE_POLICIES),
  ...(context.seccompProfile === undefined ? NO_CAUSES : validateSeccompProfile(context.seccompProfile, path.child('seccompProfile'))),
  ...(context.appArmorProfile === undefined ? NO_CAUSES : validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile'))),
  ...(context.windowsOptions === undefined ? NO_CAUSES : validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'))),
];

function sysctlCauses(
  sysctls: readonly Unchecked<Sysctl>[],
  { hostNetwork = false, hostIPC = false }: Unchecked<PodSpec>,
  path: FieldPath,
): readonly StatusCause[] {
  const seen = new Set<string>();
  return causesOfElements(path, sysctls, ({ name = '' }, sysctlPath) => {
    const at = sysctlPath.child('name');
    const causes: StatusCause[] = [];
    if (name === '') causes.push(required(at));
    else if (Buffer.byteLength(name) > MAX_SYSCTL_BYTES || !SYSCTL.test(name)) causes.push(invalidValue(at, name, SYSCTL_RULE));
    else if (seen.has(name)) causes.push(duplicateValue(at, name));
    seen.add(name);
    const namespace = namespaceOfSysctl(name);
    if (hostNetwork && namespace === 'net') causes.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    if (hostIPC && namespace === 'ipc') causes.push(invalidValue(at, name, "may not be specified when 'hostIPC' is true"));
    return causes;
  });
}

const IPC_PREFIXES = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'];

/** The sysctl's Linux namespace. The first separator, dot or slash, counts for the whole name (sysctl.d(5)). */
function namespaceOfSysctl(name: string): 'net' | 'ipc' | 'none' {
  const [first] = /[./]/.exec(name) ?? [];
  const dotted = first === '/' ? name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/')) : name;
  if (dotted.startsWith('net.')) return 'net';
  return dotted === 'kernel.sem' || IPC_PREFIXES.some((prefix) => dotted.startsWith(prefix)) ? 'ipc' : 'none';
}

const WITHOUT_HOST_USERS = 'when `hostUsers` is false';

/** `hostUsers: false` excludes the host's network, PID and IPC. Two paths have Kubernetes' spelling. */
function userNamespaceCauses(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const { hostNetwork = false, hostPID = false, hostIPC = false } = spec;
  return [
    ...(hostNetwork ? [forbidden(path.child('hostNetwork'), WITHOUT_HOST_USERS)] : NO_CAUSES),
    ...(hostPID ? [forbidden(path.child('HostPID'), WITHOUT_HOST_USERS)] : NO_CAUSES),
    ...(hostIPC ? [forbidden(path.child('HostIPC'), WITHOUT_HOST_USERS)] : NO_CAUSES),
    // The owners of a raw block device cannot be mapped.
    ...causesOfEach(eachContainer(spec, path), ([{ volumeDevices = [] }, at]) =>
      volumeDevices.length > 0 ? [forbidden(at.child('volumeDevices'), WITHOUT_HOST_USERS)] : NO_CAUSES,
    ),
  ];
}
