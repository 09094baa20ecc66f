/** Defaults of sources in both pod volumes and PersistentVolumes. */
import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withMembers } from '../../../with-members.ts';
import type { AzureDiskVolumeSource, HostPathVolumeSource, PersistentVolumeSpec } from '../types.gen.ts';
import { withRoundedAmounts } from './resource-amounts.ts';

type Text<Names extends string> = { readonly [Name in Names]?: string };

/** `type` is a pointer, so the empty string is a value and is written. */
export const withHostPathDefaults = (source: Unchecked<HostPathVolumeSource>): Unchecked<HostPathVolumeSource> =>
  withMembers(source, { type: source.type ?? '' });

export const withIscsiDefaults = <T extends Text<'iscsiInterface'>>(source: T): T =>
  withMembers<T, Text<'iscsiInterface'>>(source, { iscsiInterface: orDefault(source.iscsiInterface, 'default') });

export const withRbdDefaults = <T extends Text<'pool' | 'user' | 'keyring'>>(source: T): T =>
  withMembers<T, Text<'pool' | 'user' | 'keyring'>>(source, {
    pool: orDefault(source.pool, 'rbd'),
    user: orDefault(source.user, 'admin'),
    keyring: orDefault(source.keyring, '/etc/ceph/keyring'),
  });

/** All fields are pointers. */
export const withAzureDiskDefaults = (source: Unchecked<AzureDiskVolumeSource>): Unchecked<AzureDiskVolumeSource> =>
  withMembers(source, {
    cachingMode: source.cachingMode ?? 'ReadWrite',
    fsType: source.fsType ?? 'ext4',
    readOnly: source.readOnly ?? false,
    kind: source.kind ?? 'Shared',
  });

export const withScaleIoDefaults = <T extends Text<'storageMode' | 'fsType'>>(source: T): T =>
  withMembers<T, Text<'storageMode' | 'fsType'>>(source, {
    storageMode: orDefault(source.storageMode, 'ThinProvisioned'),
    fsType: orDefault(source.fsType, 'xfs'),
  });

/** Defaults of `inlineVolumeSpec`. Returns the same object when nothing changes. */
export const withPersistentVolumeSourceDefaults = (spec: Unchecked<PersistentVolumeSpec>): Unchecked<PersistentVolumeSpec> =>
  withMembers(spec, {
    capacity: withRoundedAmounts(spec.capacity),
    hostPath: ifGiven(spec.hostPath, withHostPathDefaults),
    rbd: ifGiven(spec.rbd, withRbdDefaults),
    iscsi: ifGiven(spec.iscsi, withIscsiDefaults),
    azureDisk: ifGiven(spec.azureDisk, withAzureDiskDefaults),
    scaleIO: ifGiven(spec.scaleIO, withScaleIoDefaults),
  });
