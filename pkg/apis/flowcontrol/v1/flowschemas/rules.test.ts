import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { JsonObject, JsonValue } from '../../../../apimachinery/json/json-value.ts';
import { MANDATORY } from '../bootstrap.ts';

const KIND = 'FlowSchema';
const JANE = { kind: 'User', user: { name: 'jane' } };
const METRICS = { verbs: ['get'], nonResourceURLs: ['/metrics'] };
const RULE = { subjects: [JANE], nonResourceRules: [METRICS] };
const spec = (more: JsonObject = {}): JsonObject => ({ priorityLevelConfiguration: { name: 'exempt' }, ...more });
const withRule = (more: JsonObject): JsonObject => spec({ rules: [{ ...RULE, ...more }] });
const withSubject = (subject: JsonObject): JsonObject => withRule({ subjects: [subject] });
const withResources = (more: JsonObject): JsonObject =>
  withRule({ resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], ...more }] });
const withPaths = (more: JsonObject): JsonObject => withRule({ nonResourceRules: [{ ...METRICS, ...more }] });

describe('A FlowSchema', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it('has the precedence 1000 when it names none', async () => {
    const { object } = await rules.create(KIND, { spec: spec({ matchingPrecedence: 0 }) });
    expect(object).toMatchObject({ spec: { matchingPrecedence: 1000 }, status: {}, metadata: { generation: 1 } });
  });

  it.each<[string, JsonObject]>([
    ['no rules', spec()],
    ['the highest precedence', spec({ matchingPrecedence: 10_000 })],
    ['a method', spec({ distinguisherMethod: { type: 'ByNamespace' } })],
    ['all service accounts of a namespace', withSubject({ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } })],
    ['only requests outside of namespaces', withResources({ namespaces: [], clusterScope: true })],
    ['the verb proxy', withResources({ verbs: ['proxy'] })],
    ['a path and all below', withPaths({ nonResourceURLs: ['/', '/a/*'] })],
  ])('may have %s', async (_, valid) => {
    expect((await rules.create(KIND, { spec: valid })).causes).toEqual([]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['no level', { matchingPrecedence: 5 }, ['Required spec.priorityLevelConfiguration.name']],
    ['a level with a wrong name', { priorityLevelConfiguration: { name: 'A' } }, ['Invalid spec.priorityLevelConfiguration.name']],
    ['a negative precedence', spec({ matchingPrecedence: -1 }), ['Invalid spec.matchingPrecedence']],
    ['a precedence above 10,000', spec({ matchingPrecedence: 10_001 }), ['Invalid spec.matchingPrecedence']],
    ['the precedence of exempt', spec({ matchingPrecedence: 1 }), ['Invalid spec.matchingPrecedence']],
    ['an unknown method', spec({ distinguisherMethod: { type: 'x' } }), ['NotSupported spec.distinguisherMethod.type']],
    ['a rule without subjects', withRule({ subjects: [] }), ['Required spec.rules[0].subjects']],
    ['a rule without anything else', withRule({ nonResourceRules: [] }), ['Required spec.rules[0]']],
    ['an unknown kind of subject', withSubject({ kind: 'x' }), ['NotSupported spec.rules[0].subjects[0].kind']],
    ['a user without a name', withSubject({ kind: 'User', user: {} }), ['Required spec.rules[0].subjects[0].user.name']],
    ['no user', withSubject({ kind: 'User' }), ['Required spec.rules[0].subjects[0].user']],
    [
      'a group besides a user',
      withSubject({ ...JANE, group: { name: 'a' }, serviceAccount: { namespace: 'a', name: 'a' } }),
      ['Forbidden spec.rules[0].subjects[0].serviceAccount', 'Forbidden spec.rules[0].subjects[0].group'],
    ],
    ['no group', withSubject({ kind: 'Group' }), ['Required spec.rules[0].subjects[0].group']],
    [
      'a service account without names',
      withSubject({ kind: 'ServiceAccount', serviceAccount: {} }),
      ['Required spec.rules[0].subjects[0].serviceAccount.name', 'Required spec.rules[0].subjects[0].serviceAccount.namespace'],
    ],
    [
      'a service account with wrong names',
      withSubject({ kind: 'ServiceAccount', serviceAccount: { namespace: 'A', name: 'A' } }),
      ['Invalid spec.rules[0].subjects[0].serviceAccount.name', 'Invalid spec.rules[0].subjects[0].serviceAccount.namespace'],
    ],
    [
      'empty lists',
      withResources({ verbs: [], apiGroups: [], resources: [], namespaces: [] }),
      ['verbs', 'apiGroups', 'resources', 'namespaces'].map((name) => `Required spec.rules[0].resourceRules[0].${name}`),
    ],
    [
      'a star among others',
      withResources({ verbs: ['*', 'get'], apiGroups: ['*', ''], resources: ['*', 'a'], namespaces: ['*', 'a'] }),
      ['verbs', 'apiGroups', 'resources', 'namespaces'].map((name) => `Invalid spec.rules[0].resourceRules[0].${name}`),
    ],
    ['an unknown verb', withResources({ verbs: ['post'] }), ['NotSupported spec.rules[0].resourceRules[0].verbs']],
    ['a wrong namespace', withResources({ namespaces: ['A'] }), ['Invalid spec.rules[0].resourceRules[0].namespaces[0]']],
    ['no paths', withPaths({ nonResourceURLs: [] }), ['Required spec.rules[0].nonResourceRules[0].nonResourceURLs']],
    ['a star among paths', withPaths({ nonResourceURLs: ['*', '/a'] }), ['Invalid spec.rules[0].nonResourceRules[0].nonResourceURLs']],
  ])('may not have %s', async (_, wrong, causes) => {
    expect((await rules.create(KIND, { spec: wrong })).causes).toEqual(causes);
  });

  it.each([
    ['', 'must not be empty'],
    ['a', 'must start with slash'],
    ['/a b', 'must not contain white-space'],
    ['/a//b', 'must not contain double slash'],
    ['/a*', 'wildcard can only do suffix matching'],
    ['/*/a/*', 'wildcard can only do suffix matching'],
  ])('may not name the path %j', async (url, why) => {
    const { messages } = await rules.create(KIND, { spec: withPaths({ nonResourceURLs: [url] }) });
    expect(messages).toEqual({ 'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]': `Invalid value: ${JSON.stringify(url)}: ${why}` });
  });

  it('of a mandatory name has the fixed spec', async () => {
    const fixed = MANDATORY.flowSchemas['catch-all'] as unknown as JsonObject;
    const create = (more: JsonObject) => rules.create(KIND, { metadata: { name: 'catch-all' }, spec: { ...fixed, ...more } });
    const { messages } = await create({ rules: [] });
    expect(messages).toEqual({
      spec:
        'Invalid value: {"PriorityLevelConfiguration":{"Name":"catch-all"},"MatchingPrecedence":10000,' +
        '"DistinguisherMethod":{"Type":"ByUser"},"Rules":[]}: spec of \'catch-all\' must equal the fixed value',
    });
    expect((await create({})).causes).toEqual([]);
  });

  it('has each condition once, with a type', async () => {
    const conditions: JsonValue = [{ type: 'A' }, { type: 'A' }, { status: 'True' }];
    const { causes } = await rules.update(KIND, { spec: spec() }, { status: { conditions } }, 'status');
    expect(causes).toEqual(['Duplicate status.conditions[1].type', 'Required status.conditions[2].type']);
  });

  it('keeps all its metadata when its status is written', async () => {
    const metadata = { labels: { a: 'b' }, annotations: { a: 'b' }, generation: 5 };
    const { object } = await rules.update(KIND, { spec: spec() }, { metadata, status: { conditions: [{ type: 'A' }] } }, 'status');
    expect(object).toMatchObject({ metadata: { generation: 1 }, status: { conditions: [{ type: 'A' }] } });
    expect(object?.['metadata']).not.toHaveProperty('labels');
  });
});
