/** The rules of a PersistentVolume's source, also used for `inlineVolumeSpec` of a VolumeAttachment. */
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
import { createOneSourceRule } from './one-source.ts';

/** Exactly one valid source. `path`: that of the PersistentVolumeSpec; its other members are not checked. */
export const validatePersistentVolumeSource = createOneSourceRule<Unchecked<PersistentVolumeSource>>(
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
  { gcePersistentDisk: { fields: 'persistentDisk' }, cephfs: { additional: 'cephFS' }, flexVolume: { isCheckedBesideOthers: true } },
);
