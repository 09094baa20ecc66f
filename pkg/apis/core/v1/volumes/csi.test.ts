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

const driver = 'Driver.example.com';

describe('A volume of a CSI driver in a pod', () => {
  it.each<[string, Source]>([
    ['the driver alone', { csi: { driver } }],
    ['with a secret', { csi: { driver, nodePublishSecretRef: { name: 'a.b' } } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['no driver', { csi: {} }, ['Required csi.driver']],
    ['a long driver', { csi: { driver: 'a'.repeat(64) } }, ['TooLong csi.driver']],
    ['a wrong driver', { csi: { driver: 'a_b' } }, ['Invalid csi.driver']],
    ['a secret without a name', { csi: { driver, nodePublishSecretRef: {} } }, ['Required csi.nodePublishSecretRef.name']],
    ['a secret with a wrong name', { csi: { driver, nodePublishSecretRef: { name: 'A' } } }, ['Invalid csi.name']],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
