/** What `kubectl explain` prints of the kinds' own types and of the metadata that all of them share. */
import { describe, expect, it } from '@jest/globals';
import { SAMPLE_KINDS } from '../support/kind-samples.ts';
import { documentFiles, readDocument, readFacts, schemasOf } from './documents.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const SHARED = [
  'ObjectMeta',
  'ListMeta',
  'OwnerReference',
  'ManagedFieldsEntry',
  'LabelSelector',
  'LabelSelectorRequirement',
  'Condition',
  'Status',
]
  .concat(['StatusDetails', 'StatusCause', 'DeleteOptions', 'Preconditions', 'WatchEvent'])
  .map((name) => `${META}.${name}`);
const MAX_CHARACTERS = 320;

const schemas = schemasOf(readDocument('v2.json'));
const own = readFacts().flatMap(({ resource, types }) => (resource === undefined ? [] : Object.keys(types)));

/** Every description, summary and title of a document. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && ['description', 'summary', 'title'].includes(name) ? [member] : textsOf(member),
  );
}

describe('descriptions', () => {
  it('are looked at for types of every kind', () => {
    const names = own.map((model) => model.split('.').at(-1));
    expect(names).toEqual(expect.arrayContaining(SAMPLE_KINDS.flatMap(({ definition: { kind, listKind } }) => [kind, listKind])));
  });

  it.each([...own, ...SHARED])('say what %s is, and each of its fields', (model) => {
    const { description, properties = {} } = schemas[model] ?? {};
    const undescribed = Object.entries(properties).filter(([, property]) => (property.description ?? '') === '');
    expect({ model, described: description !== undefined, undescribed: undescribed.map(([name]) => name) }).toEqual({
      model,
      described: true,
      undescribed: [],
    });
  });

  it.each(documentFiles())('leave no field in %s without one', (file) => {
    const undescribed = Object.entries(schemasOf(readDocument(file))).flatMap(([model, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, { description = '' }]) => (description === '' ? [`${model} ${name}`] : [])),
    );
    expect(undescribed).toEqual([]);
  });

  it.each(documentFiles())('in %s are sentences, and short enough to be read', (file) => {
    const all = Object.entries(schemasOf(readDocument(file))).flatMap(([model, { description, properties = {} }]) => [
      [model, description],
      ...Object.entries(properties).map(([name, property]) => [`${model} ${name}`, property.description]),
    ]);
    const bad = all.filter(
      ([, text]) => text !== undefined && (text.length > MAX_CHARACTERS || text.trim() !== text || !/[.]\)?$/.test(text)),
    );
    expect(bad).toEqual([]);
  });

  it.each(documentFiles())('in %s end no comment of generated code, wherever they stand', (file) => {
    const texts = textsOf(readDocument(file));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes('*/'))).toEqual([]);
  });

  it('are not said twice where explain shows field and type together', () => {
    const repeated = Object.entries(schemas).flatMap(([model, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description = '', $ref = '' }]) => {
          const type = schemas[$ref.replace('#/definitions/', '')]?.description ?? '';
          return description !== '' && type.startsWith(description);
        })
        .map(([name]) => `${model} ${name}`),
    );
    expect(repeated).toEqual([]);
  });
});
