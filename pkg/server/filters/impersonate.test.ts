import { describe, expect, it } from '@jest/globals';
import { testContext } from '../../../test/support/request-context.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { AccessRequest } from '../../authorization/authorizer.ts';
import { createMetrics } from '../../observability/metrics.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { impersonate } from './impersonate.ts';
import { parseRequestInfo } from './parse-request-info.ts';
import { parseQuery } from './query.ts';

const LIST = '/api/v1/namespaces/default/configmaps';
const alice: UserInfo = { name: 'alice', groups: ['developers', 'system:authenticated'] };

const measured = { metrics: createMetrics({ version: '', now: () => 0, processMetrics: false }), monotonicNow: () => 0 };

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly repeatedHeaders?: ApiRequest['repeatedHeaders'];
  readonly path?: string;
  readonly user?: UserInfo;
}

/** What an authorizer is asked, in one line: `impersonate groups g` */
const spell = (request: AccessRequest): string =>
  request.isResource
    ? [
        request.verb,
        request.group,
        request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`,
        request.namespace,
        request.name,
      ]
        .filter((part) => part !== '')
        .join(' ')
    : `${request.verb} ${request.path}`;

/** `allowed`: the permissions of the sender. */
function createFilter(allowed: readonly (string | RegExp)[]) {
  const questions: string[] = [];
  let continuedAs: { readonly user: UserInfo; readonly impersonator: UserInfo | undefined } | undefined;
  const step = impersonate({
    ...measured,
    authenticationGroup: 'authentication.k8s.io',
    authorizer: {
      authorize: (request) => {
        const asked = spell(request);
        questions.push(asked);
        return { decision: allowed.some((each) => (typeof each === 'string' ? each === asked : each.test(asked))) ? 'allow' : 'noOpinion' };
      },
    },
  })<ReturnType<typeof testContext>>(async ({ user, impersonator }): Promise<ApiResponse> => {
    continuedAs = { user, impersonator };
    return { code: 200, headers: {}, body: [] };
  });
  const ask = async ({ headers, repeatedHeaders, path = LIST, user = alice }: Asked) => {
    continuedAs = undefined;
    questions.length = 0;
    const request: ApiRequest = {
      method: 'GET',
      path,
      query: '',
      headers,
      repeatedHeaders,
      protocol: 'http/1.1',
      secure: true,
      remoteAddress: '192.0.2.1',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    };
    const answer = await step(testContext(request, { user, info: parseRequestInfo('GET', path, parseQuery('')) }));
    const text = 'body' in answer ? Buffer.concat(answer.body).toString('utf8') : '';
    return {
      code: answer.code,
      message: text === '' ? '' : (JSON.parse(text) as { message: string }).message,
      continuedAs,
      questions: [...questions],
    };
  };
  return ask;
}

const EVERYTHING = [/./];

describe('Impersonation', () => {
  it('is what a request without its headers does not ask for', async () => {
    const ask = createFilter([]);
    for (const headers of [{}, { 'impersonate-user': '' }, { 'impersonate-foo': 'x' }, { 'x-impersonate-user': 'jane' }]) {
      const { code, continuedAs, questions } = await ask({ headers });
      expect([code, continuedAs, questions]).toEqual([200, { user: alice, impersonator: undefined }, []]);
    }
  });

  it.each<[Asked, object]>([
    [{ headers: { 'impersonate-user': 'jane' } }, { name: 'jane', groups: ['system:authenticated'] }],
    [{ headers: { 'impersonate-user': Buffer.from('jörg').toString('latin1') } }, { name: 'jörg', groups: ['system:authenticated'] }],
    [{ headers: { 'impersonate-user': 'system:anonymous' } }, { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
    [
      { headers: { 'impersonate-user': 'system:serviceaccount:ns:bot' } },
      { name: 'system:serviceaccount:ns:bot', groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'] },
    ],
    [
      { headers: { 'impersonate-user': 'system:serviceaccount:ns:bot', 'impersonate-group': 'g' } },
      { name: 'system:serviceaccount:ns:bot', groups: ['g', 'system:authenticated'] },
    ],
    [{ headers: { 'impersonate-user': 'system:node:n1' } }, { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }],
    [
      { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' } },
      { name: 'jane', groups: ['system:unauthenticated'] },
    ],
    [
      {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-group': 'g1, g2, g3',
          'impersonate-uid': 'u1',
          'impersonate-extra-example.com%2freason': 'x, y',
          'impersonate-extra-scopes': 'z',
        },
        repeatedHeaders: new Map([
          ['impersonate-group', ['g1', 'g2, g3']],
          ['impersonate-extra-example.com%2freason', ['x', 'y']],
        ]),
      },
      {
        name: 'jane',
        uid: 'u1',
        groups: ['g1', 'g2, g3', 'system:authenticated'],
        extra: { 'example.com/reason': ['x', 'y'], scopes: ['z'] },
      },
    ],
  ])('continues as the user of the headers: %j', async (asked, user) => {
    expect((await createFilter(EVERYTHING)(asked)).continuedAs).toEqual({ user, impersonator: alice });
  });

  it.each([
    [{ 'impersonate-group': 'g' }, 'UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)'],
    [{ 'impersonate-uid': '1' }, 'UID:"1", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    [{ 'impersonate-extra-a': 'b' }, 'UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"b"}}'],
  ])('needs the name of a user: %j', async (headers, shown) => {
    await expect(async () => createFilter(EVERYTHING)({ headers })).rejects.toMatchObject({
      reason: 'BadRequest',
      message: `requested &user.DefaultInfo{Name:"", ${shown}} without impersonating a user name`,
    });
  });

  it.each<[Asked, string]>([
    [
      { headers: { 'impersonate-user': 'jane' } },
      'configmaps is forbidden: User "alice" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      { headers: { 'impersonate-user': 'system:serviceaccount:default:bot' } },
      'configmaps is forbidden: User "alice" cannot impersonate-on:serviceaccount:list resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      { headers: { 'impersonate-user': 'system:node:n1' } },
      'configmaps is forbidden: User "alice" cannot impersonate-on:arbitrary-node:list resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      { headers: { 'impersonate-user': 'system:serviceaccount:default:bot', 'impersonate-group': 'g' } },
      'serviceaccounts "bot" is forbidden: User "alice" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
    ],
    [
      { headers: { 'impersonate-user': 'jane' }, path: '/livez' },
      'forbidden: User "alice" cannot impersonate-on:user-info:get path "/livez"',
    ],
  ])('is forbidden in the words of Kubernetes: %j', async (asked, message) => {
    const answer = await createFilter([])(asked);
    expect([answer.code, answer.message, answer.continuedAs]).toEqual([403, message, undefined]);
  });

  it('needs a permission for each part that is asked for', async () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': 'g',
      'impersonate-uid': 'u',
      'impersonate-extra-example.com%2fa': 'b',
    };
    const old = [
      'impersonate users jane',
      'impersonate authentication.k8s.io uids u',
      'impersonate groups g',
      'impersonate authentication.k8s.io userextras/example.com/a b',
    ];
    const on = 'impersonate-on:user-info:list configmaps default';
    const constrained = ['users jane', 'uids u', 'groups g', 'userextras/example.com/a b'].map(
      (what) => `impersonate:user-info authentication.k8s.io ${what}`,
    );
    for (const allowed of [old, [on, ...constrained]]) {
      expect((await createFilter(allowed)({ headers })).code).toBe(200);
      for (const missing of allowed) expect((await createFilter(allowed.filter((each) => each !== missing))({ headers })).code).toBe(403);
    }
  });

  it('in a constrained mode does not reach the group of admins, nor what is not spelled properly', async () => {
    const ask = createFilter([/^impersonate(-on)?:/]);
    const refusal = async (more: Readonly<Record<string, string>>) =>
      (await ask({ headers: { 'impersonate-user': 'jane', ...more } })).message;
    expect(await refusal({ 'impersonate-group': 'system:masters' })).toMatch(/: impersonating the system:masters group is not allowed$/);
    expect(await refusal({ 'impersonate-group': '' })).toMatch(/: impersonating the empty string group is not allowed$/);
    expect(await refusal({ 'impersonate-extra-a': 'b' })).toMatch(
      /: impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "a": must be a domain-prefixed path \(such as "acme.io\/foo"\)$/,
    );
    expect(await refusal({ 'impersonate-extra-example.com%2f%41': 'b' })).toMatch(
      /non-lowercase key in extra is not allowed: "example.com\/A"$/,
    );
    expect(await refusal({ 'impersonate-extra-example.com%2fa': '' })).toMatch(/empty string value in extra is not allowed$/);
  });

  it('asks once for many groups or values', async () => {
    const values = ['a', 'b', 'c', 'd'];
    const { code, questions } = await createFilter([/^impersonate-on:/, / users jane$/, / \*$/])({
      headers: { 'impersonate-user': 'jane', 'impersonate-group': 'a, b, c, d', 'impersonate-extra-example.com%2fa': 'a, b, c, d' },
      repeatedHeaders: new Map([
        ['impersonate-group', values],
        ['impersonate-extra-example.com%2fa', values],
      ]),
    });
    expect(code).toBe(200);
    expect(questions.slice(2)).toEqual([
      'impersonate:user-info authentication.k8s.io groups *',
      'impersonate:user-info authentication.k8s.io userextras/* *',
    ]);
  });

  it('of the node that a token is bound to needs no permission for that node alone', async () => {
    const allowed = ['impersonate-on:associated-node:list configmaps default', 'impersonate:associated-node authentication.k8s.io nodes *'];
    const agent = { name: 'system:serviceaccount:ns:agent', groups: [], extra: { 'authentication.kubernetes.io/node-name': ['n1'] } };
    const as = async (user: UserInfo, node: string) =>
      (await createFilter(allowed)({ headers: { 'impersonate-user': `system:node:${node}` }, user })).code;
    expect([await as(agent, 'n1'), await as(agent, 'n2'), await as({ ...agent, name: 'jane' }, 'n1')]).toEqual([200, 403, 403]);
  });

  it('first tries the mode that was enough for the sender before', async () => {
    const ask = createFilter(['impersonate users jane']);
    const headers = { 'impersonate-user': 'jane' };
    expect((await ask({ headers })).questions).toEqual(['impersonate-on:user-info:list configmaps default', 'impersonate users jane']);
    expect((await ask({ headers })).questions).toEqual(['impersonate users jane']);
  });

  it('reports what breaks while permissions are looked up', async () => {
    const step = impersonate({
      ...measured,
      authenticationGroup: 'authentication.k8s.io',
      authorizer: { authorize: () => Promise.reject(new Error('the rules are not loaded')) },
    })<ReturnType<typeof testContext>>(async () => ({ code: 200, headers: {}, body: [] }));
    const context = testContext({
      method: 'GET',
      path: '/livez',
      query: '',
      headers: { 'impersonate-user': 'jane' },
      protocol: 'h2',
      secure: true,
      remoteAddress: '',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    });
    await expect(step(context)).rejects.toThrow('the rules are not loaded');
  });
});
