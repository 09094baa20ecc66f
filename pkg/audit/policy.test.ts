import { describe, expect, it } from '@jest/globals';
import type { Policy, PolicyRule } from '../apis/audit/v1/types.gen.ts';
import type { AccessRequest, ResourceAccess } from '../authorization/authorizer.ts';
import { createAuditDecider } from './policy.ts';

const user = { name: 'jane', groups: ['dev', 'system:authenticated'] };
const resource = (more: Partial<ResourceAccess> = {}): ResourceAccess => ({
  isResource: true,
  user,
  verb: 'get',
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  subresource: '',
  namespace: 'shop',
  name: 'report',
  ...more,
});
const pathOf = (path: string): AccessRequest => ({ isResource: false, user, verb: 'get', path });
const levelOf = (rule: Partial<PolicyRule>, request: AccessRequest) =>
  createAuditDecider({ rules: [{ level: 'Metadata', ...rule }] })(request).level;

describe('An audit rule', () => {
  it.each<[string, Partial<PolicyRule>, AccessRequest, boolean]>([
    ['nothing', {}, resource(), true],
    ['nothing, on a path', {}, pathOf('/metrics'), true],
    ['the user', { users: ['jane'] }, resource(), true],
    ['another user', { users: ['joe'] }, resource(), false],
    ['a group', { userGroups: ['ops', 'dev'] }, resource(), true],
    ['another group', { userGroups: ['ops'] }, resource(), false],
    ['the verb', { verbs: ['list', 'get'] }, resource(), true],
    ['another verb', { verbs: ['list'] }, resource(), false],
    ['the namespace', { namespaces: ['shop'] }, resource(), true],
    ['another namespace', { namespaces: ['other'] }, resource(), false],
    ['no namespace', { namespaces: [''] }, resource({ namespace: '' }), true],
    ['a namespace, on a path', { namespaces: [''] }, pathOf('/metrics'), false],
    ['the group of the resource', { resources: [{ group: 'batch' }] }, resource(), true],
    ['another group of resources', { resources: [{ group: '' }] }, resource(), false],
    ['any group', { resources: [{ group: '*' }] }, resource(), true],
    ['the resource', { resources: [{ group: 'batch', resources: ['cronjobs'] }] }, resource(), true],
    ['another resource', { resources: [{ group: 'batch', resources: ['jobs'] }] }, resource(), false],
    [
      'the resource of a subresource',
      { resources: [{ group: 'batch', resources: ['cronjobs'] }] },
      resource({ subresource: 'status' }),
      false,
    ],
    ['the subresource', { resources: [{ group: 'batch', resources: ['cronjobs/status'] }] }, resource({ subresource: 'status' }), true],
    ['all subresources', { resources: [{ group: 'batch', resources: ['cronjobs/*'] }] }, resource({ subresource: 'status' }), true],
    ['all subresources, for the resource itself', { resources: [{ group: 'batch', resources: ['cronjobs/*'] }] }, resource(), true],
    ['the subresource of all', { resources: [{ group: 'batch', resources: ['*/status'] }] }, resource({ subresource: 'status' }), true],
    ['another subresource of all', { resources: [{ group: 'batch', resources: ['*/scale'] }] }, resource({ subresource: 'status' }), false],
    ['the name', { resources: [{ group: 'batch', resources: ['cronjobs'], resourceNames: ['report'] }] }, resource(), true],
    ['another name', { resources: [{ group: 'batch', resources: ['cronjobs'], resourceNames: ['x'] }] }, resource(), false],
    ['the path', { nonResourceURLs: ['/metrics'] }, pathOf('/metrics'), true],
    ['below the path', { nonResourceURLs: ['/metrics'] }, pathOf('/metrics/x'), false],
    ['a prefix', { nonResourceURLs: ['/healthz*'] }, pathOf('/healthz/etcd'), true],
    ['all paths', { nonResourceURLs: ['*'] }, pathOf('/x'), true],
    ['all paths, for a resource', { nonResourceURLs: ['*'] }, resource(), false],
  ])('with %s', (_, rule, request, matches) => {
    expect(levelOf(rule, request)).toBe(matches ? 'Metadata' : 'None');
  });
});

describe('An audit policy', () => {
  const policy: Policy = {
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      { level: 'None', verbs: ['watch'] },
      { level: 'Request', verbs: ['create'], omitStages: ['Panic'], omitManagedFields: false },
      { level: 'Metadata' },
    ],
  };
  const decide = createAuditDecider(policy);

  it('is decided by its first rule that matches', () => {
    expect(['watch', 'create', 'get'].map((verb) => decide(resource({ verb })).level)).toEqual(['None', 'Request', 'Metadata']);
  });

  it('adds its omitted stages to those of the rule, and gives the rule the last word on managedFields', () => {
    expect(decide(resource({ verb: 'create' }))).toEqual({
      level: 'Request',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: false,
    });
    expect(decide(resource()).omitManagedFields).toBe(true);
  });

  it('knows no user where authentication failed', () => {
    const decide = createAuditDecider({ rules: [{ level: 'Metadata', users: ['jane'] }, { level: 'Request' }] });
    expect(decide(resource({ user: { name: '', groups: [] } })).level).toBe('Request');
  });
});
