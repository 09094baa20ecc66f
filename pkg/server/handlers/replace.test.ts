/** PUT of an object that does not exist, which creates it in some kinds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openInProcessApi, refusalOf, type InProcessApi } from '../../../test/support/in-process-api.ts';

const RBAC = 'rbac.authorization.example.io';
const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'none' };
const CREATED_BY_PUT: readonly (readonly [path: string, kind: string, apiVersion: string, more: object])[] = [
  ['/apis/coordination.example.io/v1/namespaces/put/leases', 'Lease', 'coordination.example.io/v1', {}],
  ['/api/v1/namespaces/put/events', 'Event', 'v1', { involvedObject: { namespace: 'put' } }],
  [`/apis/${RBAC}/v1/namespaces/put/roles`, 'Role', `${RBAC}/v1`, {}],
  [`/apis/${RBAC}/v1/namespaces/put/rolebindings`, 'RoleBinding', `${RBAC}/v1`, { roleRef }],
  [`/apis/${RBAC}/v1/clusterroles`, 'ClusterRole', `${RBAC}/v1`, {}],
  [`/apis/${RBAC}/v1/clusterrolebindings`, 'ClusterRoleBinding', `${RBAC}/v1`, { roleRef }],
];

let api: InProcessApi;
let mayCreate = true;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: ({ verb }) => ({ decision: verb === 'create' && !mayCreate ? 'noOpinion' : 'allow' }) });
});
afterAll(() => api.close());
beforeEach(() => {
  mayCreate = true;
});

describe.each(CREATED_BY_PUT)('A PUT below %s that would create', (collection, kind, apiVersion, more) => {
  const metadata = collection.includes('/namespaces/') ? { namespace: 'put' } : {};
  const put = (name: string, query = '', body: object = { apiVersion, kind, metadata: { name, ...metadata }, ...more }) =>
    api.send('PUT', `${collection}/${name}${query}`, body, 'application/json');

  it('needs the permission to create, for a dry run too', async () => {
    mayCreate = false;
    for (const query of ['', '?dryRun=All']) {
      const refused = await put('new', query);
      expect(refusalOf(refused)).toBe('403 Forbidden');
      expect(refused.body.message).toMatch(/^[a-z.]+ "new" is forbidden: User "system:unsecured" cannot create resource /);
    }
    expect((await api.send('GET', `${collection}/new`, '')).code).toBe(404);
  });

  it('creates with it, and then changes without it', async () => {
    const created = await put('known');
    mayCreate = false;
    expect([created.code, (await put('known', '', created.body)).code]).toEqual([201, 200]);
  });
});

describe('An invalid object', () => {
  it('is refused before the permission to create is asked for', async () => {
    mayCreate = false;
    const [lease = ''] = CREATED_BY_PUT[0] ?? [];
    const body = { apiVersion: 'coordination.example.io/v1', kind: 'Lease', metadata: { name: 'x' }, spec: { leaseDurationSeconds: -1 } };
    expect((await api.send('PUT', `${lease}/x`, body, 'application/json')).code).toBe(422);
  });
});
