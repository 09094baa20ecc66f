/** The rules of a container's `volumeMounts` and `volumeDevices`. */
import {
  causesOfElements,
  forbidden,
  invalidValue,
  NO_CAUSES,
  notFoundValue,
  notSupported,
  required,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { backstepCauses, relativePathCauses } from '../paths.ts';
import type { Container, Volume, VolumeDevice, VolumeMount } from '../types.gen.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE_READ_ONLY = ['Disabled', 'Enabled', 'IfPossible'];

/** The valid volumes of the pod by name. */
export type VolumesByName = ReadonlyMap<string, Unchecked<Volume>>;
type Places = { readonly names: ReadonlySet<string>; readonly paths: ReadonlySet<string> };

const NO_PLACES: Places = { names: new Set(), paths: new Set() };

/** `path`: that of the container. */
export function validateVolumeUses(container: Unchecked<Container>, path: FieldPath, volumes: VolumesByName): readonly StatusCause[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  if (volumeMounts.length === 0 && volumeDevices.length === 0) return NO_CAUSES;
  const ofMounts = mountsCauses(container, volumeMounts, path.child('volumeMounts'), volumes);
  if (volumeDevices.length === 0) return ofMounts;
  return [...ofMounts, ...devicesCauses(volumeMounts, volumeDevices, path.child('volumeDevices'), volumes)];
}

const placesOf = <T>(uses: readonly T[], nameOf: (use: T) => string | undefined, pathOf: (use: T) => string | undefined): Places =>
  uses.length === 0
    ? NO_PLACES
    : { names: new Set(uses.map((use) => nameOf(use) ?? '')), paths: new Set(uses.map((use) => pathOf(use) ?? '')) };

/** `path`: that of the list. As in Kubernetes, paths of some fields have no index, such as `volumeMounts.subPath`. */
function mountsCauses(
  { securityContext, volumeDevices = [] }: Unchecked<Container>,
  mounts: readonly Unchecked<VolumeMount>[],
  path: FieldPath,
  volumes: VolumesByName,
): readonly StatusCause[] {
  const devices = placesOf(
    volumeDevices,
    ({ name }) => name,
    ({ devicePath }) => devicePath,
  );
  const isPrivileged = securityContext?.privileged === true;
  const mountPaths = new Set<string>();
  return causesOfElements(path, mounts, (mount, at) => {
    const { name = '', mountPath = '' } = mount;
    const causes: StatusCause[] = [];
    if (name === '') causes.push(required(at.child('name')));
    if (!volumes.has(name)) causes.push(notFoundValue(at.child('name'), name));
    if (mountPath === '') causes.push(required(at.child('mountPath')));
    if (mountPaths.has(mountPath)) causes.push(invalidValue(at.child('mountPath'), mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    if (devices.names.has(name)) causes.push(invalidValue(at.child('name'), name, 'must not already exist in volumeDevices'));
    if (devices.paths.has(mountPath)) {
      causes.push(invalidValue(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    }
    causes.push(...subPathCauses(mount, at, path), ...propagationCauses(mount, path, isPrivileged), ...readOnlyCauses(mount, path));
    return causes;
  });
}

function subPathCauses({ subPath = '', subPathExpr = '' }: Unchecked<VolumeMount>, at: FieldPath, list: FieldPath): readonly StatusCause[] {
  if (subPath === '' && subPathExpr === '') return NO_CAUSES;
  return [
    ...(subPath === '' ? NO_CAUSES : relativePathCauses(subPath, list.child('subPath'))),
    ...(subPath !== '' && subPathExpr !== ''
      ? [invalidValue(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
      : NO_CAUSES),
    ...(subPathExpr === '' ? NO_CAUSES : relativePathCauses(subPathExpr, list.child('subPathExpr'))),
  ];
}

function propagationCauses({ mountPropagation }: Unchecked<VolumeMount>, list: FieldPath, isPrivileged: boolean): readonly StatusCause[] {
  if (mountPropagation === undefined) return NO_CAUSES;
  const at = list.child('mountPropagation');
  if (!PROPAGATIONS.includes(mountPropagation)) return [notSupported(at, mountPropagation, PROPAGATIONS)];
  return mountPropagation === 'Bidirectional' && !isPrivileged
    ? [forbidden(at, 'Bidirectional mount propagation is available only to privileged containers')]
    : NO_CAUSES;
}

function readOnlyCauses(mount: Unchecked<VolumeMount>, list: FieldPath): readonly StatusCause[] {
  const { recursiveReadOnly, readOnly = false, mountPropagation = 'None' } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return NO_CAUSES;
  const at = list.child('recursiveReadOnly');
  if (!RECURSIVE_READ_ONLY.includes(recursiveReadOnly)) return [notSupported(at, recursiveReadOnly, RECURSIVE_READ_ONLY)];
  return [
    ...(readOnly ? NO_CAUSES : [forbidden(at, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None' ? NO_CAUSES : [forbidden(at, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function devicesCauses(
  volumeMounts: readonly Unchecked<VolumeMount>[],
  devices: readonly Unchecked<VolumeDevice>[],
  path: FieldPath,
  volumes: VolumesByName,
): readonly StatusCause[] {
  const mounts = placesOf(
    volumeMounts,
    ({ name }) => name,
    ({ mountPath }) => mountPath,
  );
  const names = new Set<string>();
  const paths = new Set<string>();
  return causesOfElements(path, devices, ({ name = '', devicePath = '' }, at) => {
    const causes: StatusCause[] = [];
    if (name === '') causes.push(required(at.child('name')));
    if (names.has(name)) causes.push(invalidValue(at.child('name'), name, 'must be unique'));
    if (name !== '') names.add(name);
    causes.push(...blockVolumeCauses(name, at.child('name'), volumes));
    if (devicePath === '') causes.push(required(at.child('devicePath')));
    if (paths.has(devicePath)) causes.push(invalidValue(at.child('devicePath'), devicePath, 'must be unique'));
    paths.add(devicePath);
    if (backstepCauses(devicePath, at).length > 0) {
      causes.push(invalidValue(at.child('devicePath'), devicePath, "can not contain backsteps ('..')"));
    }
    if (mounts.names.has(name)) causes.push(invalidValue(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (mounts.paths.has(devicePath)) {
      causes.push(invalidValue(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'));
    }
    return causes;
  });
}

/** Only claims can be block devices. */
function blockVolumeCauses(name: string, path: FieldPath, volumes: VolumesByName): readonly StatusCause[] {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFoundValue(path, name)];
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined
    ? NO_CAUSES
    : [invalidValue(path, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode')];
}
