/** The committed documents: valid by a validator that is not ours, and what the clients of the API look for in them. */
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { KINDS, everywherePath, itemPath } from '../support/kinds.ts';
import { documentFiles, operationsOf, readDocument, readFacts, schemasOf, type FieldFacts, type Schema } from './documents.ts';

const BATCH = 'v3/apis/batch/v1.json';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const versionThree = (apiVersion: string) => readDocument(`v3/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}.json`);

describe('the OpenAPI documents', () => {
  it.each(documentFiles())('%s is valid', async (file) => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(readDocument(file)));
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, version: file === 'v2.json' ? '2.0' : '3.0' });
  });

  it.each(documentFiles())('%s refers to nothing that it does not hold, and holds nothing that nothing refers to', (file) => {
    const document = readDocument(file);
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(refs)].sort()).toEqual(Object.keys(schemasOf(document)).sort());
  });

  it.each(documentFiles())('%s names every operation once and says what it does', (file) => {
    const operations = operationsOf(readDocument(file));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.filter(({ description = '' }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
  });

  it('hold in one what the others hold in parts', () => {
    const parts = documentFiles().filter((file) => file !== 'v2.json');
    const ids = parts.flatMap((file) => operationsOf(readDocument(file)).map(({ operationId }) => operationId));
    expect(
      operationsOf(readDocument('v2.json'))
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(ids.sort());
  });
});

describe('operations', () => {
  it.each(KINDS)('of $kind are named and marked as clients know them', (kind) => {
    const { group, version, kind: name, apiVersion, namespaced } = kind;
    const marked = operationsOf(versionThree(apiVersion)).filter((each) => each['x-kubernetes-group-version-kind']?.kind === name);
    const actions = marked.map((each) => `${each.method} ${each.path} ${each['x-kubernetes-action'] ?? ''}`);
    const one = itemPath(kind, '{namespace}', '{name}');
    expect(actions).toEqual(expect.arrayContaining([`get ${one} get`, `put ${one} put`, `patch ${one} patch`, `delete ${one} delete`]));
    expect(actions).toContain(`get ${everywherePath(kind)} list`);
    expect(actions).toContain(`get ${one.replace(`/${version}/`, `/${version}/watch/`)} watch`);
    expect(marked.map((each) => each['x-kubernetes-group-version-kind'])).toEqual(marked.map(() => ({ group, version, kind: name })));
    expect(marked.some(({ path }) => path.includes('/namespaces/{namespace}/'))).toBe(namespaced);
  });

  it('have the ids that clients are generated from', () => {
    const ids = operationsOf(readDocument('v2.json')).map(({ operationId }) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining([
        'listBatchV1NamespacedCronJob',
        'listBatchV1CronJobForAllNamespaces',
        'readBatchV1NamespacedCronJobStatus',
        'deletePolicyV1CollectionNamespacedPodDisruptionBudget',
        'watchStorageV1VolumeAttachmentList',
        'replaceInternalApiserverV1alpha1StorageVersion',
        'getEventsV1APIResources',
        'getCodeVersion',
      ]),
    );
  });

  it.each([
    ['authentication.k8s.io/v1', 'SelfSubjectReview', 'createAuthenticationV1SelfSubjectReview'],
    ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'createAuthorizationV1SelfSubjectAccessReview'],
    ['authorization.k8s.io/v1', 'SelfSubjectRulesReview', 'createAuthorizationV1SelfSubjectRulesReview'],
  ])('of %s know %s by one POST', (apiVersion, kind, operationId) => {
    const [group = '', version = ''] = apiVersion.split('/');
    for (const document of [readDocument('v2.json'), versionThree(apiVersion)]) {
      const marked = operationsOf(document).filter((each) => each['x-kubernetes-group-version-kind']?.kind === kind);
      expect(marked).toMatchObject([
        {
          operationId,
          method: 'post',
          path: `/apis/${apiVersion}/${kind.toLowerCase()}s`,
          'x-kubernetes-action': 'post',
          'x-kubernetes-group-version-kind': { group, version, kind },
        },
      ]);
    }
  });

  // kubectl sends fieldValidation only when the PATCH of the kind says that it is understood.
  it.each(KINDS)('of $kind let clients ask for field validation and a dry run', ({ apiVersion, kind }) => {
    for (const document of [readDocument('v2.json'), versionThree(apiVersion)]) {
      const patches = operationsOf(document).filter(
        (each) => each.method === 'patch' && each['x-kubernetes-group-version-kind']?.kind === kind,
      );
      expect(patches.length).toBeGreaterThan(0);
      for (const { parameters = [] } of patches) {
        expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
      }
    }
  });
});

describe('the schema of CronJob', () => {
  const types = Object.assign({}, ...readFacts().map((file) => file.types)) as ReturnType<typeof readFacts>[number]['types'];
  const documents = [
    { file: 'v2.json', defaults: false },
    { file: BATCH, defaults: true },
  ];

  /** Every type that CronJob is made of. */
  function reached(model: string, seen = new Set<string>()): Set<string> {
    if (seen.has(model)) return seen;
    seen.add(model);
    for (const { ref, model: own, items, values } of types[model]?.fields ?? []) {
      for (const next of [ref, own, items?.ref, values?.ref]) if (next !== undefined && types[next]?.shape !== 'array') reached(next, seen);
    }
    return seen;
  }
  const models = [...reached('io.k8s.api.batch.v1.CronJob')];

  const EXTENSIONS = {
    'x-kubernetes-list-type': (field: FieldFacts) => field['listType'],
    'x-kubernetes-list-map-keys': (field: FieldFacts) => field['listMapKeys'],
    'x-kubernetes-map-type': (field: FieldFacts) => field['mapType'] ?? field['structType'],
    'x-kubernetes-patch-strategy': (field: FieldFacts) => (field['patchStrategy'] as string[] | undefined)?.join(','),
    'x-kubernetes-patch-merge-key': (field: FieldFacts) => field['patchMergeKey'],
    enum: (field: FieldFacts) => (field['enum'] as string[] | undefined)?.toSorted(),
  };
  const extensionsOf = (read: (keyword: keyof typeof EXTENSIONS) => unknown) =>
    Object.keys(EXTENSIONS).map((keyword) => [keyword, read(keyword as keyof typeof EXTENSIONS)]);

  it.each(documents)('has in $file the merge keys, list types, words and required fields of the facts', ({ file }) => {
    const schemas = schemasOf(readDocument(file));
    let mergeKeys = 0;
    for (const model of models) {
      const { fields = [] } = types[model] ?? {};
      const schema = schemas[model];
      expect({ model, fields: Object.keys(schema?.properties ?? {}) }).toEqual({ model, fields: fields.map(({ name }) => name) });
      const required = fields.filter((field) => field.specRequired ?? field.required).map(({ name }) => name);
      expect({ model, required: schema?.required ?? [] }).toEqual({ model, required });
      for (const field of fields) {
        const property: Schema = schema?.properties?.[field.name] ?? {};
        const at = `${model} ${field.name}`;
        expect([at, extensionsOf((keyword) => property[keyword])]).toEqual([at, extensionsOf((keyword) => EXTENSIONS[keyword](field))]);
        if (field['patchMergeKey'] !== undefined) mergeKeys += 1;
      }
    }
    expect(mergeKeys).toBeGreaterThan(15);
  });

  it.each(documents)('has in $file the defaults of the facts where clients expect them', ({ file, defaults }) => {
    const schemas = schemasOf(readDocument(file));
    for (const model of models) {
      for (const { name, openapiDefault, enum: words } of types[model]?.fields ?? []) {
        expect([model, name, schemas[model]?.properties?.[name]?.['default']]).toEqual([
          model,
          name,
          // The empty text is no default of a field that takes certain words only.
          defaults && (words === undefined || openapiDefault !== '') ? openapiDefault : undefined,
        ]);
      }
    }
  });

  it('gives the texts in a map a default in 3.0, but not the bytes', () => {
    const secret = schemasOf(versionThree('v1'))['io.k8s.api.core.v1.Secret'];
    expect(secret?.properties?.['stringData']).toMatchObject({ additionalProperties: { type: 'string', default: '' } });
    expect(secret?.properties?.['data']).toHaveProperty('additionalProperties', { type: 'string', format: 'byte' });
  });

  it('refers in 3.0 through allOf where something stands beside the reference, and writes scalars as they travel', () => {
    const schemas = schemasOf(readDocument(BATCH));
    expect(schemas['io.k8s.api.batch.v1.CronJob']?.properties?.['spec']).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.batch.v1.CronJobSpec' }],
      default: {},
    });
    expect(schemas['io.k8s.api.core.v1.Container']?.properties?.['args']).toMatchObject({
      type: 'array',
      items: { type: 'string', default: '' },
    });
    expect(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']).toMatchObject({ oneOf: [{ type: 'string' }, { type: 'number' }] });
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toMatchObject({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(schemas[`${META}.Time`]).toMatchObject({ type: 'string', format: 'date-time' });
    for (const document of documentFiles().map(readDocument)) {
      for (const property of Object.values(schemasOf(document)).flatMap(({ properties = {} }) => Object.values(properties))) {
        if (document.components !== undefined && property.$ref !== undefined) expect(Object.keys(property)).toEqual(['$ref']);
      }
    }
  });

  it('writes quantities and numbers-or-strings as strings in 2.0', () => {
    const schemas = schemasOf(readDocument('v2.json'));
    expect(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']).toMatchObject({ type: 'string' });
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toMatchObject({ type: 'string', format: 'int-or-string' });
  });

  it('is known by its group, version and kind; options and watch events by those of every group version', () => {
    const gvksIn = (file: string, model: string) => schemasOf(readDocument(file))[model]?.['x-kubernetes-group-version-kind'];
    const batch = (kind: string) => ({ group: 'batch', version: 'v1', kind });
    const core = (kind: string) => ({ group: '', version: 'v1', kind });
    for (const { file } of documents) {
      expect(gvksIn(file, 'io.k8s.api.batch.v1.CronJob')).toEqual([batch('CronJob')]);
      expect(gvksIn(file, 'io.k8s.api.batch.v1.CronJobList')).toEqual([batch('CronJobList')]);
      expect(gvksIn(file, `${META}.Status`)).toEqual([core('Status')]);
    }
    for (const kind of ['DeleteOptions', 'WatchEvent']) {
      expect(gvksIn(BATCH, `${META}.${kind}`)).toEqual([core(kind), batch(kind)]);
      const groups = gvksIn('v2.json', `${META}.${kind}`)?.map(({ group }) => group);
      const ofReviews = ['authentication.k8s.io', 'authorization.k8s.io'];
      expect(groups?.toSorted()).toEqual([...new Set(['', ...ofReviews, ...KINDS.map(({ group }) => group)])].toSorted());
    }
  });
});
