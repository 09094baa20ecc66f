import { describe, expect, it } from '@jest/globals';
import { containerCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, VolumeDevice, VolumeMount } from '../types.gen.ts';

const volumes = [
  { name: 'dir', emptyDir: {} },
  { name: 'claim', persistentVolumeClaim: { claimName: 'a' } },
  { name: 'own', ephemeral: {} },
];
const causesOf = (container: Unchecked<Container>) => containerCauses(container, { volumes });
const mounts = (...volumeMounts: readonly Unchecked<VolumeMount>[]) => causesOf({ volumeMounts });
const devices = (...volumeDevices: readonly Unchecked<VolumeDevice>[]) => causesOf({ volumeDevices });
const mount = (more: Unchecked<VolumeMount>) => ({ name: 'dir', mountPath: '/a', ...more });

describe('A volume mount', () => {
  it.each<[Unchecked<VolumeMount>, readonly string[]]>([
    [{}, []],
    [{ mountPath: 'relative:with/../anything' }, []],
    [{ subPath: 'a/b', readOnly: true, mountPropagation: 'HostToContainer' }, []],
    [{ subPathExpr: '$(NAME)/b', recursiveReadOnly: 'Disabled' }, []],
    [{ recursiveReadOnly: 'Enabled', readOnly: true, mountPropagation: 'None' }, []],
    [{ recursiveReadOnly: 'IfPossible', readOnly: true }, []],
    [{ name: '' }, ['Required volumeMounts[0].name', 'NotFound volumeMounts[0].name']],
    [{ name: 'other' }, ['NotFound volumeMounts[0].name']],
    [{ mountPath: '' }, ['Required volumeMounts[0].mountPath']],
    [{ subPath: '/a' }, ['Invalid volumeMounts.subPath']],
    [{ subPath: 'a/..' }, ['Invalid volumeMounts.subPath']],
    [{ subPathExpr: '../$(A)' }, ['Invalid volumeMounts.subPathExpr']],
    [{ subPath: 'a', subPathExpr: 'b' }, ['Invalid volumeMounts[0].subPathExpr']],
    [{ mountPropagation: 'Both' }, ['NotSupported volumeMounts.mountPropagation']],
    [{ mountPropagation: 'Bidirectional' }, ['Forbidden volumeMounts.mountPropagation']],
    [{ recursiveReadOnly: 'Yes' }, ['NotSupported volumeMounts.recursiveReadOnly']],
    [{ recursiveReadOnly: 'Enabled' }, ['Forbidden volumeMounts.recursiveReadOnly']],
    [
      { recursiveReadOnly: 'IfPossible', mountPropagation: 'HostToContainer' },
      ['Forbidden volumeMounts.recursiveReadOnly', 'Forbidden volumeMounts.recursiveReadOnly'],
    ],
  ])('%j has causes %j', (more, causes) => {
    expect(mounts(mount(more))).toEqual(causes);
  });

  it('has a path of its own, and may repeat a volume', () => {
    expect(mounts(mount({}), mount({ mountPath: '/b' }), mount({ name: 'claim' }))).toEqual(['Invalid volumeMounts[2].mountPath']);
  });

  it('hands mounts of a privileged container back to the node', () => {
    const volumeMounts = [mount({ mountPropagation: 'Bidirectional' })];
    expect(causesOf({ securityContext: { privileged: true }, volumeMounts })).toEqual([]);
  });
});

describe('A block device', () => {
  it.each<[Unchecked<VolumeDevice>, readonly string[]]>([
    [{ name: 'claim', devicePath: '/dev/xvda' }, []],
    [{ name: 'own', devicePath: 'xvda..' }, []],
    [{ name: 'dir', devicePath: '/dev/xvda' }, ['Invalid volumeDevices[0].name']],
    [{ name: 'other', devicePath: '/dev/xvda' }, ['NotFound volumeDevices[0].name']],
    [{ devicePath: '/dev/xvda' }, ['Required volumeDevices[0].name', 'NotFound volumeDevices[0].name']],
    [{ name: 'claim' }, ['Required volumeDevices[0].devicePath']],
    [{ name: 'claim', devicePath: '/dev/../a' }, ['Invalid volumeDevices[0].devicePath']],
  ])('%j has causes %j', (device, causes) => {
    expect(devices(device)).toEqual(causes);
  });

  it('comes once, by name and by path', () => {
    expect(devices({ name: 'claim', devicePath: '/a' }, { name: 'claim', devicePath: '/b' }, { name: 'own', devicePath: '/a' })).toEqual([
      'Invalid volumeDevices[1].name',
      'Invalid volumeDevices[2].devicePath',
    ]);
  });

  it('is not mounted as well', () => {
    const volumeDevices = [{ name: 'claim', devicePath: '/a' }];
    expect(causesOf({ volumeDevices, volumeMounts: [{ name: 'claim', mountPath: '/b' }] })).toEqual([
      'Invalid volumeMounts[0].name',
      'Invalid volumeDevices[0].name',
    ]);
    expect(causesOf({ volumeDevices, volumeMounts: [{ name: 'dir', mountPath: '/a' }] })).toEqual([
      'Invalid volumeMounts[0].mountPath',
      'Invalid volumeDevices[0].devicePath',
    ]);
  });
});
