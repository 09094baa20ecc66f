/**
 * Patches that are wrong in random places never hurt the server: it takes or refuses each, and what it took is an
 * object like any other.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KINDS } from '../registry/test-registry.ts';
import {
  APPLY,
  type InProcessAnswer,
  type InProcessApi,
  JSON_PATCH,
  MERGE,
  openInProcessApi,
  STRATEGIC,
} from '../support/in-process-api.ts';
import { toJsonText } from '../support/json-token.ts';
import { itemPath, kindCase } from '../support/kinds.ts';
import { mutated } from '../support/mutations.ts';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { inGroupsOf, type kindSample, kindSampleText } from '../support/kind-samples.ts';
import { variation } from '../support/shape-values.ts';

const NAMESPACE = 'default';
const REFUSED = [400, 409, 413, 422];
const DIRECTIVES: readonly object[] = [
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $retainKeys: ['name'] },
  { '$setElementOrder/finalizers': ['a'] },
  { '$deleteFromPrimitiveList/finalizers': ['a'] },
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Every place in a value, as a JSON pointer, and some that are not there. */
function* pointersIn(value: unknown, at = ''): Generator<string> {
  yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pointersIn(inner, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  yield Array.isArray(value) ? `${at}/-` : `${at}/__proto__`;
}

describe.each(KINDS)('A patch of a $definition.kind that is wrong in random places', ({ definition, shape }) => {
  let api: InProcessApi;
  const { kind, apiVersion, namespaced } = definition;
  const { name } = kindCase(kind).sample('h', NAMESPACE).metadata;
  const item = itemPath(definition, NAMESPACE, name);
  const paths = [item, ...definition.subresources.filter(({ verbs }) => verbs.includes('patch')).map((below) => `${item}/${below.name}`)];
  const sample = () => {
    const realistic = JSON.parse(inGroupsOf('example.io', kindSampleText(kind, 'realistic'))) as ReturnType<typeof kindSample>;
    const { resourceVersion: _, uid: _uid, creationTimestamp: _time, managedFields: _owners, ...metadata } = realistic.metadata;
    return { ...realistic, kind, apiVersion, metadata: { ...metadata, name, ...(namespaced ? { namespace: NAMESPACE } : {}) } };
  };
  beforeAll(async () => {
    api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
  });
  afterAll(() => api.close());

  const pointer = fc.constantFrom(...pointersIn(sample()));
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'test', 'move', 'copy', 'odd'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue() as fc.Arbitrary<Json>,
    },
    { requiredKeys: ['op', 'path'] },
  );
  const operations = fc.array(operation, { maxLength: 4 });
  const object = variation(shape, sample());
  const directed = fc
    .tuple(object, fc.constantFrom('metadata', 'spec', ''), fc.constantFrom(...DIRECTIVES))
    .map(([body, place, directive]) =>
      place === '' ? { ...body, ...directive } : { ...body, [place]: { ...Reflect.get(body, place), ...directive } },
    );
  const patches: fc.Arbitrary<readonly [string, string]> = fc.oneof(
    fc.tuple(fc.constantFrom(MERGE, STRATEGIC, APPLY, APPLY), fc.oneof(mutated(sample), object.map(toJsonText))),
    fc.tuple(fc.constant(STRATEGIC), directed.map(toJsonText)),
    fc.tuple(fc.constant(JSON_PATCH), operations.map(toJsonText)),
    fc.tuple(fc.constant(JSON_PATCH), fc.oneof(mutated(() => [{ op: 'copy', from: '/metadata', path: '/metadata/labels', value: 1 }]))),
  );

  const expectSane = (answer: InProcessAnswer): void => {
    if (answer.code !== 200 && answer.code !== 201 && !REFUSED.includes(answer.code))
      throw new Error(`${answer.code} ${answer.text.slice(0, 1000)}`);
  };

  it(
    'is taken or refused, and what comes out can be sent back unchanged',
    async () => {
      const property = fc.asyncProperty(fc.constantFrom(...paths), patches, fc.boolean(), async (path, [type, body], force) => {
        const current = await api.send('GET', item, '');
        if (current.code === 404)
          expect((await api.send('PATCH', `${item}?fieldManager=first`, toJsonText(sample()), APPLY)).code).toBe(201);
        const query = type === APPLY ? `?fieldManager=hostile${force ? '&force=true' : ''}` : '';
        expectSane(await api.send('PATCH', path + query, body, type));
        const read = await api.send('GET', item, '');
        const again = await api.send('PUT', item, read.text, 'application/json');
        expect([again.code, again.text]).toEqual([200, read.text]);
      });
      await fc.assert(property, propertyRuns(60));
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
    propertyTimeoutMs,
  );
});
