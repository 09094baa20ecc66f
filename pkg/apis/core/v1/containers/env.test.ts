import { describe, expect, it } from '@jest/globals';
import { containerCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { EnvFromSource, EnvVar, EnvVarSource } from '../types.gen.ts';

const volumes = [
  { name: 'dir', emptyDir: {} },
  { name: 'secret', secret: { secretName: 'a' } },
];
const causesOf = (variable: Unchecked<EnvVar>) => containerCauses({ env: [{ name: 'A', ...variable }] }, { volumes });
const at = (cause: string) => cause.replace(' ', ' env[0].valueFrom.');
const file = { volumeName: 'dir', path: 'a/env', key: 'A' };

describe('An environment variable', () => {
  it.each<[string]>([['A'], ['a.b-c'], ['1'], ['a b'], ['~!"#$%&()']])('may be called %j', (name) => {
    expect(causesOf({ name })).toEqual([]);
  });

  it.each<[string, string]>([
    ['', 'Required env[0].name'],
    ['a=b', 'Invalid env[0].name'],
    ['Ä', 'Invalid env[0].name'],
    ['a\n', 'Invalid env[0].name'],
  ])('called %j has cause %s', (name, cause) => {
    expect(causesOf({ name, value: 'x' })).toEqual([cause]);
  });

  it('may come twice', () => {
    expect(containerCauses({ env: [{ name: 'A' }, { name: 'A', value: '$(A)b' }] })).toEqual([]);
  });

  it.each<[Unchecked<EnvVarSource>]>([
    [{ fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } }],
    [{ resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } }],
    [{ configMapKeyRef: { name: 'settings', key: 'a_B.c-1', optional: true } }],
    [{ secretKeyRef: { name: 'settings.v1', key: '.hidden' } }],
    [{ fileKeyRef: file }],
    [{ fileKeyRef: { ...file, path: '/absolute' } }],
  ])('may come from %j', (valueFrom) => {
    expect(causesOf({ valueFrom })).toEqual([]);
    expect(causesOf({ valueFrom, value: '' })).toEqual([]);
    expect(causesOf({ valueFrom, value: 'x' })).toEqual(['Invalid env[0].valueFrom']);
  });

  it.each<[Unchecked<EnvVarSource>, readonly string[]]>([
    [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }, ['NotSupported fieldRef.fieldPath']],
    [{ resourceFieldRef: { resource: 'limits.pods' } }, ['NotSupported resourceFieldRef.resource']],
    [{ configMapKeyRef: {} }, ['Invalid configMapKeyRef.name', 'Required configMapKeyRef.key']],
    [{ configMapKeyRef: { name: 'A', key: '..' } }, ['Invalid configMapKeyRef.name', 'Invalid configMapKeyRef.key']],
    [{ configMapKeyRef: { name: 'a', key: '..a' } }, ['Invalid configMapKeyRef.key']],
    [{ secretKeyRef: { name: 'a', key: 'a/b' } }, ['Invalid secretKeyRef.key']],
    [{ secretKeyRef: { name: '', key: 'a' } }, ['Invalid secretKeyRef.name']],
    [{ secretKeyRef: { name: 'a', key: 'a'.repeat(254) } }, ['Invalid secretKeyRef.key']],
    [{ fileKeyRef: { ...file, key: '' } }, ['Required fileKeyRef.key']],
    [{ fileKeyRef: { ...file, key: 'a=' } }, ['Invalid fileKeyRef.key']],
    [{ fileKeyRef: { ...file, path: '' } }, ['Required fileKeyRef.path']],
    [{ fileKeyRef: { ...file, path: 'a/../b' } }, ['Invalid fileKeyRef.path']],
    [{ fileKeyRef: { ...file, volumeName: '' } }, ['Required fileKeyRef.volumeName', 'NotFound fileKeyRef.volumeName']],
    [{ fileKeyRef: { ...file, volumeName: 'other' } }, ['NotFound fileKeyRef.volumeName']],
    [{ fileKeyRef: { ...file, volumeName: 'secret' } }, ['Invalid fileKeyRef.volumeName']],
  ])('from %j has causes %j', (valueFrom, causes) => {
    expect(causesOf({ valueFrom })).toEqual(causes.map(at));
  });

  it('has exactly one source', () => {
    expect(causesOf({ valueFrom: {} })).toEqual(['Invalid env[0].valueFrom']);
    const key = { name: 'a', key: 'b' };
    expect(causesOf({ valueFrom: { configMapKeyRef: key, secretKeyRef: key } })).toEqual(['Invalid env[0].valueFrom']);
  });
});

describe('Variables from a whole object', () => {
  it.each<[Unchecked<EnvFromSource>, readonly string[]]>([
    [{ configMapRef: { name: 'a' } }, []],
    [{ prefix: '1 ', secretRef: { name: 'a.b', optional: true } }, []],
    [{ prefix: 'a=', secretRef: { name: 'a' } }, ['Invalid envFrom[0].prefix']],
    [{ configMapRef: {} }, ['Required envFrom[0].configMapRef.name']],
    [{ secretRef: { name: 'A' } }, ['Invalid envFrom[0].secretRef.name']],
    [{}, ['Invalid envFrom']],
    [{ configMapRef: { name: 'a' }, secretRef: { name: 'a' } }, ['Invalid envFrom']],
  ])('%j has causes %j', (source, causes) => {
    expect(containerCauses({ envFrom: [source] })).toEqual(causes);
  });
});
