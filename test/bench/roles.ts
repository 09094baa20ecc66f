/**
 * Roles and bindings as a busy cluster has them: 200 ClusterRoles of 5 rules, 1,000 bindings, of which 51 concern the
 * reader, 40 of those in the first namespace. The last ClusterRoleBinding allows everything on CronJobs.
 */
import { namespaceOf, NAMESPACES } from './sample-object.ts';

export const READER = 'reader';
export const READER_GROUP = 'team-1';
const ROLES = 200;
const BINDINGS = 1000;
const RULES = 5;
const EVERY = 20;
const CLUSTER_WIDE = 200;
const GROUP = 'rbac.authorization.k8s.io';

const roleName = (index: number) => `bench-${String(index).padStart(3, '0')}`;

/** The last one allows what the rows do. */
export const clusterRoles = Array.from({ length: ROLES }, (_, index) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRole',
  metadata: { name: roleName(index) },
  rules:
    index === ROLES - 1
      ? [{ apiGroups: ['batch'], resources: ['cronjobs'], verbs: ['*'] }]
      : Array.from({ length: RULES }, (_each, rule) => ({
          apiGroups: ['apps.example.com'],
          resources: [`things-${index}-${rule}`, `things-${index}-${rule}/status`],
          verbs: ['get', 'list', 'watch', 'create', 'update'],
        })),
}));

export const bindings = Array.from({ length: BINDINGS }, (_, index) => {
  const isLast = index === BINDINGS - 1;
  const isClusterWide = index >= BINDINGS - CLUSTER_WIDE;
  const subject = isLast || index % EVERY === 0 ? { kind: 'Group', name: READER_GROUP } : { kind: 'User', name: `user-${index}` };
  return {
    apiVersion: `${GROUP}/v1`,
    kind: isClusterWide ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name: `bench-${String(index).padStart(4, '0')}`, ...(isClusterWide ? {} : { namespace: namespaceOf(index % NAMESPACES) }) },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: roleName(isLast ? ROLES - 1 : index % (ROLES - 1)) },
    subjects: [{ ...subject, apiGroup: GROUP }],
  };
});
