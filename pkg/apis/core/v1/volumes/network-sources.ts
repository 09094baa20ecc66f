/** The rules of file systems and disks of storage servers. */
import { checkDnsLabel } from '../../../../apimachinery/meta/names.ts';
import { causesOfEach, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../../group-suffix.ts';
import { nameCauses, optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type {
  CephFSVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GlusterfsPersistentVolumeSource,
  GlusterfsVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSPersistentVolumeSource,
  StorageOSVolumeSource,
} from '../types.gen.ts';
import { incompleteSecretCauses, missingCauses, unnamedSecretCauses } from './missing-fields.ts';

const MAX_TENANT = 64;
const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';

/** An empty path has two causes: missing and not absolute. */
export const validateNfs = (source: Unchecked<NFSVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'server', 'path'),
  ...(source.path?.startsWith('/') === true
    ? NO_CAUSES
    : [invalidValue(path.child('path'), source.path ?? '', 'must be an absolute path')]),
];

export const validateRbd = (source: Unchecked<Pick<RBDVolumeSource, 'monitors' | 'image'>>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'monitors', 'image');

export const validateCephFs = (source: Unchecked<Pick<CephFSVolumeSource, 'monitors'>>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'monitors');

export const validateGlusterfs = (source: Unchecked<GlusterfsVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'endpoints', 'path');

export function validateGlusterfsPersistent(source: Unchecked<GlusterfsPersistentVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { endpointsNamespace } = source;
  const missing = validateGlusterfs(source, path);
  if (endpointsNamespace === undefined) return missing;
  const at = path.child('endpointsNamespace');
  if (endpointsNamespace !== '') return [...missing, ...nameCauses(endpointsNamespace, at, checkDnsLabel)];
  return [...missing, invalidValue(at, '', 'if the endpointnamespace is set, it must be a valid namespace name')];
}

/** The syntax of the registry is only checked if the tenant is not too long. */
export function validateQuobyte(source: Unchecked<QuobyteVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { registry = '', tenant = '' } = source;
  const causes: StatusCause[] = [];
  if (registry === '') causes.push(required(path.child('registry'), REGISTRY));
  else if (Buffer.byteLength(tenant) > MAX_TENANT) {
    causes.push(required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  }
  // One cause for all invalid pairs, because each cause would contain the whole list.
  else if (!registry.split(',').every(isHostAndPort)) causes.push(invalidValue(path.child('registry'), registry, REGISTRY));
  return [...causes, ...missingCauses(source, path, 'volume')];
}

/** `host:port` or `[host]:port` as in Go's net.SplitHostPort: both parts may be empty. */
const HOST_AND_PORT = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;
const isHostAndPort = (pair: string): boolean => HOST_AND_PORT.test(pair);

export function validateFlocker(source: Unchecked<FlockerVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { datasetName = '', datasetUUID = '' } = source;
  const causes: StatusCause[] = [];
  if (datasetName === '' && datasetUUID === '') causes.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName !== '' && datasetUUID !== '') {
    causes.push(invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) causes.push(invalidValue(path.child('datasetName'), datasetName, "must not contain '/'"));
  return causes;
}

/** Domains of options that are reserved for Kubernetes. */
const RESERVED_DOMAINS = ['kubernetes.io', DEFAULT_GROUP_SUFFIX];

export function validateFlexVolume(
  source: Unchecked<Pick<FlexVolumeSource, 'driver' | 'options'>>,
  path: FieldPath,
): readonly StatusCause[] {
  const missing = missingCauses(source, path, 'driver');
  if (source.options === undefined) return missing;
  const reserved = causesOfEach(Object.keys(source.options), (option) => {
    const domain = `.${option.split('/', 1)[0] ?? ''}`.toLowerCase();
    if (!RESERVED_DOMAINS.some((owned) => domain.endsWith(`.${owned}`))) return NO_CAUSES;
    return [invalidValue(path.child('options').key(option), option, `${RESERVED_DOMAINS.join(' and ')} namespaces are reserved`)];
  });
  return [...missing, ...reserved];
}

/** The Secret is optional, although nothing can be mounted without it. */
export const validateScaleIO = (
  source: Unchecked<Pick<ScaleIOVolumeSource, 'gateway' | 'system' | 'volumeName'>>,
  path: FieldPath,
): readonly StatusCause[] => missingCauses(source, path, 'gateway', 'system', 'volumeName');

export const validateStorageOS = (source: Unchecked<StorageOSVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...storageOsNameCauses(source, path),
  ...unnamedSecretCauses(source.secretRef, path),
];

export const validateStorageOSPersistent = (
  source: Unchecked<StorageOSPersistentVolumeSource>,
  path: FieldPath,
): readonly StatusCause[] => [...storageOsNameCauses(source, path), ...incompleteSecretCauses(source.secretRef, path)];

const storageOsNameCauses = (
  source: Unchecked<Pick<StorageOSVolumeSource, 'volumeName' | 'volumeNamespace'>>,
  path: FieldPath,
): readonly StatusCause[] => [
  ...missingCauses(source, path, 'volumeName'),
  ...optionalNameCauses(source.volumeName, path, 'volumeName', checkDnsLabel),
  ...optionalNameCauses(source.volumeNamespace, path, 'volumeNamespace', checkDnsLabel),
];
