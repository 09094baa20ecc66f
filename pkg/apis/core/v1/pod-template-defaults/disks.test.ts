import { describe, expect, it } from '@jest/globals';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PersistentVolumeSpec } from '../types.gen.ts';
import { withPersistentVolumeSourceDefaults } from './disks.ts';

describe('A volume of the cluster', () => {
  it.each<[Unchecked<PersistentVolumeSpec>, Unchecked<PersistentVolumeSpec>]>([
    [{ capacity: { storage: '1500u' } }, { capacity: { storage: '2m' } }],
    [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
    [{ iscsi: { lun: 1 } }, { iscsi: { lun: 1, iscsiInterface: 'default' } }],
    [{ rbd: { image: 'a' } }, { rbd: { image: 'a', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
    [{ azureDisk: {} }, { azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' } }],
    [{ scaleIO: { gateway: 'g' } }, { scaleIO: { gateway: 'g', storageMode: 'ThinProvisioned', fsType: 'xfs' } }],
  ])('%j', (sent, stored) => {
    const once = withPersistentVolumeSourceDefaults(sent);
    expect(once).toEqual(stored);
    expect(withPersistentVolumeSourceDefaults(once)).toBe(once);
  });

  it('that lacks nothing is returned itself', () => {
    const spec = { csi: { driver: 'd', volumeHandle: 'h' }, accessModes: ['ReadWriteOnce'] };
    expect(withPersistentVolumeSourceDefaults(spec)).toBe(spec);
  });
});
