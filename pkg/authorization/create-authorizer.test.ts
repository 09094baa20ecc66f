import { describe, expect, it } from '@jest/globals';
import type { AccessDecision, Authorizer, PathAccess, ResourceAccess } from './authorizer.ts';
import { createTestAuthorizer } from '../../test/support/rbac-authorizer.ts';
import { unionAuthorizer } from './union.ts';

const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const alice = { name: 'alice', groups: ['system:authenticated'] };
const toPath = (path: string, verb = 'get'): PathAccess => ({ isResource: false, user: anonymous, verb, path });
const toList: ResourceAccess = {
  isResource: true,
  user: anonymous,
  verb: 'list',
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  subresource: '',
  namespace: '',
  name: '',
};
const authorizer = createTestAuthorizer();
const ALLOW = { decision: 'allow' };
const NO_OPINION = { decision: 'noOpinion' };

describe('Everyone', () => {
  it.each(['/healthz', '/livez', '/readyz', '/version', '/healthz/ping', '/livez/ping', '/readyz/etcd'])('reads %s', (path) => {
    expect(authorizer.authorize(toPath(path))).toEqual(ALLOW);
    expect(authorizer.authorize(toPath(path, 'head'))).toEqual(ALLOW);
    expect(authorizer.authorize(toPath(path, 'post'))).toEqual(NO_OPINION);
  });

  it.each([
    '/',
    '/api',
    '/apis',
    '/apis/batch',
    '/metrics',
    '/docs',
    '/openapi/v2',
    '/healthzy',
    '/version/x',
    '/versions',
    '/HEALTHZ',
    '',
  ])('does not read %j', (path) => {
    expect(authorizer.authorize(toPath(path))).toEqual(NO_OPINION);
  });

  it('has matching rules', async () => {
    const { resourceRules, nonResourceRules, incomplete } = await authorizer.rulesFor(anonymous, 'default');
    expect([resourceRules, incomplete]).toEqual([[], false]);
    expect(nonResourceRules).toEqual([
      {
        verbs: ['get', 'head'],
        nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/healthz/*', '/livez/*', '/readyz/*'],
      },
    ]);
  });

  it('reads no resource of any name', () => {
    expect(authorizer.authorize({ ...toList, verb: 'get', resource: 'healthz', group: '' })).toEqual(NO_OPINION);
  });
});

describe('Authenticated users', () => {
  it('may do everything', () => {
    expect(authorizer.authorize({ ...toList, user: alice })).toEqual(ALLOW);
    expect(authorizer.authorize({ ...toPath('/metrics', 'post'), user: alice })).toEqual(ALLOW);
  });

  it('has matching rules', async () => {
    expect(await authorizer.rulesFor(alice, 'default')).toMatchObject({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }, { verbs: ['get', 'head'] }],
      incomplete: false,
    });
  });
});

describe('Union of authorizers', () => {
  const answers = (decision: AccessDecision): Authorizer => ({ authorize: () => decision });
  const later = (decision: AccessDecision): Authorizer => ({ authorize: async () => decision });
  const no = (reason: string): AccessDecision => ({ decision: 'noOpinion', reason });

  it('allows what one of them allows, synchronously if possible', async () => {
    expect(unionAuthorizer([answers(no('a')), answers({ decision: 'allow' })]).authorize(toList)).toEqual(ALLOW);
    await expect(unionAuthorizer([later(no('a')), later({ decision: 'allow' })]).authorize(toList)).resolves.toEqual(ALLOW);
  });

  it('stops at the first denial', async () => {
    const denied: AccessDecision = { decision: 'deny', reason: 'never' };
    expect(unionAuthorizer([answers(no('a')), answers(denied), answers({ decision: 'allow' })]).authorize(toList)).toEqual(denied);
    await expect(unionAuthorizer([later(denied), answers({ decision: 'allow' })]).authorize(toList)).resolves.toEqual(denied);
  });

  it('returns all reasons if none decides', async () => {
    const both = { decision: 'noOpinion', reason: 'a, b' };
    expect(unionAuthorizer([answers(no('a')), answers({ decision: 'noOpinion' }), answers(no('b'))]).authorize(toList)).toEqual(both);
    await expect(unionAuthorizer([later(no('a')), answers(no('b'))]).authorize(toList)).resolves.toEqual(both);
    expect(unionAuthorizer([]).authorize(toList)).toEqual(NO_OPINION);
  });
});
