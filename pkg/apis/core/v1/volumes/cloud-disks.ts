/** The rules of disks and shares of clouds and hypervisors. */
import { invalidValue, NO_CAUSES, notSupported, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFilePersistentVolumeSource,
  AzureFileVolumeSource,
  CinderPersistentVolumeSource,
  CinderVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from '../types.gen.ts';
import { incompleteSecretCauses, missingCauses, unnamedSecretCauses } from './missing-fields.ts';

const MAX_PARTITION = 255;
const AZURE_CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const AZURE_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export const validateGcePersistentDisk = (source: Unchecked<GCEPersistentDiskVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'pdName'),
  ...partitionCauses(source.partition, path),
];

export const validateAwsElasticBlockStore = (
  source: Unchecked<AWSElasticBlockStoreVolumeSource>,
  path: FieldPath,
): readonly StatusCause[] => [...missingCauses(source, path, 'volumeID'), ...partitionCauses(source.partition, path)];

/** As in Kubernetes, 0 is valid (the whole disk), although the message says otherwise. */
const partitionCauses = (partition: number | undefined, path: FieldPath): readonly StatusCause[] =>
  partition === undefined || (partition >= 0 && partition <= MAX_PARTITION)
    ? NO_CAUSES
    : [invalidValue(path.child('partition'), partition, `must be between 1 and ${MAX_PARTITION}, inclusive`)];

export const validateAzureFile = (source: Unchecked<AzureFileVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'secretName', 'shareName');

export const validateAzureFilePersistent = (
  source: Unchecked<AzureFilePersistentVolumeSource>,
  path: FieldPath,
): readonly StatusCause[] => [
  ...missingCauses(source, path, 'secretName', 'shareName'),
  ...(source.secretNamespace === '' ? [required(path.child('secretNamespace'))] : NO_CAUSES),
];

export function validateAzureDisk(source: Unchecked<AzureDiskVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { diskURI = '', cachingMode, kind } = source;
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED_DISK] : ['https://', BLOB_DISK];
  return [
    ...missingCauses(source, path, 'diskName', 'diskURI'),
    ...choiceCauses(cachingMode, path, 'cachingMode', AZURE_CACHING_MODES),
    ...choiceCauses(kind, path, 'kind', AZURE_KINDS),
    ...(kind === undefined || diskURI.startsWith(start) ? NO_CAUSES : [notSupported(path.child('diskURI'), diskURI, [form])]),
  ];
}

export const validateCinder = (source: Unchecked<CinderVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'volumeID'),
  ...unnamedSecretCauses(source.secretRef, path),
];

export const validateCinderPersistent = (source: Unchecked<CinderPersistentVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'volumeID'),
  ...incompleteSecretCauses(source.secretRef, path),
];

export const validateVsphereVolume = (source: Unchecked<VsphereVirtualDiskVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'volumePath');

export const validatePhotonPersistentDisk = (
  source: Unchecked<PhotonPersistentDiskVolumeSource>,
  path: FieldPath,
): readonly StatusCause[] => missingCauses(source, path, 'pdID');

export const validatePortworxVolume = (source: Unchecked<PortworxVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  missingCauses(source, path, 'volumeID');
