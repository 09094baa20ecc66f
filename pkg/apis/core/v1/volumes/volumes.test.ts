import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Volume } from '../types.gen.ts';
import { validateVolumes } from './volumes.ts';

const path = FieldPath.of('spec', 'volumes');
const causesOf = (...volumes: readonly Unchecked<Volume>[]) =>
  validateVolumes(volumes, path).causes.map(({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field}`);
const at = (field: string) => `spec.volumes[0].${field}`;

describe('The volumes of a pod', () => {
  it('may be absent', () => {
    expect(validateVolumes(undefined, path)).toEqual({ causes: [], valid: new Map() });
  });

  it.each<[string, readonly Unchecked<Volume>[], readonly string[]]>([
    ['no name', [{ emptyDir: {} }], [`Required ${at('name')}`]],
    ['an empty name', [{ name: '', emptyDir: {} }], [`Required ${at('name')}`]],
    ['a name that is no label', [{ name: 'A.b', emptyDir: {} }], [`Invalid ${at('name')}`]],
    ['a long name with wrong characters', [{ name: 'A'.repeat(64), emptyDir: {} }], [`Invalid ${at('name')}`, `Invalid ${at('name')}`]],
    [
      'a name twice',
      [
        { name: 'a', emptyDir: {} },
        { name: 'a', emptyDir: {} },
      ],
      ['Duplicate spec.volumes[1].name'],
    ],
    [
      'a name that a wrong volume has, too',
      [
        { name: 'a', nfs: { server: 's' } },
        { name: 'a', emptyDir: {} },
      ],
      [`Required ${at('nfs.path')}`, `Invalid ${at('nfs.path')}`],
    ],
    ['no source', [{ name: 'a' }], ['Required spec.volumes[0]']],
    [
      'two sources, the first by Kubernetes’ order being checked',
      [{ name: 'a', nfs: {}, hostPath: {} }],
      [`Required ${at('hostPath.path')}`, `Forbidden ${at('nfs')}`],
    ],
    [
      'three sources, two of them under odd names',
      [{ name: 'a', downwardAPI: {}, cephfs: {}, emptyDir: {} }],
      [`Forbidden ${at('cephFS')}`, `Forbidden ${at('downwarAPI')}`],
    ],
    [
      'a wrong name and a wrong source',
      [{ name: 'A', persistentVolumeClaim: {} }],
      [`Required ${at('persistentVolumeClaim.claimName')}`, `Invalid ${at('name')}`],
    ],
  ])('are refused: %s', (_, volumes, causes) => {
    expect(causesOf(...volumes)).toEqual(causes);
  });

  it('count only when nothing is wrong with them', () => {
    const right = { name: 'right', emptyDir: {} };
    const { valid } = validateVolumes([{ name: 'wrong', secret: {} }, right, { name: 'B', emptyDir: {} }], path);
    expect([...valid]).toEqual([['right', right]]);
  });

  it('bring about a bounded number of causes', () => {
    const many = Array.from({ length: 5000 }, () => ({ name: '', emptyDir: {} }));
    expect(causesOf(...many)).toHaveLength(1000);
  });
});
