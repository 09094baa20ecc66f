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

const iscsi = { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:storage.kube.sys1', lun: 0 };
const withIqn = (iqn: string): Source => ({ iscsi: { ...iscsi, iqn } });

describe('A disk over iSCSI', () => {
  it.each<[string, Source]>([
    ['by an iqn', { iscsi }],
    ['by an eui', withIqn('eui.02004567A425678D')],
    ['by a naa', withIqn(`naa.${'0'.repeat(32)}`)],
    ['without a lun, which is 0', { iscsi: { targetPortal: 'p', iqn: iscsi.iqn } }],
    ['with a secret', { iscsi: { ...iscsi, lun: 255, chapAuthSession: true, secretRef: {} } }],
    ['with an initiator', { iscsi: { ...iscsi, initiatorName: 'iqn.2001-04.com.example:a' } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['nothing in it', { iscsi: {} }, ['Required iscsi.targetPortal', 'Required iscsi.iqn']],
    ['another form of name', withIqn('wwn.1'), ['Invalid iscsi.iqn']],
    ['an iqn without a name', withIqn('iqn.2001-04.com.example'), ['Invalid iscsi.iqn']],
    ['an iqn with a comma', withIqn('iqn.2001-04.com.example:a,b'), ['Invalid iscsi.iqn']],
    ['a short eui', withIqn('eui.02004567'), ['Invalid iscsi.iqn']],
    ['a long naa', withIqn(`naa.${'0'.repeat(33)}`), ['Invalid iscsi.iqn']],
    ['a lun below', { iscsi: { ...iscsi, lun: -1 } }, ['Invalid iscsi.lun']],
    ['a lun above', { iscsi: { ...iscsi, lun: 256 } }, ['Invalid iscsi.lun']],
    ['authentication of discovery without a secret', { iscsi: { ...iscsi, chapAuthDiscovery: true } }, ['Required iscsi.secretRef']],
    ['authentication of sessions without a secret', { iscsi: { ...iscsi, chapAuthSession: true } }, ['Required iscsi.secretRef']],
    ['an empty initiator', { iscsi: { ...iscsi, initiatorName: '' } }, ['Invalid iscsi.initiatorname']],
    [
      'an initiator and a long portal',
      { iscsi: { ...iscsi, targetPortal: 'p'.repeat(63), initiatorName: 'eui.02004567A425678D' } },
      ['Invalid name'],
    ],
    [
      'the same beside another source',
      { emptyDir: {}, iscsi: { ...iscsi, targetPortal: 'p'.repeat(63), initiatorName: 'eui.02004567A425678D' } },
      ['Forbidden iscsi', 'Invalid name'],
    ],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });

  it('has a name that is checked in linear time', () => {
    const started = performance.now();
    expect(causesOf(withIqn(`${'iqn.2001-04.a:'.repeat(100_000)},`))).toEqual(['Invalid iscsi.iqn']);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('A disk over Fibre Channel', () => {
  it.each<[string, Source]>([
    ['by targets', { fc: { targetWWNs: ['500a0982991b8dc5'], lun: 0 } }],
    ['by disks, whatever the lun', { fc: { wwids: ['a'], lun: 300 } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['nothing in it', { fc: { targetWWNs: [] } }, ['Required fc.targetWWNs']],
    ['both', { fc: { targetWWNs: ['a'], wwids: ['b'], lun: 1 } }, ['Invalid fc.targetWWNs']],
    ['targets without a lun', { fc: { targetWWNs: ['a'] } }, ['Required fc.lun']],
    ['a lun above', { fc: { targetWWNs: ['a'], lun: 256 } }, ['Invalid fc.lun']],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
