import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(import.meta.dirname, '../../..');
const examples = readdirSync(path.join(root, 'examples/config'));

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const schemas = new Map(
  readdirSync(path.join(root, 'schemas/config')).map((file) => [
    path.basename(file, '.json'),
    ajv.compile(JSON.parse(readFileSync(path.join(root, 'schemas/config', file), 'utf8')) as object),
  ]),
);

/** Validates YAML against the unchanged schema, as an editor does. */
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

  it.each([
    ['a controller that there is not', { Generic: { Controllers: ['*', 'cronjb'] } }, '/Generic/Controllers/1 enum'],
    ['two dashes', { Generic: { Controllers: ['--ttl'] } }, '/Generic/Controllers/0 enum'],
    ['a period that is no time', { Generic: { MinResyncPeriod: '0s' } }, '/Generic/MinResyncPeriod pattern'],
    ['a period that is less', { Generic: { MinResyncPeriod: '-5m' } }, '/Generic/MinResyncPeriod pattern'],
    ['a whole that is not', { JobController: { ConcurrentJobSyncs: 1.5 } }, '/JobController/ConcurrentJobSyncs type'],
    ['more than 32 bits', { JobController: { ConcurrentJobSyncs: 2 ** 31 } }, '/JobController/ConcurrentJobSyncs maximum'],
    ['a list in place of an object', { Generic: [] }, '/Generic type'],
    ['a text in place of a list', { Generic: { Controllers: '*' } }, '/Generic/Controllers type'],
    ['another kind', { kind: 'CloudControllerManagerConfiguration' }, '/kind enum'],
    ['a prototype', JSON.parse('{"__proto__": {"Port": 1}}') as object, ' additionalProperties'],
    ['names from everywhere', { constructor: {}, toString: 1 }, ' additionalProperties'],
    [
      'a leader without a component',
      { Generic: { LeaderMigration: { controllerLeaders: [{ name: 'service-lb-controller' }] } } },
      '/Generic/LeaderMigration/controllerLeaders/0 required',
    ],
    [
      'a leader that there is not',
      { Generic: { LeaderMigration: { controllerLeaders: [{ name: 'x', component: '*' }] } } },
      '/Generic/LeaderMigration/controllerLeaders/0/name enum',
    ],
  ])('refuse what was never meant: %s', (_what, fields, error) => {
    const document = Object.assign(Object.create(null) as object, CLUSTER, fields);
    Object.defineProperties(document, Object.getOwnPropertyDescriptors(fields));
    expect(errorsOf('ClusterControllerManagerConfiguration', document)).toContain(error);
  });

  it('take long texts and deep objects in no time', () => {
    const long = `${'1'.repeat(100_000)}x`;
    expect(errorsOf('ClusterControllerManagerConfiguration', { ...CLUSTER, Generic: { MinResyncPeriod: long } })).toContain(
      '/Generic/MinResyncPeriod pattern',
    );
    const deep = Array.from({ length: 5000 }).reduce<object>((inner) => ({ Generic: inner }), {});
    expect(errorsOf('ClusterControllerManagerConfiguration', { ...CLUSTER, ...deep })).toContain('/Generic additionalProperties');
  });

  it('leave names of controllers to the providers of clouds', () => {
    expect(
      errorsOf('CloudControllerManagerConfiguration', {
        apiVersion: 'cloudcontrollermanager.config.k8s.io/v1alpha1',
        kind: 'CloudControllerManagerConfiguration',
        Generic: { Controllers: ['*', '-mine'] },
      }),
    ).toEqual([]);
  });

  describe('of migrations', () => {
    const migration = (version: string, fields: object) => ({
      apiVersion: `controllermanager.config.k8s.io/${version}`,
      kind: 'LeaderMigrationConfiguration',
      leaderName: 'l',
      ...fields,
    });
    it.each(['LeaderMigrationConfiguration', 'document'])('know that v1 has no lock to choose: %s', (schema) => {
      expect(errorsOf(schema, migration('v1', {}))).toEqual([]);
      expect(errorsOf(schema, migration('v1', { resourceLock: 'leases' }))).toContain('/resourceLock false schema');
      expect(errorsOf(schema, migration('v1alpha1', {}))).toContain(' required');
      expect(errorsOf(schema, migration('v1beta1', { resourceLock: 'leases' }))).toEqual([]);
    });
  });

  it('know a document without a kind for what it is', () => {
    expect(errorsOf('document', {})).toEqual([' required']);
  });
});

describe('what an editor shows', () => {
  type Json = Readonly<Record<string, unknown>>;
  const fileOf = (schema: string): Json => JSON.parse(readFileSync(path.join(root, 'schemas/config', `${schema}.json`), 'utf8')) as Json;
  const at = (schema: string, ...steps: readonly string[]): Json =>
    steps.reduce<Json>((value, step) => value[step] as Json, fileOf(schema)['definitions'] as Json);

  it('is the meaning, the bounds, the default and the flag', () => {
    expect(
      at('ClusterControllerManagerConfiguration', 'EndpointSliceControllerConfiguration', 'properties', 'MaxEndpointsPerSlice'),
    ).toMatchObject({
      description: expect.stringMatching(/ From 1 to 1000\. Default: `100`\. Flag: `--max-endpoints-per-slice`\.$/),
      default: 100,
    });
  });

  it.each([
    ['ClusterControllerManagerConfiguration', '', 'kube-controller-manager'],
    ['CloudControllerManagerConfiguration', '', 'cloud-controller-manager'],
    ['document', 'ClusterControllerManagerConfiguration.', 'kube-controller-manager'],
    ['document', 'CloudControllerManagerConfiguration.', 'cloud-controller-manager'],
  ])('is the default of the component: %s %s', (schema, within, name) => {
    expect(at(schema, `${within}LeaderElectionConfiguration`, 'properties', 'resourceName')).toMatchObject({ default: name });
  });

  it.each(readdirSync(path.join(root, 'schemas/config')))('describes every field: %s', (file) => {
    const definitions = Object.entries(at(path.basename(file, '.json')));
    const bare = definitions.flatMap(([name, shape]) =>
      Object.entries(((shape as Json)['properties'] ?? {}) as Record<string, Json>).flatMap(([field, { description }]) =>
        description === undefined && !['apiVersion', 'kind'].includes(field) ? [`${name}.${field}`] : [],
      ),
    );
    expect(bare).toEqual([]);
  });

  it('offers names of controllers and components', () => {
    const names = at(
      'ClusterControllerManagerConfiguration',
      'GenericControllerManagerConfiguration',
      'properties',
      'Controllers',
      'items',
    );
    expect(names['enum']).toEqual(expect.arrayContaining(['*', 'cronjob-controller', '-cronjob-controller', 'cronjob', '-cronjob']));
    const leader = at('document', 'LeaderMigrationConfiguration.ControllerLeaderConfiguration', 'properties');
    expect(leader).toMatchObject({ component: { enum: expect.arrayContaining(['*', 'cloud-controller-manager']) } });
  });
});
