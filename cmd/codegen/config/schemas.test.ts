import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = readdirSync(path.join(root, 'examples/config'));

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const schemas = new Map(
  readdirSync(path.join(root, 'schemas/config')).map((file) => [
    path.basename(file, '.json'),
    ajv.compile(JSON.parse(readFileSync(path.join(root, 'schemas/config', file), 'utf8')) as object),
  ]),
);

/** As an editor does it: the schema as it comes, on what the YAML says. */
function errorsOf(schema: string, document: unknown): string[] {
  const validate = schemas.get(schema);
  if (validate === undefined) throw new Error(`there is no schema ${schema}`);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

const CLUSTER = { apiVersion: 'clustercontrollermanager.config.k8s.io/v1alpha1', kind: 'ClusterControllerManagerConfiguration' };
const OLD = { apiVersion: 'kubecontrollermanager.config.example.org/v1alpha1', kind: 'KubeControllerManagerConfiguration' };

describe('JSON Schemas of configurations', () => {
  it.each(examples)('accept examples/config/%s', (file) => {
    for (const document of parseAllDocuments(readFileSync(path.join(root, 'examples/config', file), 'utf8'))) {
      const value: { kind: string } = document.toJS();
      expect([...errorsOf(value.kind, value), ...errorsOf('document', value)]).toEqual([]);
    }
  });

  it.each(['ClusterControllerManagerConfiguration', 'document'])('%s accepts older names, and every suffix', (schema) => {
    const document = { ...OLD, KubeCloudShared: { NodeMonitorPeriod: '5s' }, Generic: { ClientConnection: { kubeconfig: '/k' } } };
    expect(errorsOf(schema, document)).toEqual([]);
  });

  it('accept keys without a value', () => {
    expect(
      errorsOf('ClusterControllerManagerConfiguration', {
        ...CLUSTER,
        ...(parse('Generic:\nJobController: {ConcurrentJobSyncs: }') as object),
      }),
    ).toEqual([]);
  });

  it.each([
    ['an unknown name', { Generik: {} }, ' additionalProperties'],
    ['an unknown name further in', { Generic: { Debugging: { profiling: true } } }, '/Generic/Debugging additionalProperties'],
    ['a wrong type', { JobController: { ConcurrentJobSyncs: '5' } }, '/JobController/ConcurrentJobSyncs type'],
    ['a number out of bounds', { JobController: { ConcurrentJobSyncs: 0 } }, '/JobController/ConcurrentJobSyncs minimum'],
    ['a duration without a unit', { Generic: { MinResyncPeriod: '10' } }, '/Generic/MinResyncPeriod pattern'],
    ['a word outside a closed list', { Generic: { LeaderMigration: { resourceLock: 'x' } } }, '/Generic/LeaderMigration/resourceLock enum'],
    ['another group', { apiVersion: 'apps/v1' }, '/apiVersion pattern'],
  ])('refuse %s', (_what, fields, error) => {
    expect(errorsOf('ClusterControllerManagerConfiguration', { ...CLUSTER, ...fields })).toContain(error);
    expect(errorsOf('document', { ...CLUSTER, ...fields })).toContain(error);
  });

  it('know a document without a kind for what it is', () => {
    expect(errorsOf('document', {})).toEqual([' required']);
  });
});
