import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { VolumeSource } from '../types.gen.ts';
import { validateVolumes } from './volumes.ts';

type Source = Unchecked<VolumeSource>;

/** The reason and the field relative to the volume, such as `Required nfs.path`. */
const causesOf = (source: Source) =>
  validateVolumes([{ name: 'v', ...source }], FieldPath.of('volumes')).causes.map(
    ({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field.replace('volumes[0].', '')}`,
  );

const BLOB = 'https://a.blob.core.windows.net/b/c.vhd';
const MANAGED = '/subscriptions/a/resourcegroups/b/providers/microsoft.compute/disks/c';
const azureDisk = { diskName: 'd', diskURI: BLOB, kind: 'Shared', cachingMode: 'ReadWrite' };

describe('A disk of a cloud', () => {
  it.each<[string, Source]>([
    ['gcePersistentDisk', { gcePersistentDisk: { pdName: 'd', partition: 255 } }],
    ['awsElasticBlockStore', { awsElasticBlockStore: { volumeID: 'd', partition: 0 } }],
    ['azureFile', { azureFile: { secretName: 's', shareName: 'f' } }],
    ['azureDisk in a blob', { azureDisk }],
    ['azureDisk, managed', { azureDisk: { ...azureDisk, diskURI: MANAGED, kind: 'Managed' } }],
    ['cinder', { cinder: { volumeID: 'd', secretRef: { name: 's' } } }],
    ['vsphereVolume', { vsphereVolume: { volumePath: '[a] b' } }],
    ['photonPersistentDisk', { photonPersistentDisk: { pdID: 'd' } }],
    ['portworxVolume', { portworxVolume: { volumeID: 'd' } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    [
      'gcePersistentDisk under Kubernetes’ other name',
      { gcePersistentDisk: { partition: 256 } },
      ['Required persistentDisk.pdName', 'Invalid persistentDisk.partition'],
    ],
    [
      'awsElasticBlockStore',
      { awsElasticBlockStore: { volumeID: '', partition: -1 } },
      ['Required awsElasticBlockStore.volumeID', 'Invalid awsElasticBlockStore.partition'],
    ],
    ['azureFile', { azureFile: {} }, ['Required azureFile.secretName', 'Required azureFile.shareName']],
    ['azureDisk', { azureDisk: {} }, ['Required azureDisk.diskName', 'Required azureDisk.diskURI']],
    [
      'unknown words',
      { azureDisk: { ...azureDisk, kind: 'x', cachingMode: 'y' } },
      ['NotSupported azureDisk.cachingMode', 'NotSupported azureDisk.kind'],
    ],
    ['a blob that is said to be managed', { azureDisk: { ...azureDisk, kind: 'Managed' } }, ['NotSupported azureDisk.diskURI']],
    ['a managed disk that is said to be shared', { azureDisk: { ...azureDisk, diskURI: MANAGED } }, ['NotSupported azureDisk.diskURI']],
    ['cinder', { cinder: { secretRef: {} } }, ['Required cinder.volumeID', 'Required cinder.secretRef.name']],
    ['vsphereVolume', { vsphereVolume: {} }, ['Required vsphereVolume.volumePath']],
    ['photonPersistentDisk', { photonPersistentDisk: {} }, ['Required photonPersistentDisk.pdID']],
    ['portworxVolume', { portworxVolume: {} }, ['Required portworxVolume.volumeID']],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
