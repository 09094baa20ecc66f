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

describe('A volume that lives on the node', () => {
  it.each<[string, Source]>([
    ['emptyDir', { emptyDir: {} }],
    ['emptyDir in memory, with a limit', { emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
    ['emptyDir with a limit of nothing', { emptyDir: { sizeLimit: '0' } }],
    ['hostPath', { hostPath: { path: '/var/log', type: '' } }],
    ['hostPath of a type', { hostPath: { path: 'relative..too', type: 'DirectoryOrCreate' } }],
    ['gitRepo', { gitRepo: { repository: 'https://example.com/a.git', directory: '.' } }],
    ['image', { image: { reference: 'registry.example.com/a:1', pullPolicy: 'Never' } }],
    ['image that a pod will name', { image: {} }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['a negative limit', { emptyDir: { sizeLimit: '-1' } }, ['Forbidden emptyDir.sizeLimit']],
    ['hostPath without a path, whatever its type', { hostPath: { type: 'x' } }, ['Required hostPath.path']],
    ['a step up', { hostPath: { path: '/a/../b' } }, ['Invalid hostPath.path']],
    ['an unknown type', { hostPath: { path: '/a', type: 'directory' } }, ['NotSupported hostPath.type']],
    ['gitRepo without a repository', { gitRepo: {} }, ['Required gitRepo.repository']],
    ['an absolute directory', { gitRepo: { repository: 'r', directory: '/a' } }, ['Invalid gitRepo.directory']],
    ['a directory outside', { gitRepo: { repository: 'r', directory: '../a' } }, ['Invalid gitRepo.directory']],
    ['an unknown pull policy', { image: { pullPolicy: 'Sometimes' } }, ['NotSupported image.pullPolicy']],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
