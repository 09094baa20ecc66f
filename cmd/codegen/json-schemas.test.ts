import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { folderOf, kindSample, SAMPLE_KINDS } from '../../test/support/kind-samples.ts';

const root = path.resolve(import.meta.dirname, '../..');
const apis = path.join(root, 'pkg/apis');

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Validates with unmodified Ajv and ajv-formats, as users of the published files do. */
function errorsOf(schemaFile: string, document: unknown): ErrorObject[] {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(readJson(path.join(root, 'schemas', schemaFile)) as AnySchemaObject);
  return validate(document) ? [] : (validate.errors ?? []);
}

const kinds = SAMPLE_KINDS.map(({ definition: { kind, listKind, apiVersion } }) => ({
  kind,
  listKind,
  apiVersion,
  schemas: path.relative(apis, path.dirname(folderOf(kind).folder)),
}));
const metaFolder = path.join(apis, 'meta/v1/testdata');
const metaSamples = readdirSync(metaFolder).map((file) => {
  const { kind } = readJson(path.join(metaFolder, file)) as { kind: string };
  const group = kind.startsWith('APIGroupDiscovery') ? 'apidiscovery/v2' : 'meta/v1';
  return { schema: `${group}/${kind}.json`, file: `meta/v1/testdata/${file}` };
});

describe('published JSON Schemas', () => {
  it.each(metaSamples)('$schema accepts $file', ({ schema, file }) => {
    expect(errorsOf(schema, readJson(path.join(apis, file)))).toEqual([]);
  });

  it.each(kinds)('$kind accepts a realistic object, and what is written of an empty one', ({ kind, schemas }) => {
    expect(errorsOf(`${schemas}/${kind}.json`, kindSample(kind, 'realistic'))).toEqual([]);
    expect(errorsOf(`${schemas}/${kind}.json`, kindSample(kind, 'minimal'))).toEqual([]);
  });

  it.each(kinds)('$listKind accepts a list, be it empty', ({ kind, listKind, apiVersion, schemas }) => {
    const list = { kind: listKind, apiVersion, metadata: { resourceVersion: '20000' } };
    const { kind: _kind, apiVersion: _apiVersion, ...item } = kindSample(kind, 'realistic');
    expect(errorsOf(`${schemas}/${listKind}.json`, { ...list, items: [item] })).toEqual([]);
    expect(errorsOf(`${schemas}/${listKind}.json`, { ...list, items: [] })).toEqual([]);
    expect(errorsOf(`${schemas}/${listKind}.json`, { ...list, items: [5] })).not.toEqual([]);
  });

  it.each(kinds)('$kind accepts an object with every field set, but for words outside closed lists', ({ kind, schemas }) => {
    const errors = errorsOf(`${schemas}/${kind}.json`, kindSample(kind, 'full'));
    const words = errors.filter(({ keyword }) => keyword === 'enum');
    // A list that may be null is wrong as a whole when a word in it is.
    const others = errors.filter(({ instancePath }) => !words.some((word) => word.instancePath.startsWith(instancePath)));
    expect(others).toEqual([]);
  });

  it.each([
    ['a wrong type', { spec: { schedule: 5 } }, '/spec/schedule'],
    ['an int32 out of range', { spec: { successfulJobsHistoryLimit: 2147483648 } }, '/spec/successfulJobsHistoryLimit'],
    ['a word outside a closed list', { spec: { concurrencyPolicy: 'Perhaps' } }, '/spec/concurrencyPolicy'],
    ['another kind', { kind: 'Job' }, '/kind'],
  ])('CronJob refuses %s', (_what, document, at) => {
    expect(errorsOf('batch/v1/CronJob.json', document).map(({ instancePath }) => instancePath)).toContain(at);
  });

  it('leave the suffix of a group open', () => {
    const paths = (apiVersion: string) => errorsOf('events/v1/Event.json', { apiVersion, eventTime: null });
    expect(paths('events.example.org/v1')).toEqual([]);
    expect(paths('other.example.org/v1')).toHaveLength(1);
  });
});
