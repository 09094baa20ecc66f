/** Roles and bindings of every form that decides: wildcards, names, subresources, paths, subjects, missing roles. */
import type { Rule } from '../rbac/policy.ts';

export const GROUP = 'rbac.authorization.k8s.io';
export const NAMESPACES = ['shop', 'lab'] as const;

export interface PolicyObject {
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  readonly namespace?: string;
  readonly name: string;
  readonly members: object;
}

const resources = (verbs: string, groups: string, names: string, ...resourceNames: readonly string[]): Rule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : group)),
  resources: names.split(' '),
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
const paths = (verbs: string, nonResourceURLs: string): Rule => ({ verbs: verbs.split(' '), nonResourceURLs: nonResourceURLs.split(' ') });

const clusterRole = (name: string, ...rules: readonly Rule[]): PolicyObject => ({ resource: 'clusterroles', name, members: { rules } });
const role = (namespace: string, name: string, ...rules: readonly Rule[]): PolicyObject => ({
  resource: 'roles',
  namespace,
  name,
  members: { rules },
});
/** `User|jane`, `ServiceAccount|robot|lab` */
const subject = (text: string): object => {
  const [kind = '', name = '', namespace] = text.split('|');
  return namespace === undefined ? { kind, name, apiGroup: GROUP } : { kind, name, namespace };
};
const binding = (namespace: string | undefined, to: string, ...subjects: readonly string[]): PolicyObject => {
  const [kind = '', name = ''] = to.split(':');
  const members = { roleRef: { apiGroup: GROUP, kind, name }, subjects: subjects.map(subject) };
  return namespace === undefined
    ? { resource: 'clusterrolebindings', name: `to-${name}`, members }
    : { resource: 'rolebindings', namespace, name: `to-${name}`, members };
};

export const POLICY: readonly PolicyObject[] = [
  clusterRole('reads', resources('get list watch', 'core', 'configmaps secrets'), resources('get', 'batch', 'jobs/status')),
  clusterRole('named', resources('get update patch delete watch list', 'core', 'configmaps', 'one', 'two')),
  clusterRole('all-of-batch', resources('*', 'batch', '*')),
  clusterRole('all-status', resources('get update patch', '*', '*/status')),
  clusterRole('creates', resources('create', 'core batch', 'configmaps jobs serviceaccounts/token')),
  clusterRole('paths', paths('get', '/metrics /custom/* /openapi/v2'), paths('*', '/debug/*')),
  clusterRole('everything', resources('*', '*', '*'), paths('*', '*')),
  clusterRole('impersonates', resources('impersonate', 'core', 'users groups serviceaccounts', 'carol', 'ops', 'robot')),
  clusterRole(
    'acts',
    resources('impersonate:user-info', 'authentication.k8s.io', 'users groups'),
    resources('impersonate-on:user-info:list', 'core', 'configmaps'),
  ),
  clusterRole('collections', resources('deletecollection', 'core batch', 'configmaps cronjobs')),
  clusterRole('names-and-more', resources('get', '*', '*', 'one')),
  clusterRole('empty'),
  role('shop', 'edits', resources('get list create update patch delete', 'core coordination.k8s.io', 'configmaps leases')),
  role('shop', 'tokens', resources('create', 'core', 'serviceaccounts/token', 'robot')),
  role('lab', 'edits', resources('get', 'core', 'configmaps', 'one')),
  binding(undefined, 'ClusterRole:reads', 'User|alice', 'ServiceAccount|robot|lab'),
  binding(undefined, 'ClusterRole:paths', 'Group|metrics', 'User|alice'),
  binding(undefined, 'ClusterRole:everything', 'Group|root'),
  binding(undefined, 'ClusterRole:all-status', 'User|bob'),
  binding(undefined, 'ClusterRole:impersonates', 'User|bob'),
  binding(undefined, 'ClusterRole:acts', 'User|dave'),
  binding(undefined, 'ClusterRole:names-and-more', 'User|dave'),
  binding(undefined, 'ClusterRole:empty', 'Group|system:authenticated'),
  binding('shop', 'ClusterRole:named', 'User|bob', 'Group|ops'),
  binding('shop', 'ClusterRole:all-of-batch', 'Group|ops'),
  binding('shop', 'ClusterRole:creates', 'User|dave'),
  binding('shop', 'ClusterRole:paths', 'User|carol'),
  binding('shop', 'Role:edits', 'ServiceAccount|robot|lab', 'User|carol'),
  binding('shop', 'Role:tokens', 'User|carol'),
  binding('lab', 'Role:edits', 'Group|system:serviceaccounts:shop', 'User|carol'),
  binding('lab', 'ClusterRole:collections', 'User|carol'),
  // Neither is there: the refusal names them.
  binding('lab', 'ClusterRole:missing', 'User|erin'),
  binding('shop', 'Role:missing', 'User|erin'),
];

export interface Sender {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Known by tokens, and by the headers of an admin who acts as them. */
export const SENDERS: readonly Sender[] = [
  { name: 'alice', groups: [] },
  { name: 'bob', groups: ['metrics'] },
  { name: 'carol', groups: ['ops'] },
  { name: 'dave', groups: [] },
  { name: 'erin', groups: ['metrics', 'ops'] },
  { name: 'frank', groups: ['root'] },
  { name: 'gina', groups: ['system:masters'] },
  { name: 'henry', groups: [] },
  { name: 'system:serviceaccount:lab:robot', groups: ['system:serviceaccounts', 'system:serviceaccounts:lab'] },
  { name: 'system:serviceaccount:shop:robot', groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'] },
];
