/** What a PersistentVolume may be, and so the `inlineVolumeSpec` of a VolumeAttachment. */
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PersistentVolumeSource } from '../types.gen.ts';
import {
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateAzureFilePersistent,
  validateCinderPersistent,
  validateGcePersistentDisk,
  validatePhotonPersistentDisk,
  validatePortworxVolume,
  validateVsphereVolume,
} from './cloud-disks.ts';
import { validateCsiPersistentVolumeSource } from './csi.ts';
import { validateFc, validateIscsiPersistent } from './iscsi.ts';
import {
  validateCephFs,
  validateFlexVolume,
  validateFlocker,
  validateGlusterfsPersistent,
  validateNfs,
  validateQuobyte,
  validateRbd,
  validateScaleIO,
  validateStorageOSPersistent,
} from './network-sources.ts';
import { validateHostPath, validateLocal } from './node-sources.ts';
import { createSourceSet } from './one-source.ts';

const SOURCES = createSourceSet<Unchecked<PersistentVolumeSource>>(
  {
    hostPath: validateHostPath,
    gcePersistentDisk: validateGcePersistentDisk,
    awsElasticBlockStore: validateAwsElasticBlockStore,
    glusterfs: validateGlusterfsPersistent,
    flocker: validateFlocker,
    nfs: validateNfs,
    rbd: validateRbd,
    quobyte: validateQuobyte,
    cephfs: validateCephFs,
    iscsi: validateIscsiPersistent,
    cinder: validateCinderPersistent,
    fc: validateFc,
    flexVolume: validateFlexVolume,
    azureFile: validateAzureFilePersistent,
    vsphereVolume: validateVsphereVolume,
    photonPersistentDisk: validatePhotonPersistentDisk,
    portworxVolume: validatePortworxVolume,
    azureDisk: validateAzureDisk,
    scaleIO: validateScaleIO,
    local: validateLocal,
    storageos: validateStorageOSPersistent,
    csi: validateCsiPersistentVolumeSource,
  },
  { gcePersistentDisk: { inside: 'persistentDisk' }, cephfs: { tooMany: 'cephFS' } },
);

/** Exactly one source, and what holds for it. `path`: that of the PersistentVolumeSpec, whose other members are not looked at. */
export const validatePersistentVolumeSource = (spec: Unchecked<PersistentVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  SOURCES.validate(spec, path);
