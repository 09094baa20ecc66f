import { describe, expect, it } from '@jest/globals';
import type { FlowRule, FlowSubject, FlowResourceRule } from './configuration.ts';
import { createMatcher, type FlowRequest } from './matches.ts';

const JANE = { name: 'jane', groups: ['developers', 'system:authenticated'] };
const ACCOUNT = { name: 'system:serviceaccount:kube-system:collector', groups: ['system:serviceaccounts'] };
const GET_JOB: FlowRequest = { isResource: true, verb: 'get', group: 'batch', resource: 'jobs', subresource: '' };
const ALL: FlowResourceRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
const user = (name: string): FlowSubject => ({ kind: 'User', user: { name } });
const group = (name: string): FlowSubject => ({ kind: 'Group', group: { name } });
const account = (namespace: string, name: string): FlowSubject => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name } });

describe('A flow schema', () => {
  it.each<[string, FlowSubject, typeof JANE, boolean]>([
    ['a user', user('jane'), JANE, true],
    ['another user', user('joe'), JANE, false],
    ['all users', user('*'), JANE, true],
    ['a group', group('developers'), JANE, true],
    ['another group', group('admins'), JANE, false],
    ['all groups', group('*'), JANE, true],
    ['a service account', account('kube-system', 'collector'), ACCOUNT, true],
    ['all service accounts of a namespace', account('kube-system', '*'), ACCOUNT, true],
    ['those of a namespace whose name begins alike', account('kube', '*'), ACCOUNT, false],
    ['another service account', account('kube-system', 'collect'), ACCOUNT, false],
    ['a user instead of a service account', account('kube-system', '*'), JANE, false],
    ['a kind that there is not', { kind: 'Robot' }, JANE, false],
    ['a user without a field of its own', { kind: 'User' }, JANE, false],
  ])('about %s matches: %#', (_, subject, asking, expected) => {
    const matches = createMatcher({ rules: [{ subjects: [subject], resourceRules: [ALL] }] });
    expect(matches(asking, GET_JOB, 'default')).toBe(expected);
  });

  it.each<[string, Partial<FlowResourceRule>, Partial<Extract<FlowRequest, { isResource: true }>>, string, boolean]>([
    ['everything', {}, {}, 'default', true],
    ['the verb', { verbs: ['get'] }, {}, 'default', true],
    ['another verb', { verbs: ['list'] }, {}, 'default', false],
    ['the group', { apiGroups: ['batch'] }, {}, 'default', true],
    ['another group', { apiGroups: [''] }, {}, 'default', false],
    ['the resource', { resources: ['jobs'] }, {}, 'default', true],
    ['the resource without its subresource', { resources: ['jobs'] }, { subresource: 'status' }, 'default', false],
    ['the subresource', { resources: ['jobs/status'] }, { subresource: 'status' }, 'default', true],
    ['the namespace', { namespaces: ['default'] }, {}, 'default', true],
    ['another namespace', { namespaces: ['other'] }, {}, 'default', false],
    ['what is in no namespace', { namespaces: [] }, {}, '', true],
    ['only what is in a namespace', { clusterScope: false }, {}, '', false],
  ])('about %s matches: %#', (_, rule, request, namespace, expected) => {
    const matches = createMatcher({ rules: [{ subjects: [user('*')], resourceRules: [{ ...ALL, ...rule }] }] });
    expect(matches(JANE, { ...GET_JOB, ...request }, namespace)).toBe(expected);
  });

  it.each([
    ['*', '/anything', true],
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/etcd', true],
    ['/healthz', '/healthzy', false],
    ['/healthz/*', '/healthz/etcd', true],
    ['/healthz/*', '/livez', false],
  ])('about the path %s matches %s: %s', (url, path, expected) => {
    const rules: FlowRule[] = [{ subjects: [user('*')], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [url] }] }];
    expect(createMatcher({ rules })(JANE, { isResource: false, verb: 'get', path }, '')).toBe(expected);
    expect(createMatcher({ rules })(JANE, { isResource: false, verb: 'post', path }, '')).toBe(false);
    expect(createMatcher({ rules })(JANE, GET_JOB, '')).toBe(false);
  });

  it('without rules matches nothing', () => {
    expect(createMatcher({})(JANE, GET_JOB, 'default')).toBe(false);
  });
});
