import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PersistentVolumeSource } from '../types.gen.ts';
import { validatePersistentVolumeSource } from './persistent-volume-source.ts';

type Source = Unchecked<PersistentVolumeSource>;

const causesOf = (source: Source) =>
  validatePersistentVolumeSource(source, FieldPath.of('spec')).map(
    ({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field.replace('spec.', '')}`,
  );
const secret = { name: 's', namespace: 'n' };
const csi = { driver: 'csi.example.com', volumeHandle: 'v' };
const iscsi = { targetPortal: 'p', iqn: 'eui.02004567A425678D', lun: 1 };

describe('The source of a PersistentVolume', () => {
  it.each<[string, Source]>([
    ['csi', { csi }],
    ['csi with secrets', { csi: { ...csi, controllerPublishSecretRef: secret, nodeExpandSecretRef: secret, nodeStageSecretRef: {} } }],
    ['local', { local: { path: '/mnt/a' } }],
    ['iscsi', { iscsi: { ...iscsi, secretRef: { name: 's' } } }],
    ['azureFile', { azureFile: { secretName: 's', shareName: 'f', secretNamespace: 'n' } }],
    ['cinder', { cinder: { volumeID: 'v', secretRef: secret } }],
    ['storageos', { storageos: { volumeName: 'v', secretRef: secret } }],
    ['glusterfs', { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'n' } }],
    ['flexVolume', { flexVolume: { driver: 'd', secretRef: {} } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['none', {}, ['Required spec']],
    ['two', { csi, hostPath: { path: '/a' } }, ['Forbidden csi']],
    ['two, one of which is checked all the same', { flocker: { datasetName: 'd' }, flexVolume: {} }, ['Required flexVolume.driver']],
    ['two under odd names', { gcePersistentDisk: {}, cephfs: {} }, ['Required persistentDisk.pdName', 'Forbidden cephFS']],
    ['csi', { csi: {} }, ['Required csi.driver', 'Required csi.volumeHandle']],
    [
      'secrets of csi',
      { csi: { ...csi, controllerPublishSecretRef: {}, controllerExpandSecretRef: { name: 'A', namespace: 'b.c' } } },
      [
        'Required csi.controllerPublishSecretRef.name',
        'Required csi.controllerPublishSecretRef.namespace',
        'Invalid csi.controllerExpandSecretRef.name',
        'Invalid csi.controllerExpandSecretRef.namespace',
      ],
    ],
    ['local', { local: {} }, ['Required local.path']],
    ['local with a step up', { local: { path: '/a/..' } }, ['Invalid local.path']],
    ['iscsi with a secret without a name', { iscsi: { ...iscsi, secretRef: {} } }, ['Required iscsi.secretRef.name']],
    [
      'azureFile with an empty namespace',
      { azureFile: { secretName: 's', shareName: 'f', secretNamespace: '' } },
      ['Required azureFile.secretNamespace'],
    ],
    [
      'cinder with a secret of no namespace',
      { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
      ['Required cinder.secretRef.namespace'],
    ],
    [
      'storageos with an empty secret',
      { storageos: { volumeName: 'v', secretRef: {} } },
      ['Required storageos.secretRef.name', 'Required storageos.secretRef.namespace'],
    ],
    [
      'glusterfs with an empty namespace',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      ['Invalid glusterfs.endpointsNamespace'],
    ],
    [
      'glusterfs with a wrong namespace',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'a.b' } },
      ['Invalid glusterfs.endpointsNamespace'],
    ],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
