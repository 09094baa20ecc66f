/** Fields that the pod's operating system forbids. */
import { causesOfEach, forbidden, invalidValue, NO_CAUSES, notSupported, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSecurityContext, PodSpec, SecurityContext } from '../types.gen.ts';
import { eachContainer, type AnyContainer } from './each-container.ts';

const SYSTEMS = ['linux', 'windows'];
const NOT_FOR_WINDOWS = 'cannot be set for a windows pod';
const NOT_FOR_LINUX = 'windows options cannot be set for a linux pod';

const OF_LINUX_PODS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const satisfies readonly (keyof PodSecurityContext)[];
const OF_LINUX_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof SecurityContext)[];

/** `path`: that of the pod's spec. */
export function validateOperatingSystem(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  if (spec.os === undefined) return NO_CAUSES;
  const { name = '' } = spec.os;
  switch (name) {
    case 'linux':
      return linuxCauses(spec, path);
    case 'windows':
      return [...windowsPodCauses(spec, path), ...causesOfEach(eachContainer(spec, path), windowsContainerCauses)];
    case '':
      return [required(path.child('os', 'name'))];
    default:
      return [notSupported(path.child('os'), name, SYSTEMS)];
  }
}

const linuxCauses = (spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] => [
  ...(spec.securityContext?.windowsOptions === undefined
    ? NO_CAUSES
    : [forbidden(path.child('securityContext', 'windowsOptions'), NOT_FOR_LINUX)]),
  ...causesOfEach(eachContainer(spec, path), ([{ securityContext }, at]) =>
    securityContext?.windowsOptions === undefined ? NO_CAUSES : [forbidden(at.child('securityContext', 'windowsOptions'), NOT_FOR_LINUX)],
  ),
];

function windowsPodCauses(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const { securityContext = {}, hostUsers, hostPID = false, hostIPC = false, shareProcessNamespace } = spec;
  const at = path.child('securityContext');
  const ofContext: readonly string[] = [
    ...OF_LINUX_PODS.filter((field) => securityContext[field] !== undefined),
    ...((securityContext.sysctls?.length ?? 0) > 0 ? ['sysctls'] : []),
  ];
  const ofPod = [
    ...(hostUsers === undefined ? [] : ['hostUsers']),
    ...(hostPID ? ['hostPID'] : []),
    ...(hostIPC ? ['hostIPC'] : []),
    ...(shareProcessNamespace === undefined ? [] : ['shareProcessNamespace']),
  ];
  return [
    ...ofContext.map((field) => forbidden(at.child(field), NOT_FOR_WINDOWS)),
    ...ofPod.map((field) => forbidden(path.child(field), NOT_FOR_WINDOWS)),
  ];
}

function windowsContainerCauses([{ securityContext }, path]: readonly [AnyContainer, FieldPath]): readonly StatusCause[] {
  if (securityContext === undefined) return NO_CAUSES;
  const at = path.child('securityContext');
  return OF_LINUX_CONTAINERS.filter((field) => securityContext[field] !== undefined).map((field) =>
    forbidden(at.child(field), NOT_FOR_WINDOWS),
  );
}

const hostProcessOf = ({ securityContext }: AnyContainer | Unchecked<PodSpec>): boolean | undefined =>
  securityContext?.windowsOptions?.hostProcess;

/** Either all containers or none are HostProcess containers, which need the host network. */
export function validateHostProcess(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const ofPod = hostProcessOf(spec);
  if (ofPod === undefined && !isSetByContainers(spec)) return NO_CAUSES;
  let [containers, hostProcesses] = [0, 0];
  const causes = causesOfEach(eachContainer(spec, path), ([container, at]) => {
    const ofContainer = hostProcessOf(container);
    containers++;
    if (ofContainer ?? ofPod) hostProcesses++;
    if (ofContainer === undefined || ofPod === undefined || ofContainer === ofPod) return NO_CAUSES;
    const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    return [invalidValue(at.child('securityContext', 'windowsOptions', 'hostProcess'), ofContainer, why)];
  });
  if (hostProcesses === 0) return causes;
  if (hostProcesses !== containers) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    causes.push(invalidValue(path, '', why));
  }
  if (spec.hostNetwork !== true) {
    causes.push(invalidValue(path.child('hostNetwork'), false, 'hostNetwork must be true if pod contains any hostProcess containers'));
  }
  return causes;
}

const isSetByContainers = ({ initContainers = [], containers = [], ephemeralContainers = [] }: Unchecked<PodSpec>): boolean =>
  [initContainers, containers, ephemeralContainers].some((list: readonly AnyContainer[]) =>
    list.some((container) => hostProcessOf(container) !== undefined),
  );
