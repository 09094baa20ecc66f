/** The rules of a pod volume's source. */
import type { Unchecked } from '../../../define-strategy.ts';
import type { VolumeSource } from '../types.gen.ts';
import { validateEphemeral } from './claim-template.ts';
import {
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateAzureFile,
  validateCinder,
  validateGcePersistentDisk,
  validatePhotonPersistentDisk,
  validatePortworxVolume,
  validateVsphereVolume,
} from './cloud-disks.ts';
import { validateCsi } from './csi.ts';
import { validateConfigMap, validateDownwardApi, validateSecret } from './files.ts';
import { validateFc, validateIscsi } from './iscsi.ts';
import { missingCauses } from './missing-fields.ts';
import {
  validateCephFs,
  validateFlexVolume,
  validateFlocker,
  validateGlusterfs,
  validateNfs,
  validateQuobyte,
  validateRbd,
  validateScaleIO,
  validateStorageOS,
} from './network-sources.ts';
import { validateEmptyDir, validateGitRepo, validateHostPath, validateImage } from './node-sources.ts';
import { createOneSourceRule } from './one-source.ts';
import { validateProjected } from './projected.ts';

/** Exactly one valid source. `path`: that of the volume. */
export const validateVolumeSource = createOneSourceRule<Unchecked<VolumeSource>>(
  {
    emptyDir: validateEmptyDir,
    hostPath: validateHostPath,
    gitRepo: validateGitRepo,
    gcePersistentDisk: validateGcePersistentDisk,
    awsElasticBlockStore: validateAwsElasticBlockStore,
    secret: validateSecret,
    nfs: validateNfs,
    iscsi: validateIscsi,
    glusterfs: validateGlusterfs,
    flocker: validateFlocker,
    persistentVolumeClaim: (source, path) => missingCauses(source, path, 'claimName'),
    rbd: validateRbd,
    cinder: validateCinder,
    cephfs: validateCephFs,
    quobyte: validateQuobyte,
    downwardAPI: validateDownwardApi,
    fc: validateFc,
    flexVolume: validateFlexVolume,
    configMap: validateConfigMap,
    azureFile: validateAzureFile,
    vsphereVolume: validateVsphereVolume,
    photonPersistentDisk: validatePhotonPersistentDisk,
    portworxVolume: validatePortworxVolume,
    azureDisk: validateAzureDisk,
    storageos: validateStorageOS,
    projected: validateProjected,
    scaleIO: validateScaleIO,
    csi: validateCsi,
    ephemeral: validateEphemeral,
    image: validateImage,
  },
  { gcePersistentDisk: { fields: 'persistentDisk' }, cephfs: { additional: 'cephFS' }, downwardAPI: { additional: 'downwarAPI' } },
);
