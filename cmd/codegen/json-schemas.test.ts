import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { resourceFolders } from './facts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const apis = path.join(root, 'pkg/apis');

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** As any user of the published files would do it: Ajv as it comes, and its formats. */
function errorsOf(schemaFile: string, document: unknown): ErrorObject[] {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(readJson(path.join(root, 'schemas', schemaFile)) as AnySchemaObject);
  return validate(document) ? [] : (validate.errors ?? []);
}

const kinds = resourceFolders(apis).flatMap((folder) => {
  const { resource } = readJson(path.join(apis, folder, 'facts.json')) as { resource?: { kind: string } };
  return resource === undefined ? [] : [{ folder, kind: resource.kind, schemas: path.dirname(folder) }];
});
const kindSamples = kinds.flatMap(({ folder, kind, schemas }) => [
  ...['realistic', 'minimal'].map((sample) => ({ schema: `${schemas}/${kind}.json`, file: `${folder}/testdata/${sample}.json` })),
  ...['list.realistic', 'list.empty'].map((sample) => ({
    schema: `${schemas}/${kind}List.json`,
    file: `${folder}/testdata/${sample}.json`,
  })),
]);
const metaFolder = path.join(apis, 'meta/v1/testdata');
const metaSamples = readdirSync(metaFolder).map((file) => {
  const { kind } = readJson(path.join(metaFolder, file)) as { kind: string };
  const group = kind.startsWith('APIGroupDiscovery') ? 'apidiscovery/v2' : 'meta/v1';
  return { schema: `${group}/${kind}.json`, file: `meta/v1/testdata/${file}` };
});

describe('published JSON Schemas', () => {
  it.each([...kindSamples, ...metaSamples])('$schema accepts $file', ({ schema, file }) => {
    expect(errorsOf(schema, readJson(path.join(apis, file)))).toEqual([]);
  });

  it.each(kinds)('$kind accepts an object with every field set, but for words outside closed lists', ({ folder, kind, schemas }) => {
    const errors = errorsOf(`${schemas}/${kind}.json`, readJson(path.join(apis, folder, 'testdata/full.json')));
    expect(errors.filter(({ keyword }) => keyword !== 'enum')).toEqual([]);
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
