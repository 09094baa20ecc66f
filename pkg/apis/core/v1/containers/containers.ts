/** The rules of a pod template's containers, individually and together. */
import { checkDnsLabel } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, forbidden, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { Container, PodSpec } from '../types.gen.ts';
import { validateSecurityContext } from './container-security.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateEphemeralContainer } from './ephemeral-containers.ts';
import { validateLifecycle } from './lifecycle.ts';
import { validateHostPorts, validateHostPortsOfEach, validatePorts, validatePortsOfHostNetwork } from './ports.ts';
import { PROBES, validateProbes } from './probes.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateResizePolicy, validateResizePolicyOfInit, validateRestartPolicy } from './restart-policy.ts';
import { validateVolumeUses } from './volume-mounts.ts';
import type { VolumesByName } from './volume-mounts.ts';

/** The parts of a pod that the rules of its containers depend on. */
interface Pod {
  readonly spec: Unchecked<PodSpec>;
  readonly validVolumes: VolumesByName;
  /** Including invalid ones. */
  readonly allVolumes: VolumesByName;
  readonly claims: ReadonlySet<string>;
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const ONLY_FOR_SIDECARS = 'may not be set for init containers without restartPolicy=Always';

/** `path`: that of the pod spec. `volumes`: the valid ones by name. Expects defaults to be filled in. */
export function validateContainers(spec: Unchecked<PodSpec>, path: FieldPath, volumes: VolumesByName): readonly StatusCause[] {
  const pod: Pod = {
    spec,
    validVolumes: volumes,
    allVolumes:
      volumes.size === (spec.volumes ?? []).length ? volumes : new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume])),
    claims: new Set((spec.resourceClaims ?? []).map(({ name = '' }) => name).filter((name) => name !== '')),
  };
  return [
    ...appContainersCauses(pod, path.child('containers')),
    ...initContainersCauses(pod, path.child('initContainers')),
    ...ephemeralContainersCauses(pod, path.child('ephemeralContainers')),
  ];
}

function appContainersCauses(pod: Pod, path: FieldPath): readonly StatusCause[] {
  const { containers = [], hostNetwork = false } = pod.spec;
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const ofEach = causesOfElements(path, containers, (container, at) => [
    ...containerCauses(pod, container, at),
    ...repeatedNameCauses(container, at, names),
    ...runningContainerCauses(pod, container, at),
    ...validateRestartPolicy(container, at),
  ]);
  return [...ofEach, ...validateHostPorts(containers, path), ...(hostNetwork ? validatePortsOfHostNetwork(containers, path) : NO_CAUSES)];
}

/** Init containers run one after another, except sidecars (restartPolicy Always), which keep running. */
function initContainersCauses(pod: Pod, path: FieldPath): readonly StatusCause[] {
  const { containers = [], initContainers = [] } = pod.spec;
  if (initContainers.length === 0) return NO_CAUSES;
  const names = new Set(containers.map(({ name = '' }) => name));
  const ofEach = causesOfElements(path, initContainers, (container, at) => [
    ...containerCauses(pod, container, at),
    ...validateRestartPolicy(container, at),
    // A missing name duplicates that of a container, but not that of another init container.
    ...((container.name ?? '') === '' && !names.has('') ? NO_CAUSES : repeatedNameCauses(container, at, names)),
    ...(container.restartPolicy === 'Always'
      ? runningContainerCauses(pod, container, at)
      : [...sidecarFieldCauses(container, at), ...validateResizePolicyOfInit(container.resizePolicy, at.child('resizePolicy'))]),
  ]);
  return [...ofEach, ...validateHostPortsOfEach(initContainers, path)];
}

/** The template's own rules forbid ephemeral containers. */
function ephemeralContainersCauses(pod: Pod, path: FieldPath): readonly StatusCause[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec;
  if (ephemeralContainers.length === 0) return NO_CAUSES;
  const targets = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  const names = new Set(targets);
  return causesOfElements(path, ephemeralContainers, (container, at) => [
    ...containerCauses(pod, container, at),
    ...repeatedNameCauses(container, at, names),
    ...validateEphemeralContainer(container, at, targets),
  ]);
}

/** Rules for all kinds of containers. */
function containerCauses(pod: Pod, container: Unchecked<Container>, path: FieldPath): readonly StatusCause[] {
  const { spec, claims, validVolumes, allVolumes } = pod;
  const { name = '', image = '', terminationMessagePolicy, imagePullPolicy } = container;
  return [
    ...(name === '' ? [required(path.child('name'))] : nameCauses(name, path.child('name'), checkDnsLabel)),
    ...(image === '' ? [required(path.child('image'))] : NO_CAUSES),
    ...choiceCauses(terminationMessagePolicy || undefined, path, 'terminationMessagePolicy', MESSAGE_POLICIES),
    ...validatePorts(container.ports, path.child('ports')),
    ...validateEnv(container.env, path.child('env'), allVolumes),
    ...validateEnvFrom(container.envFrom, path.child('envFrom')),
    ...validateVolumeUses(container, path, validVolumes),
    ...choiceCauses(imagePullPolicy || undefined, path, 'imagePullPolicy', PULL_POLICIES),
    ...validateResourceRequirements(container.resources, path.child('resources'), claims),
    ...validateResizePolicy(container.resizePolicy, path.child('resizePolicy'), spec.restartPolicy),
    ...validateSecurityContext(container.securityContext, path.child('securityContext'), spec.hostUsers ?? true),
  ];
}

/** Adds the name to `names`. Missing names can be duplicates too. */
function repeatedNameCauses({ name = '' }: Unchecked<Container>, path: FieldPath, names: Set<string>): readonly StatusCause[] {
  if (names.has(name)) return [duplicateValue(path.child('name'), name)];
  names.add(name);
  return NO_CAUSES;
}

/** Rules of fields that only containers which keep running may have. */
const runningContainerCauses = (pod: Pod, container: Unchecked<Container>, path: FieldPath): readonly StatusCause[] => [
  ...validateLifecycle(container.lifecycle, path.child('lifecycle'), pod.spec),
  ...validateProbes(container, path),
];

function sidecarFieldCauses(container: Unchecked<Container>, path: FieldPath): readonly StatusCause[] {
  const present = (['lifecycle', ...PROBES] as const).filter((field) => container[field] !== undefined);
  return present.length === 0 ? NO_CAUSES : present.map((field) => forbidden(path.child(field), ONLY_FOR_SIDECARS));
}
