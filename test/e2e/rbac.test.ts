/** Roles and bindings, as the built server applies them, with kubectl. */
import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait.ts';

const TOKENS = [
  { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
  { token: 'alice-token', user: 'alice', groups: ['developers'] },
];
const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const ROLES = `${RBAC}/namespaces/shop/roles`;
const BINDINGS = `${RBAC}/namespaces/shop/rolebindings`;
const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

interface Reply {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly message?: string };
}

const clientOf =
  ({ url, ca }: SecureServer, token?: string) =>
  async (method: string, path: string, body?: object, type = 'application/json'): Promise<Reply> => {
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), 'content-type': type };
    const sent = request(url + path, { method, ca, headers, agent: false });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    return { code: message.statusCode ?? 0, body: JSON.parse(await readText(message)) as Reply['body'] };
  };

const role = (name: string, ...rules: readonly object[]) => ({ metadata: { name }, rules });
const configMaps = (...verbs: readonly string[]) => ({ apiGroups: [''], resources: ['configmaps'], verbs });
const binding = (name: string, kind: string, roleName: string, user = 'alice') => ({
  metadata: { name },
  subjects: [{ kind: 'User', name: user }],
  roleRef: { kind, name: roleName },
});

describe.each(BACKENDS)('RBAC on %s', (backend) => {
  let store: TestStore;
  let server: SecureServer;
  let admin: ReturnType<typeof clientOf>;
  let alice: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    store = await openTestStore(backend);
    server = await startSecureServer(secureFlags(store), { tokens: TOKENS });
    admin = clientOf(server, 'admin-token');
    alice = clientOf(server, 'alice-token');
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await store.close();
  }, 30_000);

  const until = (what: string, path: string, code: number) => waitFor(async () => (await alice('GET', path)).code === code, { what });

  it('refuses what no role allows, in the words of Kubernetes', async () => {
    const { code, body } = await alice('GET', CONFIG_MAPS);
    expect([code, body]).toEqual([
      403,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "shop"',
        reason: 'Forbidden',
        details: { kind: 'configmaps' },
        code: 403,
      },
    ]);
  });

  it('lets nobody create by an update who may only update', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/updates/leases';
    const updates = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update', 'patch'] };
    expect((await admin('POST', `${RBAC}/namespaces/updates/roles`, role('updater', updates))).code).toBe(201);
    expect((await admin('POST', `${RBAC}/namespaces/updates/rolebindings`, binding('updater', 'Role', 'updater'))).code).toBe(201);
    await until('the right to read leases', `${leases}/lease`, 404);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lease' } };
    const refused = await alice('PUT', `${leases}/lease`, lease);
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'leases.coordination.k8s.io "lease" is forbidden: User "alice" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "updates"',
    ]);
    expect((await alice('PATCH', `${leases}/lease?fieldManager=a`, lease, 'application/apply-patch+yaml')).code).toBe(403);
    const { code, body: created } = await admin('PUT', `${leases}/lease`, lease);
    expect([code, (await alice('PUT', `${leases}/lease`, created)).code]).toEqual([201, 200]);
  });

  it('allows what a RoleBinding grants, in its namespace only, until it is gone', async () => {
    expect((await admin('POST', ROLES, role('reader', configMaps('get', 'list')))).code).toBe(201);
    expect((await admin('POST', BINDINGS, binding('alice-reads', 'Role', 'reader'))).code).toBe(201);
    await until('the grant', CONFIG_MAPS, 200);
    expect((await alice('GET', CONFIG_MAPS.replace('shop', 'other'))).code).toBe(403);
    expect((await alice('POST', CONFIG_MAPS, { metadata: { name: 'a' } })).code).toBe(403);
    expect((await admin('DELETE', `${BINDINGS}/alice-reads`)).code).toBe(200);
    await until('the end of the grant', CONFIG_MAPS, 403);
  });

  it('allows by name, also a list and a watch of that name', async () => {
    await admin('POST', ROLES, role('one-only', { ...configMaps('get', 'list', 'watch'), resourceNames: ['one'] }));
    await admin('POST', BINDINGS, binding('alice-one', 'Role', 'one-only'));
    const named = `${CONFIG_MAPS}?fieldSelector=metadata.name%3Done`;
    await until('the grant', named, 200);
    expect((await alice('GET', `${named}&watch=1&timeoutSeconds=1`).catch(() => ({ code: 200 }))).code).toBe(200);
    expect((await alice('GET', CONFIG_MAPS)).code).toBe(403);
    expect((await alice('GET', `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dtwo`)).code).toBe(403);
    await admin('DELETE', `${BINDINGS}/alice-one`);
  });

  it('has aggregated roles for everyone else to use', async () => {
    await admin('POST', BINDINGS, binding('alice-views', 'ClusterRole', 'view'));
    await until('the grant', '/apis/batch/v1/namespaces/shop/cronjobs', 200);
    expect((await alice('DELETE', '/apis/batch/v1/namespaces/shop/cronjobs/x')).body.message).toBe(
      'cronjobs.batch "x" is forbidden: User "alice" cannot delete resource "cronjobs" in API group "batch" in the namespace "shop"',
    );
    // Secrets are not to be viewed.
    expect((await alice('GET', '/api/v1/namespaces/shop/secrets')).code).toBe(403);
    const widgets = { apiGroups: ['shop.example'], resources: ['widgets'], verbs: ['get'] };
    const more = { metadata: { name: 'widgets-view', labels: { [`${GROUP}/aggregate-to-view`]: 'true' } }, rules: [widgets] };
    await admin('POST', `${RBAC}/clusterroles`, more);
    for (const name of ['view', 'edit', 'admin']) {
      const rulesOf = async () => JSON.stringify((await admin('GET', `${RBAC}/clusterroles/${name}`)).body['rules']);
      await waitFor(async () => (await rulesOf()).includes('shop.example'), { what: `the rule in ${name}` });
    }
    await admin('DELETE', `${BINDINGS}/alice-views`);
  });

  it('lets nobody grant more than she has', async () => {
    const rolesAndBindings = { apiGroups: [GROUP], resources: ['roles', 'rolebindings'], verbs: ['get', 'create', 'update', 'patch'] };
    await admin('POST', ROLES, role('maker', rolesAndBindings, configMaps('get')));
    await admin('POST', BINDINGS, binding('alice-makes', 'Role', 'maker'));
    await until('the grant', `${ROLES}/maker`, 200);
    const refused = await alice(
      'POST',
      ROLES,
      role('more', configMaps('get', 'delete'), { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }),
    );
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "alice" (groups=["developers" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n{APIGroups:["batch"], Resources:["jobs"], Verbs:["get"]}',
    ]);
    expect((await alice('POST', ROLES, role('same', configMaps('get')))).code).toBe(201);
    const apply = { ...role('same', configMaps('get', 'update')), kind: 'Role', apiVersion: `${GROUP}/v1` };
    expect((await alice('PATCH', `${ROLES}/same?fieldManager=a&force=true`, apply, 'application/apply-patch+yaml')).code).toBe(403);
    expect((await alice('POST', BINDINGS, binding('bob-admin', 'ClusterRole', 'cluster-admin', 'bob'))).code).toBe(403);
    const missing = await alice('POST', BINDINGS, binding('bob-nothing', 'ClusterRole', 'nothing', 'bob'));
    expect([missing.code, missing.body.message]).toEqual([404, 'clusterrole.rbac.authorization.k8s.io "nothing" not found']);
    expect((await alice('POST', BINDINGS, binding('bob-same', 'Role', 'same', 'bob'))).code).toBe(201);
    await admin(
      'POST',
      ROLES,
      role('binder', { apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['edit'], verbs: ['bind'] }),
    );
    await admin('POST', BINDINGS, binding('alice-binds', 'Role', 'binder'));
    await waitFor(async () => (await alice('POST', BINDINGS, binding('bob-edits', 'ClusterRole', 'edit', 'bob'))).code === 201, {
      what: 'the permission to bind',
    });
  });

  it('answers who else may do what, for the cluster and for a namespace', async () => {
    await admin('POST', ROLES, role('asked', configMaps('get')));
    await admin('POST', BINDINGS, binding('carol-asked', 'Role', 'asked', 'carol'));
    const attributes = { namespace: 'shop', verb: 'get', resource: 'configmaps' };
    const ask = (path: string, spec: object) => admin('POST', `/apis/authorization.k8s.io/v1/${path}`, { spec });
    const spec = { user: 'carol', resourceAttributes: attributes };
    await waitFor(async () => (await ask('subjectaccessreviews', spec)).body['status'] !== undefined, { what: 'an answer' });
    for (const path of ['subjectaccessreviews', 'namespaces/shop/localsubjectaccessreviews']) {
      await waitFor(async () => JSON.stringify((await ask(path, spec)).body['status']).includes('"allowed":true'), { what: path });
      expect((await ask(path, { ...spec, user: 'dave' })).body['status']).toMatchObject({ allowed: false });
      expect((await ask(path, { resourceAttributes: attributes })).code).toBe(422);
    }
    const elsewhere = { ...spec, resourceAttributes: { ...attributes, namespace: 'other' } };
    expect((await ask('namespaces/shop/localsubjectaccessreviews', elsewhere)).body.message).toContain('must match metadata.namespace');
    expect((await alice('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })).code).toBe(403);
  });

  it('lets only who may write its status change that of a VolumeAttachment', async () => {
    const path = '/apis/storage.k8s.io/v1/volumeattachments';
    const attachments = { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: ['get', 'create', 'update'] };
    await admin('POST', `${RBAC}/clusterroles`, role('attacher', attachments));
    await admin('POST', `${RBAC}/clusterrolebindings`, binding('alice-attaches', 'ClusterRole', 'attacher'));
    await until('the grant', `${path}/none`, 404);
    const attachment = {
      metadata: { name: 'one' },
      spec: { attacher: 'example.com', nodeName: 'node', source: { persistentVolumeName: 'disk' } },
    };
    const created = await alice('POST', path, { ...attachment, status: { attached: true } });
    expect([created.code, created.body['status']]).toEqual([201, { attached: false }]);
    const attached = { ...created.body, status: { attached: true } };
    const kept = await alice('PUT', `${path}/one`, attached);
    expect([kept.code, kept.body['status']]).toEqual([200, { attached: false }]);
    expect((await alice('PUT', `${path}/one/status`, attached)).code).toBe(403);
    const changed = await admin('PUT', `${path}/one`, { ...kept.body, status: { attached: true } });
    expect([changed.code, changed.body['status']]).toEqual([200, { attached: true }]);
  });

  it('shows the anonymous user health and the version', async () => {
    const nobody = clientOf(server);
    expect((await nobody('GET', '/version')).code).toBe(200);
    expect((await nobody('GET', '/apis')).code).toBe(403);
    expect((await nobody('GET', CONFIG_MAPS)).body.message).toBe(
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "shop"',
    );
  });
});

describe('The bootstrap policy', () => {
  it('is completed at each start, except where its owner says otherwise', async () => {
    const store = await openTestStore('etcd');
    const flags = secureFlags(store);
    const first = await startSecureServer(flags, { tokens: TOKENS });
    const admin = clientOf(first, 'admin-token');
    const path = (name: string) => `${RBAC}/clusterroles/${name}`;
    const merge = (name: string, body: object) => admin('PATCH', path(name), body, 'application/merge-patch+json');
    await admin('DELETE', path('system:discovery'));
    await merge('system:basic-user', { rules: [] });
    await merge('system:public-info-viewer', {
      metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
      rules: [],
    });
    await first.stop();
    const second = await startSecureServer(flags, { tokens: TOKENS });
    const again = clientOf(second, 'admin-token');
    const rules = async (name: string) => ((await again('GET', path(name))).body['rules'] ?? []) as readonly unknown[];
    expect((await rules('system:discovery')).length).toBeGreaterThan(0);
    expect((await rules('system:basic-user')).length).toBeGreaterThan(0);
    expect(await rules('system:public-info-viewer')).toEqual([]);
    await second.stop();
    await store.close();
  }, 60_000);
});

describe('Two servers on one etcd', () => {
  it('both know of a grant that one of them took', async () => {
    const store = await openTestStore('etcd');
    const servers = await Promise.all([1, 2].map(() => startSecureServer(secureFlags(store), { tokens: TOKENS })));
    const [left, right] = servers.map((server) => ({ admin: clientOf(server, 'admin-token'), alice: clientOf(server, 'alice-token') }));
    await left?.admin('POST', `${RBAC}/clusterrolebindings`, binding('alice-edits', 'ClusterRole', 'edit'));
    for (const each of [left, right])
      await waitFor(async () => (await each?.alice('GET', CONFIG_MAPS))?.code === 200, { what: 'the grant' });
    await right?.admin('DELETE', `${RBAC}/clusterrolebindings/alice-edits`);
    for (const each of [left, right]) await waitFor(async () => (await each?.alice('GET', CONFIG_MAPS))?.code === 403, { what: 'its end' });
    await Promise.all(servers.map((server) => server.stop()));
    await store.close();
  }, 60_000);
});
