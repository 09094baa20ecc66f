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

type Template = NonNullable<NonNullable<Source['ephemeral']>['volumeClaimTemplate']>;
type Spec = NonNullable<Template['spec']>;

const spec: Spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const ofTemplate = (volumeClaimTemplate: Template) =>
  causesOf({ ephemeral: { volumeClaimTemplate } }).map((cause) => cause.replace('ephemeral.volumeClaimTemplate.', ''));
const claim = { kind: 'PersistentVolumeClaim', name: 'c' };

describe('A claim that is made for a pod', () => {
  it.each<[string, Template]>([
    ['with what it needs', { spec }],
    ['with labels and annotations', { metadata: { labels: { a: 'b' }, annotations: { 'Example.com/a': 'x y' }, name: '' }, spec }],
    [
      'with all there is',
      {
        spec: {
          ...spec,
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
          selector: { matchLabels: { a: 'b' } },
          storageClassName: 'fast',
          volumeMode: 'Block',
          volumeAttributesClassName: 'gold',
          dataSource: { apiGroup: 'snapshot.example.com', kind: 'VolumeSnapshot', name: 's' },
          dataSourceRef: { apiGroup: 'snapshot.example.com', kind: 'VolumeSnapshot', name: 's' },
        },
      },
    ],
    ['for one pod', { spec: { ...spec, accessModes: ['ReadWriteOncePod'] } }],
    ['with empty classes', { spec: { ...spec, storageClassName: '', volumeAttributesClassName: '' } }],
    ['filled from another namespace', { spec: { ...spec, dataSourceRef: { ...claim, namespace: 'other' } } }],
  ])('is right: %s', (_, template) => {
    expect(ofTemplate(template)).toEqual([]);
  });

  it('is needed', () => {
    expect(causesOf({ ephemeral: {} })).toEqual(['Required ephemeral.volumeClaimTemplate']);
  });

  it.each<[string, Template, readonly string[]]>([
    ['nothing in it', {}, ['Required spec.accessModes', 'Required spec.resources[storage]']],
    ['a wrong label', { metadata: { labels: { 'a b': '' } }, spec }, ['Invalid metadata.labels']],
    ['a wrong annotation', { metadata: { annotations: { 'a b': '' } }, spec }, ['Invalid metadata.annotations']],
    [
      'other metadata',
      { metadata: { name: 'a', uid: 'u', generation: 1, finalizers: ['example.com/f'] }, spec },
      ['Forbidden metadata.name', 'Forbidden metadata.uID', 'Forbidden metadata.generation', 'Forbidden metadata.finalizers'],
    ],
    ['a wrong selector', { spec: { ...spec, selector: { matchLabels: { 'a b': '' } } } }, ['Invalid spec.selector.matchLabels']],
    ['an unknown access mode', { spec: { ...spec, accessModes: ['ReadWriteOncePod', 'RWX'] } }, ['NotSupported spec.accessModes']],
    [
      'ReadWriteOncePod beside another',
      { spec: { ...spec, accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] } },
      ['Forbidden spec.accessModes'],
    ],
    ['no storage', { spec: { ...spec, resources: { limits: { storage: '1' } } } }, ['Required spec.resources[storage]']],
    ['storage of nothing', { spec: { ...spec, resources: { requests: { storage: '0' } } } }, ['Invalid spec.resources[storage]']],
    ['storage below nothing', { spec: { ...spec, resources: { requests: { storage: '-1Gi' } } } }, ['Invalid spec.resources[storage]']],
    ['a wrong class', { spec: { ...spec, storageClassName: 'A' } }, ['Invalid spec.storageClassName']],
    ['a wrong class of attributes', { spec: { ...spec, volumeAttributesClassName: 'A' } }, ['Invalid spec.volumeAttributesClassName']],
    ['an unknown volume mode', { spec: { ...spec, volumeMode: 'File' } }, ['NotSupported spec.volumeMode']],
    [
      'a source without anything',
      { spec: { ...spec, dataSource: {} } },
      ['Required spec.dataSource.name', 'Required spec.dataSource.kind', 'Invalid spec.dataSource'],
    ],
    ['a source of no group', { spec: { ...spec, dataSourceRef: { kind: 'VolumeSnapshot', name: 's' } } }, ['Invalid spec.dataSourceRef']],
    [
      'a source of a wrong group',
      { spec: { ...spec, dataSourceRef: { ...claim, apiGroup: 'A' } } },
      ['Invalid spec.dataSourceRef.apiGroup'],
    ],
    [
      'a source of a wrong namespace',
      { spec: { ...spec, dataSourceRef: { ...claim, namespace: 'a.b' } } },
      ['Invalid spec.dataSourceRef.namespace'],
    ],
    ['two sources', { spec: { ...spec, dataSource: claim, dataSourceRef: { ...claim, name: 'd' } } }, ['Invalid spec']],
    [
      'two sources, one in a namespace',
      { spec: { ...spec, dataSource: claim, dataSourceRef: { ...claim, namespace: 'a' } } },
      ['Invalid spec'],
    ],
  ])('is refused: %s', (_, template, causes) => {
    expect(ofTemplate(template)).toEqual(causes);
  });
});
