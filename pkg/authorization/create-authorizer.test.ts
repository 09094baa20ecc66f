import { describe, expect, it } from '@jest/globals';
import type { AccessDecision, Authorizer, PathAccess, ResourceAccess } from './authorizer.ts';
import { createTestAuthorizer } from '../../test/support/rbac-authorizer.ts';
import { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from './constant.ts';
import { createAuthorizer } from './create-authorizer.ts';
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
  it.each(['/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping', '/readyz/etcd'])('reads %s', (path) => {
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

  it('reads the version, by a bootstrap role', () => {
    expect(authorizer.authorize(toPath('/version'))).toEqual({
      decision: 'allow',
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole "system:public-info-viewer" to Group "system:unauthenticated"',
    });
  });

  it('has matching rules', async () => {
    const { resourceRules, nonResourceRules, incomplete } = await authorizer.rulesFor(anonymous, 'default');
    expect([resourceRules, incomplete]).toEqual([[], false]);
    expect(nonResourceRules).toEqual([
      { verbs: ['get', 'head'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/healthz/*', '/livez/*', '/readyz/*'] },
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
    ]);
  });

  it('reads no resource of any name', () => {
    expect(authorizer.authorize({ ...toList, verb: 'get', resource: 'healthz', group: '' })).toEqual(NO_OPINION);
  });
});

describe('Authenticated users', () => {
  it('may look around, and nothing else', () => {
    expect(authorizer.authorize({ ...toPath('/apis'), user: alice })).toMatchObject(ALLOW);
    expect(authorizer.authorize({ ...toPath('/metrics'), user: alice })).toEqual(NO_OPINION);
    expect(authorizer.authorize({ ...toList, user: alice })).toEqual(NO_OPINION);
  });
});

describe('Members of system:masters', () => {
  const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

  it('may do everything', async () => {
    expect(authorizer.authorize({ ...toList, user: admin })).toEqual(ALLOW);
    expect(authorizer.authorize({ ...toPath('/metrics', 'post'), user: admin })).toEqual(ALLOW);
    expect((await authorizer.rulesFor(admin, 'default')).resourceRules[0]).toEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
  });

  it('may even if the mode denies everything', () => {
    const denying = createAuthorizer([alwaysDenyAuthorizer]);
    expect(denying.authorize({ ...toList, user: admin })).toEqual(ALLOW);
    expect(denying.authorize({ ...toList, user: alice })).toEqual({ decision: 'noOpinion', reason: 'Everything is forbidden.' });
  });
});

describe('Configured authorizers', () => {
  it('are asked in their order', () => {
    const allowing = createAuthorizer([authorizer, alwaysAllowAuthorizer]);
    expect(allowing.authorize({ ...toList, user: alice })).toEqual(ALLOW);
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
    const both = { decision: 'noOpinion', reason: 'a\nb' };
    expect(unionAuthorizer([answers(no('a')), answers({ decision: 'noOpinion' }), answers(no('b'))]).authorize(toList)).toEqual(both);
    await expect(unionAuthorizer([later(no('a')), answers(no('b'))]).authorize(toList)).resolves.toEqual(both);
    expect(unionAuthorizer([]).authorize(toList)).toEqual(NO_OPINION);
  });

  it('returns all errors if none decides, and those of the one that does', async () => {
    const failed = (error: string): AccessDecision => ({ decision: 'noOpinion', error });
    const union = (...decisions: readonly AccessDecision[]) => unionAuthorizer(decisions.map(later)).authorize(toList);
    await expect(union(failed('a'), failed('b'), failed('a'))).resolves.toEqual(failed('[a, b]'));
    await expect(union(failed('a'), no('r'))).resolves.toEqual({ ...no('r'), error: 'a' });
    await expect(union(failed('a'), { decision: 'allow' })).resolves.toEqual(ALLOW);
    const denied: AccessDecision = { decision: 'deny', error: 'b' };
    await expect(union(failed('a'), denied)).resolves.toEqual(denied);
  });
});
