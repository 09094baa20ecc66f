/** What is sent in metadata beside what is right, by field. It is the same for all kinds. */
import { token } from '../support/json-token.ts';
import { fieldKey } from './corpus.ts';
import type { Tree, TreeObject } from './tree.ts';

const owner = (more: TreeObject = {}): Tree => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'owner', uid: 'u-1', ...more });
const managed = (more: TreeObject = {}): Tree => ({
  manager: 'other',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
  ...more,
});

const FIELDS: Readonly<Record<string, readonly Tree[]>> = {
  namespace: ['default', 'other', '', 'Bad_Name', 'a.b', 'a'.repeat(64)],
  uid: ['', 'u-1', 'b2f1c3f0-0000-4000-8000-000000000000'],
  resourceVersion: ['', '0', '1', '99999999', 'x', '-1', '00', '1.0', '18446744073709551616'],
  generation: [0, 1, -1, 5, token('9223372036854775807')],
  creationTimestamp: [null, '2020-01-01T00:00:00Z', '', 'x'],
  deletionTimestamp: [null, '2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'],
  deletionGracePeriodSeconds: [0, 30, -1],
  labels: [
    {},
    { app: 'web', tier: 'back' },
    { app: '' },
    { app: 'Not Valid' },
    { 'example.com/app': 'web', 'Bad Key': 'x' },
    { ['a'.repeat(64)]: 'x', app: 'a'.repeat(64) },
    { a: 'x', A: 'y' },
  ],
  annotations: [
    {},
    { note: 'any text: äöü 😀 \u0000 "quoted"' },
    { 'Example.com/Note': 'x' },
    { 'bad key': 'x' },
    { big: 'x'.repeat(300_000) },
    { '': '' },
    { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  ],
  finalizers: [
    [],
    ['example.com/hold'],
    ['example.com/a', 'example.com/b'],
    ['example.com/hold', 'example.com/hold'],
    ['kubernetes'],
    ['orphan'],
    ['foregroundDeletion'],
    ['orphan', 'foregroundDeletion'],
    ['mine'],
    [''],
    ['Bad/Name/x'],
    ['example.com/A_b.c'],
    [null],
  ],
  ownerReferences: [
    [],
    [owner()],
    [owner({ controller: true })],
    [owner({ controller: true }), owner({ uid: 'u-2', controller: true })],
    [owner(), owner()],
    [owner({ apiVersion: '' })],
    [owner({ apiVersion: 'v1', kind: 'Event' })],
    [owner({ apiVersion: 'a/b/c' })],
    [owner({ kind: '', name: '', uid: '' })],
    [owner({ uid: '' })],
    [owner({ blockOwnerDeletion: true, extra: 1 })],
    [{}],
    [null],
  ],
  managedFields: [
    [],
    [{}],
    [managed()],
    [managed({ operation: 'Apply' })],
    [managed({ operation: 'Other' })],
    [managed({ fieldsType: 'FieldsV2' })],
    [managed({ manager: 'a'.repeat(129) })],
    [managed({ manager: '\u0001' })],
    [managed({ subresource: 'status' })],
    [managed({ subresource: 'a'.repeat(257) })],
    [managed({ fieldsV1: {} }), managed({ fieldsV1: {} })],
    [managed({ fieldsV1: { x: {} } })],
    [managed({ apiVersion: 'a/b/c' })],
    [managed({ time: null })],
    [managed({ fieldsType: '', fieldsV1: null })],
  ],
};

export const ODD_METADATA: readonly (readonly [key: string, values: readonly Tree[]])[] = Object.entries(FIELDS).map(([field, values]) => [
  fieldKey('meta.v1.ObjectMeta', field),
  values,
]);

/** Names made of one that nobody else uses, so that requests of others are left alone. */
export const oddNames = (name: string): readonly string[] => [
  `${name}.x`,
  `${name}-`,
  `-${name}`,
  `${name}..x`,
  `${name}_x`,
  `${name}/x`,
  `${name}%`,
  `${name} x`,
  `${name}:x`,
  `${name}ä`,
  name.toUpperCase(),
  `${name}${'x'.repeat(40)}`,
  `${name}${'x'.repeat(60)}`,
  `${name}${'x'.repeat(220)}`,
  `${name}${'x'.repeat(250)}`,
  '',
  '.',
  '..',
];
