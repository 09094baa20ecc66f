/** A ServiceAccount that may do what an election needs, and nothing else. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AuthorizationV1Api, CoreV1Api, type KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import { waitFor } from '../../support/wait.ts';

const NAME = 'candidate';
const LEASE = 'election';
const WAIT_MS = 10_000;

export interface ElectionAccount {
  /** With its token alone. */
  readonly kubeconfig: string;
  remove(): Promise<void>;
}

/** `config`: of an admin. Resolves once the Role counts. */
export async function createElectionAccount(config: KubeConfig, namespace: string): Promise<ElectionAccount> {
  const core = config.makeApiClient(CoreV1Api);
  const rbac = config.makeApiClient(RbacAuthorizationV1Api);
  const metadata = { name: NAME };
  await core.createNamespacedServiceAccount({ namespace, body: { metadata } });
  await rbac.createNamespacedRole({
    namespace,
    body: {
      metadata,
      rules: [
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [LEASE], verbs: ['get', 'update'] },
        { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      ],
    },
  });
  await rbac.createNamespacedRoleBinding({
    namespace,
    body: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
    },
  });
  const { status } = await core.createNamespacedServiceAccountToken({ name: NAME, namespace, body: { spec: { audiences: [] } } });
  await untilAllowed(config, namespace);
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-election-'));
  const kubeconfig = path.join(folder, 'kubeconfig.json');
  await writeFile(kubeconfig, JSON.stringify(withToken(config, namespace, status?.token ?? '')), { mode: 0o600 });
  return {
    kubeconfig,
    remove: async () => {
      await rbac.deleteNamespacedRoleBinding({ name: NAME, namespace });
      await rbac.deleteNamespacedRole({ name: NAME, namespace });
      await core.deleteNamespacedServiceAccount({ name: NAME, namespace });
      await rm(folder, { recursive: true });
    },
  };
}

/** Reads the Lease with the rights of the account, and nothing else. */
async function untilAllowed(config: KubeConfig, namespace: string): Promise<void> {
  const authorization = config.makeApiClient(AuthorizationV1Api);
  const user = `system:serviceaccount:${namespace}:${NAME}`;
  const may = async (verb: string, group: string, resource: string, name: string): Promise<boolean> => {
    const body = { spec: { user, resourceAttributes: { verb, group, resource, name, namespace } } };
    return (await authorization.createSubjectAccessReview({ body })).status?.allowed === true;
  };
  await waitFor(() => may('update', 'coordination.k8s.io', 'leases', LEASE), { what: 'the Role to count', timeoutMs: WAIT_MS });
  for (const [verb, group, resource] of [
    ['list', 'coordination.k8s.io', 'leases'],
    ['delete', 'coordination.k8s.io', 'leases'],
    ['get', '', 'secrets'],
  ] as const) {
    if (await may(verb, group, resource, '')) throw new Error(`${user} may ${verb} ${resource}`);
  }
}

function withToken(config: KubeConfig, namespace: string, token: string): object {
  const { server = '', caData, caFile } = config.getCurrentCluster() ?? {};
  const authority = caData === undefined ? { 'certificate-authority': caFile } : { 'certificate-authority-data': caData };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, ...authority } }],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: NAME, namespace } }],
    'current-context': 'x',
  };
}
