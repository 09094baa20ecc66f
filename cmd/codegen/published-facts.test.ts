import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderOf, KIND_FOLDERS, SAMPLE_KINDS } from '../../test/support/kind-samples.ts';
import { SHARED_FOLDERS } from './facts.ts';
import { joinPublished, kindFolder, makeKindFacts, type PublishedResource, type PublishedType } from './published-facts.ts';

const apis = path.resolve(import.meta.dirname, '../../pkg/apis');

interface FactsJson {
  readonly resource: PublishedResource;
  readonly types: Readonly<Record<string, PublishedType>>;
}
const textIn = (folder: string): string => readFileSync(path.join(folder, 'facts.json'), 'utf8');
const folders = [...SHARED_FOLDERS.map((folder) => path.join(apis, folder)), ...KIND_FOLDERS.map(({ folder }) => folder)];
const typesIn = (folder: string) => (JSON.parse(textIn(folder).replaceAll('{group_suffix}', 'k8s.io')) as FactsJson).types;
const knownOutside = (folder: string) => new Set(folders.filter((each) => each !== folder).flatMap((each) => Object.keys(typesIn(each))));

/** Published facts for an existing kind. */
function publishedOf(text: string) {
  const { resource, types } = JSON.parse(text.replaceAll('{group_suffix}', 'k8s.io')) as FactsJson;
  const specGroup = (JSON.parse(text) as FactsJson).resource.group;
  const { paths } = (JSON.parse(text) as { resource: { paths: unknown } }).resource;
  const published = joinPublished([{ resources: [{ ...resource, specGroup, paths }] }, ...folders.map(typesIn)]);
  return { kind: resource.kind, types, published };
}

describe('facts of a kind', () => {
  it.each(SAMPLE_KINDS)('are made again as they are: $definition.kind', ({ definition }) => {
    const { folder } = folderOf(definition.kind);
    const { kind, types, published } = publishedOf(textIn(folder));
    expect(kindFolder(published, kind)).toBe(path.relative(apis, folder));
    expect(makeKindFacts(published, kind, knownOutside(folder), types)).toBe(textIn(folder));
  });

  const known = knownOutside(folderOf('CronJob').folder);
  const cronJob = publishedOf(textIn(folderOf('CronJob').folder));

  it('hold no type that is here already', () => {
    const spec = 'io.k8s.api.batch.v1.CronJobSpec';
    const { types } = JSON.parse(makeKindFacts(cronJob.published, 'CronJob', new Set([...known, spec]))) as FactsJson;
    expect(Object.keys(types)).not.toContain(spec);
    expect(Object.keys(types)).toContain('io.k8s.api.batch.v1.CronJob');
  });

  it('are refused while a type of another package is missing here', () => {
    const without = new Set([...known].filter((name) => !name.endsWith('.ObjectReference')));
    expect(() => makeKindFacts(cronJob.published, 'CronJob', without)).toThrow(
      'CronJob needs io.k8s.api.core.v1.ObjectReference: add it to pkg/apis/core/v1/facts.json first, with its descriptions',
    );
  });

  it('are refused when nothing is published about the kind, or about a type', () => {
    expect(() => makeKindFacts(cronJob.published, 'Job', known)).toThrow('nothing is published about Job, only about CronJob');
    expect(() => makeKindFacts({ ...cronJob.published, types: {} }, 'CronJob', known)).toThrow(
      'nothing is published about the type io.k8s.api.batch.v1.CronJob: name the file that has it, too',
    );
  });
});
