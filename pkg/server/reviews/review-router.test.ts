/** Reviews through the whole chain, with authorizers that deny some requests. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openInProcessApi, type InProcessApi } from '../../../test/support/in-process-api.ts';

const JSON_TYPE = 'application/json';
const ACCESS = '/apis/authorization.example.io/v1/selfsubjectaccessreviews';
const RULES = '/apis/authorization.example.io/v1/selfsubjectrulesreviews';
const WHO = '/apis/authentication.example.io/v1/selfsubjectreviews';

const resourceRules = [{ verbs: ['create'], apiGroups: ['*'], resources: ['*'] }];
let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({
    authorize: ({ user, verb }) => {
      if (user.name !== 'system:unsecured') throw new Error(`somebody else is asked about: ${user.name}`);
      if (verb === 'create' || verb === 'list' || verb === 'watch') return { decision: 'allow', reason: 'it is a friend' };
      return verb === 'delete' ? { decision: 'deny', reason: 'nothing is lost here' } : { decision: 'noOpinion' };
    },
    rulesFor: (user, namespace) => ({
      resourceRules: namespace === 'default' ? resourceRules : [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: `of ${user.name} not all is known`,
    }),
  });
});
afterAll(() => api.close());

const post = async (path: string, body: unknown) => api.send('POST', path, body, JSON_TYPE);
const mayI = async (verb: string) => (await post(ACCESS, { spec: { resourceAttributes: { verb } } })).body.status;

describe('A review', () => {
  it('tells what the authorizer says of whoever asks', async () => {
    expect(await mayI('create')).toEqual({ allowed: true, reason: 'it is a friend' });
    expect(await mayI('delete')).toEqual({ allowed: false, denied: true, reason: 'nothing is lost here' });
    expect(await mayI('get')).toEqual({ allowed: false });
    const rules = await post(RULES, { spec: { namespace: 'default' } });
    expect(rules.body.status).toEqual({
      resourceRules,
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'of system:unsecured not all is known',
    });
    expect((await post(RULES, { spec: { namespace: 'other' } })).body.status).toMatchObject({ resourceRules: [] });
    expect((await post(WHO, {})).body.status).toEqual({
      userInfo: { username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  it('can be asked by whoever may create it, and by nobody else', async () => {
    const { code, body } = await api.send('DELETE', ACCESS, '', JSON_TYPE);
    expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', expect.stringMatching(/cannot deletecollection/)]);
    expect((await api.send('GET', ACCESS, '')).code).toBe(405);
  });

  it('names who sent which field of the question, as if it were stored', async () => {
    const { body } = await post(ACCESS, {
      metadata: { namespace: 'lost', uid: 'lost', creationTimestamp: '2020-01-01T00:00:00Z', managedFields: [{ manager: 'lost' }] },
      spec: { resourceAttributes: { verb: 'create', group: 'batch' } },
    });
    expect(body.metadata).toEqual({
      managedFields: [
        {
          manager: 'tester',
          operation: 'Update',
          apiVersion: 'authorization.example.io/v1',
          time: expect.stringMatching(/^20..-..-..T..:..:..Z$/),
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:resourceAttributes': { '.': {}, 'f:group': {}, 'f:verb': {} } } },
        },
      ],
    });
  });

  it('leaves 404 to what is below it, beside it and around it', async () => {
    for (const path of [
      `${ACCESS}/a`,
      `${ACCESS}/a/status`,
      ACCESS.replace('/v1/', '/v1/namespaces/a/'),
      ACCESS.replace('selfsubjectaccess', 'nosubjectaccess'),
    ]) {
      expect([path, (await api.send('POST', path, '{}', JSON_TYPE)).code]).toEqual([path, 404]);
    }
  });
});
