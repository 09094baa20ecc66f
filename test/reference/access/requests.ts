/** Every verb on resources, subresources, names, namespaces and paths; nothing is stored. */
import { NAMESPACES } from './policy.ts';

export interface AccessCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const DRY_RUN = 'dryRun=All';

/** [group and version, resource, whether it is in namespaces, kind] */
const RESOURCES = [
  ['api/v1', 'configmaps', true, 'ConfigMap'],
  ['api/v1', 'secrets', true, 'Secret'],
  ['apis/batch/v1', 'jobs', true, 'Job'],
  ['apis/batch/v1', 'cronjobs', true, 'CronJob'],
  ['apis/coordination.k8s.io/v1', 'leases', true, 'Lease'],
  ['apis/rbac.authorization.k8s.io/v1', 'clusterroles', false, 'ClusterRole'],
  ['apis/example.com/v1', 'widgets', true, 'Widget'],
] as const;

const PLACES = [undefined, ...NAMESPACES, 'nowhere'] as const;
const NAMES = ['one', 'three'] as const;

const collectionOf = (group: string, resource: string, namespace: string | undefined) =>
  namespace === undefined ? `/${group}/${resource}` : `/${group}/namespaces/${namespace}/${resource}`;

function resourceCalls(): readonly AccessCall[] {
  return RESOURCES.flatMap(([group, resource, isNamespaced, kind]) =>
    (isNamespaced ? PLACES : [undefined]).flatMap((namespace) => {
      const collection = collectionOf(group, resource, namespace);
      const apiVersion = group.replace(/^apis?\//, '');
      const body = (name: string) => JSON.stringify({ apiVersion, kind, metadata: { name } });
      const named = NAMES.flatMap((name): readonly AccessCall[] => [
        { method: 'GET', path: `${collection}/${name}` },
        { method: 'PUT', path: `${collection}/${name}?${DRY_RUN}`, headers: JSON_TYPE, body: body(name) },
        { method: 'PATCH', path: `${collection}/${name}?${DRY_RUN}`, headers: MERGE, body: '{}' },
        { method: 'PATCH', path: `${collection}/${name}?${DRY_RUN}&fieldManager=m`, headers: APPLY, body: body(name) },
        { method: 'DELETE', path: `${collection}/${name}?${DRY_RUN}` },
        { method: 'GET', path: `${collection}?fieldSelector=metadata.name%3D${name}` },
        { method: 'GET', path: `${collection}?watch=true&fieldSelector=metadata.name%3D${name}` },
      ]);
      return [
        { method: 'GET', path: collection },
        { method: 'GET', path: `${collection}?watch=true` },
        { method: 'POST', path: `${collection}?${DRY_RUN}`, headers: JSON_TYPE, body: body('three') },
        { method: 'DELETE', path: `${collection}?${DRY_RUN}` },
        ...(namespace === undefined && isNamespaced ? [] : named),
      ];
    }),
  );
}

const SUBRESOURCES = [
  ['apis/batch/v1', 'jobs', 'status'],
  ['apis/batch/v1', 'jobs', 'scale'],
  ['apis/batch/v1', 'cronjobs', 'status'],
  ['api/v1', 'configmaps', 'status'],
  ['api/v1', 'serviceaccounts', 'token'],
] as const;

const subresourceCalls = (): readonly AccessCall[] =>
  SUBRESOURCES.flatMap(([group, resource, subresource]) =>
    NAMESPACES.flatMap((namespace) =>
      ['one', 'robot'].flatMap((name) => {
        const path = `/${group}/namespaces/${namespace}/${resource}/${name}/${subresource}`;
        return [
          { method: 'GET', path },
          { method: 'PATCH', path: `${path}?${DRY_RUN}`, headers: MERGE, body: '{}' },
          { method: 'PUT', path: `${path}?${DRY_RUN}`, headers: JSON_TYPE, body: '{}' },
          { method: 'POST', path: `${path}?${DRY_RUN}`, headers: JSON_TYPE, body: '{}' },
          { method: 'DELETE', path: `${path}?${DRY_RUN}` },
        ];
      }),
    ),
  );

const PATHS = [
  '/',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/batch',
  '/apis/batch/v1',
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/version',
  '/version/',
  '/openapi/v2',
  '/openapi/v3',
  '/custom',
  '/custom/',
  '/custom/a/b',
  '/debug/none',
  '/debug/none/',
  '/metrics/',
  '/openapi/v2/',
  '/DEBUG/a',
  '/apis/example.com',
];

const pathCalls = (): readonly AccessCall[] =>
  PATHS.flatMap((path) => ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => ({ method, path })));

/** By their indexes: what only some senders ask for would be hidden in the product of all. */
export const CALLS: readonly AccessCall[] = [...resourceCalls(), ...subresourceCalls(), ...pathCalls()];

/** Whom senders ask to be. */
export const IMPERSONATIONS: readonly Readonly<Record<string, string>>[] = [
  { 'impersonate-user': 'carol' },
  { 'impersonate-user': 'alice' },
  { 'impersonate-user': 'carol', 'impersonate-group': 'ops' },
  { 'impersonate-user': 'carol', 'impersonate-group': 'root' },
  { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'carol', 'impersonate-uid': '7' },
  { 'impersonate-user': 'carol', 'impersonate-extra-example.com%2fa': 'b' },
  { 'impersonate-user': 'system:serviceaccount:lab:robot' },
  { 'impersonate-user': 'system:serviceaccount:lab:other' },
  { 'impersonate-user': 'system:node:one' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-group': 'ops' },
];

export const IMPERSONATED_CALLS: readonly AccessCall[] = [
  { method: 'GET', path: '/api/v1/namespaces/shop/configmaps' },
  { method: 'GET', path: '/api/v1/namespaces/lab/configmaps/one' },
  { method: 'GET', path: '/metrics' },
  { method: 'DELETE', path: `/api/v1/namespaces/lab/configmaps/one?${DRY_RUN}` },
];
