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

const quobyte = { registry: 'a:1', volume: 'v' };

describe('A volume of a storage server', () => {
  it.each<[string, Source]>([
    ['nfs', { nfs: { server: 's', path: '/a/../b' } }],
    ['rbd', { rbd: { monitors: ['a'], image: 'i' } }],
    ['cephfs', { cephfs: { monitors: ['a'] } }],
    ['glusterfs', { glusterfs: { endpoints: 'e', path: 'p' } }],
    ['quobyte', { quobyte: { ...quobyte, registry: 'a:1,[::1]:2,:', tenant: 't'.repeat(64) } }],
    ['flocker by a name', { flocker: { datasetName: 'd' } }],
    ['flocker by a UUID', { flocker: { datasetUUID: 'u' } }],
    ['flexVolume', { flexVolume: { driver: 'd', options: { a: '1', 'example.com/b': '2', 'notkubernetes.io/c': '3' } } }],
    ['scaleIO without a secret', { scaleIO: { gateway: 'g', system: 's', volumeName: 'v' } }],
    ['storageos', { storageos: { volumeName: 'a', volumeNamespace: 'b', secretRef: { name: 's' } } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['nfs', { nfs: {} }, ['Required nfs.server', 'Required nfs.path', 'Invalid nfs.path']],
    ['nfs with a relative path', { nfs: { server: 's', path: 'a' } }, ['Invalid nfs.path']],
    ['rbd', { rbd: { monitors: [] } }, ['Required rbd.monitors', 'Required rbd.image']],
    ['cephfs', { cephfs: {} }, ['Required cephfs.monitors']],
    ['glusterfs', { glusterfs: {} }, ['Required glusterfs.endpoints', 'Required glusterfs.path']],
    ['quobyte', { quobyte: {} }, ['Required quobyte.registry', 'Required quobyte.volume']],
    ['a long tenant', { quobyte: { ...quobyte, registry: 'wrong', tenant: 't'.repeat(65) } }, ['Required quobyte.tenant']],
    ...['a', 'a:1,b', 'a:1:2', '::1:2', '[::1]', '[a]b:1', 'a]:1', '[a:1', 'a:[1'].map((registry): [string, Source, readonly string[]] => [
      `a registry ${registry}`,
      { quobyte: { ...quobyte, registry } },
      ['Invalid quobyte.registry'],
    ]),
    ['flocker without a dataset', { flocker: {} }, ['Required flocker']],
    [
      'flocker by both, and a slash',
      { flocker: { datasetName: 'a/b', datasetUUID: 'u' } },
      ['Invalid flocker', 'Invalid flocker.datasetName'],
    ],
    ['flexVolume', { flexVolume: {} }, ['Required flexVolume.driver']],
    [
      'options of Kubernetes’ own',
      { flexVolume: { driver: 'd', options: { 'kubernetes.io/a': '', 'X.Kubernetes.IO': '', a: '' } } },
      ['Invalid flexVolume.options[kubernetes.io/a]', 'Invalid flexVolume.options[X.Kubernetes.IO]'],
    ],
    ['scaleIO', { scaleIO: {} }, ['Required scaleIO.gateway', 'Required scaleIO.system', 'Required scaleIO.volumeName']],
    ['storageos', { storageos: { secretRef: {} } }, ['Required storageos.volumeName', 'Required storageos.secretRef.name']],
    [
      'storageos with names that are no labels',
      { storageos: { volumeName: 'A', volumeNamespace: 'b.c' } },
      ['Invalid storageos.volumeName', 'Invalid storageos.volumeNamespace'],
    ],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
