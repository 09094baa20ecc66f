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

const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.labels' };
const item = { key: 'k', path: 'a/b', mode: 0o400 };

describe('A volume of a Secret or ConfigMap', () => {
  it.each<[string, Source]>([
    ['secret', { secret: { secretName: 'S', defaultMode: 0o777, items: [item, item] } }],
    ['configMap', { configMap: { name: 'C', defaultMode: 0, items: [{ key: 'a/b', path: 'x..y' }] } }],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['secret', { secret: { defaultMode: 512 } }, ['Required secret.secretName', 'Invalid secret.defaultMode']],
    ['configMap', { configMap: { name: '', defaultMode: -1 } }, ['Required configMap.name', 'Invalid configMap.defaultMode']],
    [
      'a key without anything',
      { secret: { secretName: 's', items: [item, {}] } },
      ['Required secret.items[1].key', 'Required secret.items[1].path'],
    ],
    ['an absolute path', { configMap: { name: 'c', items: [{ key: 'k', path: '/a' }] } }, ['Invalid configMap.items[0].path']],
    ['a path outside', { configMap: { name: 'c', items: [{ key: 'k', path: 'a/../b' }] } }, ['Invalid configMap.items[0].path']],
    ['a path of the kubelet', { configMap: { name: 'c', items: [{ key: 'k', path: '..data' }] } }, ['Invalid configMap.items[0].path']],
    ['a mode', { configMap: { name: 'c', items: [{ ...item, mode: 512 }] } }, ['Invalid configMap.items[0].mode']],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});

describe('A volume of fields of the pod', () => {
  it.each<[string, Source]>([
    ['nothing in it', { downwardAPI: {} }],
    ['a field', { downwardAPI: { defaultMode: 0o644, items: [{ path: 'labels', mode: 0, fieldRef }] } }],
    [
      'a resource',
      { downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } }] } },
    ],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    [
      'modes',
      { downwardAPI: { defaultMode: 512, items: [{ path: 'a', mode: -1, fieldRef }] } },
      ['Invalid downwardAPI.defaultMode', 'Invalid downwardAPI.mode'],
    ],
    ['an empty file', { downwardAPI: { items: [{}] } }, ['Required downwardAPI.path', 'Required downwardAPI']],
    ['a path outside', { downwardAPI: { items: [{ path: '../a', fieldRef }] } }, ['Invalid downwardAPI.path']],
    ['a field and a resource', { downwardAPI: { items: [{ path: 'a', fieldRef, resourceFieldRef: {} }] } }, ['Invalid downwardAPI']],
    [
      'a field that only environment variables have',
      { downwardAPI: { items: [{ path: 'a', fieldRef: { ...fieldRef, fieldPath: 'status.podIP' } }] } },
      ['NotSupported downwardAPI.fieldRef.fieldPath'],
    ],
    [
      'a resource of no container',
      { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
      ['Required downwardAPI.resourceFieldRef.containerName'],
    ],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
