import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import { checkApiVersion } from './api-version.ts';

const KIND = 'StorageVersion';
const named = (name: string): JsonObject => ({ metadata: { name }, spec: {} });
const withStatus = (name: string, status: JsonObject): JsonObject => ({ ...named(name), status });
const entry = (more: JsonObject = {}): JsonObject => ({
  apiServerID: 'server-1',
  encodingVersion: 'batch/v1',
  decodableVersions: ['batch/v1', 'batch/v1beta1'],
  servedVersions: ['batch/v1'],
  ...more,
});
const condition = (more: JsonObject = {}): JsonObject => ({
  type: 'AllEncodingVersionsEqual',
  status: 'True',
  reason: 'CommonEncodingVersionSet',
  message: 'Common encoding version set',
  ...more,
});
const common = { commonEncodingVersion: 'batch/v1' };
const of = (more: JsonObject): JsonObject => ({ storageVersions: [entry(more)], ...common });
const conditions = (...all: readonly JsonObject[]): JsonObject => ({ conditions: all });
const at = (field: string) => `status.storageVersions[0].${field}`;

describe('A StorageVersion', () => {
  let rules: Rules;
  let made = 0;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const update = async (status: JsonObject, subresource: '' | 'status') => {
    const name = `batch.r${++made}`;
    return rules.update(KIND, named(name), withStatus(name, status), subresource);
  };

  it.each(['batch.cronjobs', 'internal.apiserver.k8s.io.storageversions', '1.a', 'a-b.c-d'])('may be named %s', async (name) => {
    expect((await rules.create(KIND, named(name))).causes).toEqual([]);
  });

  it.each([
    ['cronjobs', ['name must be in the form of <group>.<resource>']],
    ['batch.1jobs', ['the resource segment a DNS-1035 label']],
    ['batch.cron_jobs', ['the resource segment a DNS-1035 label']],
    ['batch.', ['the resource segment a DNS-1035 label']],
    ['.cronjobs', ['the group segment a lowercase RFC 1123 subdomain']],
    ['Batch.Jobs', ['the group segment a lowercase RFC 1123 subdomain', 'the resource segment a DNS-1035 label']],
    [`${'a'.repeat(254)}.b`, ['the group segment must be no more than 253 characters']],
    [`a.${'b'.repeat(64)}`, ['the resource segment must be no more than 63 characters']],
  ])('may not be named %s', async (name, expected) => {
    const refused = await rules.create(KIND, named(name));
    expect(refused.causes).toEqual(expected.map(() => 'Invalid metadata.name'));
    expect(refused.messages['metadata.name']).toContain(expected.at(-1));
  });

  it('is created without its status, whatever that is', async () => {
    const { causes, object } = await rules.create(KIND, withStatus('batch.reset', of({ apiServerID: '_' })));
    expect({ causes, status: object?.['status'] }).toEqual({ causes: [], status: {} });
  });

  describe.each(['', 'status'] as const)('on its path "%s"', (subresource) => {
    it.each<[string, JsonObject]>([
      ['nothing', {}],
      ['one server', of({})],
      [
        'a version without a group',
        {
          storageVersions: [entry({ encodingVersion: 'v1', decodableVersions: ['v1'], servedVersions: ['v1'] })],
          commonEncodingVersion: 'v1',
        },
      ],
      ['servers that agree', { storageVersions: [entry(), entry({ apiServerID: 'server-2.example.com' })], ...common }],
      ['servers that differ', { storageVersions: [entry(), entry({ apiServerID: 'b', encodingVersion: 'batch/v1beta1' })] }],
      [
        'conditions',
        { ...of({}), ...conditions(condition(), condition({ type: 'example.com/Other', status: 'Unknown', observedGeneration: 3 })) },
      ],
    ])('takes %s, and gives it back', async (_, status) => {
      const { causes, object } = await update(status, subresource);
      expect(causes).toEqual([]);
      expect(object?.['status']).toMatchObject(status);
    });

    it.each<[string, JsonObject, readonly string[]]>([
      ['a server that is no subdomain', of({ apiServerID: 'Server_1' }), [`Invalid ${at('apiServerID')}`]],
      ['a server twice', { storageVersions: [entry(), entry()], ...common }, ['Duplicate status.storageVersions[1].apiServerID']],
      ['a server without a name', of({ apiServerID: undefined }), [`Invalid ${at('apiServerID')}`]],
      [
        'an encodingVersion that is none',
        {
          storageVersions: [entry({ encodingVersion: 'Batch/v1', decodableVersions: ['Batch/v1'], servedVersions: [] })],
          commonEncodingVersion: 'Batch/v1',
        },
        [`Invalid ${at('encodingVersion')}`, `Invalid ${at('decodableVersions[0]')}`],
      ],
      [
        'no encodingVersion',
        { storageVersions: [entry({ encodingVersion: undefined })], commonEncodingVersion: '' },
        [`Invalid ${at('encodingVersion')}`, `Invalid ${at('decodableVersions')}`],
      ],
      [
        'a decodable version that is none',
        of({ decodableVersions: ['batch/v1', 'batch/v1/x'] }),
        [`Invalid ${at('decodableVersions[1]')}`],
      ],
      [
        'an encodingVersion that cannot be decoded',
        of({ decodableVersions: ['batch/v2'], servedVersions: [] }),
        [`Invalid ${at('decodableVersions')}`],
      ],
      ['no decodableVersions', of({ decodableVersions: undefined, servedVersions: [] }), [`Invalid ${at('decodableVersions')}`]],
      ['a served version that cannot be decoded', of({ servedVersions: ['batch/v2'] }), [`Invalid ${at('servedVersions[0]')}`]],
      [
        'a served version that is none',
        of({ servedVersions: ['batch/v1', 'batch/1'] }),
        [`Invalid ${at('servedVersions[1]')}`, `Invalid ${at('servedVersions[1]')}`],
      ],
      ['no common version where there is one', { storageVersions: [entry()] }, ['Invalid status.commonEncodingVersion']],
      ['an empty common version', { storageVersions: [entry()], commonEncodingVersion: '' }, ['Invalid status.commonEncodingVersion']],
      [
        'another common version',
        { storageVersions: [entry()], commonEncodingVersion: 'batch/v2' },
        ['Invalid status.commonEncodingVersion'],
      ],
      ['a common version of nobody', common, ['Invalid status.commonEncodingVersion']],
      [
        'a common version of servers that differ',
        { storageVersions: [entry(), entry({ apiServerID: 'b', encodingVersion: 'batch/v1beta1' })], ...common },
        ['Invalid status.commonEncodingVersion'],
      ],
      ['a condition twice', conditions(condition(), condition({ status: 'False' })), ['Invalid status[1].type']],
      ['a type that is no qualified name', conditions(condition({ type: 'a b' })), ['Invalid status[0].type']],
      ['a status that is none', conditions(condition({ status: 'Maybe' })), ['NotSupported status[0].status']],
      ['no reason', conditions(condition({ reason: '' })), ['Required status[0].reason']],
      ['no message', conditions(condition({ message: '' })), ['Required status[0].message']],
      [
        'a condition that says nothing',
        conditions({}),
        [
          'Invalid status[0].type',
          'Invalid status[0].type',
          'NotSupported status[0].status',
          'Required status[0].reason',
          'Required status[0].message',
        ],
      ],
      [
        'everything at once',
        {
          ...of({ apiServerID: '_', servedVersions: ['batch/v2'] }),
          commonEncodingVersion: 'x',
          ...conditions(condition({ status: '', reason: '' })),
        },
        [
          `Invalid ${at('apiServerID')}`,
          `Invalid ${at('servedVersions[0]')}`,
          'Invalid status.commonEncodingVersion',
          'NotSupported status[0].status',
          'Required status[0].reason',
        ],
      ],
    ])('refuses %s', async (_, status, causes) => {
      expect((await update(status, subresource)).causes).toEqual(causes);
    });
  });

  it('says what the common version is', async () => {
    const message = async (status: JsonObject) => (await update(status, '')).messages['status.commonEncodingVersion'];
    expect(await message({ storageVersions: [entry()] })).toBe('Invalid value: null: the common encoding version is batch/v1');
    expect(await message({ storageVersions: [entry()], commonEncodingVersion: 'x' })).toBe(
      'Invalid value: "x": the actual common encoding version is batch/v1',
    );
  });
});

describe('An apiVersion', () => {
  it.each(['v1', 'batch/v1', 'internal.apiserver.k8s.io/v1alpha1'])('%s is one', (text) => {
    expect(checkApiVersion(text)).toEqual([]);
  });

  it.each([
    ['', ['version part: must be non-empty']],
    ['/v1', ['group part: must be non-empty']],
    ['batch/', ['version part: must be non-empty']],
    ['/', ['group part: must be non-empty', 'version part: must be non-empty']],
    [
      'a_b/1',
      [expect.stringContaining('group part: a lowercase RFC 1123 subdomain'), expect.stringContaining('version part: a DNS-1035 label')],
    ],
    ['a/b/c', [expect.stringContaining('an apiVersion is')]],
  ])('%j is none', (text, causes) => {
    expect(checkApiVersion(text)).toEqual(causes);
  });
});
