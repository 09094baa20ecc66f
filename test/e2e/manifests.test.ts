/** `--manifest-dir` of the built server: roles that a chart brings, on both stores. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCoxswain, startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import { BACKENDS, openTestStore, type TestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait.ts';

const CLUSTER_ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/readers';
const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

const role = (verb: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [${verb}]}]
`;
const BINDING = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: developers}]
`;
const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';
const LATER = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later, namespace: elsewhere}\n';
const BROKEN = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: broken, namespace: shop}\ndate: {a: b}\n';

describe.each(BACKENDS)('--manifest-dir › on %s', (backend) => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let store: TestStore;
  let server: ServerProcess;
  const folder = () => path.join(directory.path, 'manifests');
  const audit = () => path.join(directory.path, 'audit.log');
  /** As the kubelet does: all files change at once, by a link. */
  const publish = async (version: string, files: Readonly<Record<string, string>>) => {
    await mkdir(path.join(folder(), version), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder(), version, name), text);
      await symlink(`..data/${name}`, path.join(folder(), name)).catch(() => undefined); // it is there
    }
    await symlink(version, path.join(folder(), '..next'));
    await rename(path.join(folder(), '..next'), path.join(folder(), '..data'));
  };
  const metric = async (name: string) => {
    const { text } = await server.get('/metrics');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  beforeAll(async () => {
    directory = await temporaryDirectory();
    await publish('..v1', { '1-binding.yaml': BINDING, '2-role.yaml': role('get'), '3-namespace.yaml': NAMESPACE, '4-later.yaml': LATER });
    await writeFile(
      path.join(directory.path, 'policy.yaml'),
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, verbs: [patch]}]\n',
    );
    await writeFile(path.join(folder(), '5-broken.yaml'), BROKEN);
    store = await openTestStore(backend);
    server = await startServer([
      ...store.flags,
      `--manifest-dir=${folder()}`,
      '--namespace-lifecycle=strict',
      `--audit-policy-file=${path.join(directory.path, 'policy.yaml')}`,
      `--audit-log-path=${audit()}`,
    ]);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await store.close();
    await directory.remove();
  }, 30_000);

  it('applies its objects at the start, with one field manager', async () => {
    await waitFor(async () => (await server.get(`${CLUSTER_ROLES}/reader`)).code === 200, { what: 'the role' });
    await waitFor(async () => (await server.get(BINDINGS)).code === 200, { what: 'the binding' });
    expect((await server.get(BINDINGS)).json()).toMatchObject({
      subjects: [{ kind: 'Group', name: 'developers' }],
      metadata: { managedFields: [{ manager: 'coxswain-manifests', operation: 'Apply' }] },
    });
  });

  it('tells of what cannot be applied, and is ready all the same', async () => {
    await waitFor(async () => (await metric('coxswain_manifest_problems')) === 2, { what: 'the metric' });
    expect(server.output()).toMatch(/manifest not applied.*5-broken\.yaml.*line.*1.*ConfigMap shop\/broken.*\.date: field not declared/);
    expect(server.output()).toMatch(/manifest not applied.*4-later\.yaml.*ConfigMap elsewhere\/later.*namespaces.*elsewhere.*not found/);
    expect((await server.get('/readyz')).code).toBe(200);
    expect((await server.get(`${CONFIG_MAPS}/broken`)).code).toBe(404);
  });

  it('tries again what failed', async () => {
    expect((await server.post('/api/v1/namespaces', { metadata: { name: 'elsewhere' } })).code).toBe(201);
    await waitFor(async () => (await server.get('/api/v1/namespaces/elsewhere/configmaps/later')).code === 200, {
      what: 'the later object',
      timeoutMs: 30_000,
    });
    await waitFor(async () => (await metric('coxswain_manifest_problems')) === 1, { what: 'the metric' });
  }, 40_000);

  it('applies a change of the files, against what others wrote, and leaves what has gone', async () => {
    const changed = await server.send('PATCH', `${CLUSTER_ROLES}/reader`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { rules: [] },
    });
    expect(changed.code).toBe(200);
    await publish('..v2', { '2-role.yaml': role('list'), '3-namespace.yaml': NAMESPACE });
    const verbs = async () => {
      const found = (await server.get(`${CLUSTER_ROLES}/reader`)).json() as {
        readonly rules?: readonly { readonly verbs: readonly string[] }[] | null;
      };
      return found.rules?.[0]?.verbs;
    };
    await waitFor(async () => (await verbs())?.[0] === 'list', { what: 'the new rules' });
    expect((await server.get(BINDINGS)).code).toBe(200);
  });

  it('writes as a user of its own, through audit', async () => {
    const events = (await readFile(audit(), 'utf8')).trim().split('\n');
    expect(events.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        stage: 'ResponseComplete',
        user: { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
        userAgent: 'coxswain-manifests',
        requestURI: `${CLUSTER_ROLES}/reader?fieldManager=coxswain-manifests&force=true&fieldValidation=Strict`,
      }),
    );
  });
});

it('Two servers over one etcd may apply the same folder: what is there already is not written again.', async () => {
  const directory = await temporaryDirectory();
  await writeFile(path.join(directory.path, 'role.yaml'), role('get'));
  const store = await openTestStore('etcd');
  const flags = [...store.flags, `--manifest-dir=${directory.path}`];
  const applied = async (server: ServerProcess): Promise<string> => {
    const done = /^coxswain_manifest_applies_total{result="success"} 1$/m;
    await waitFor(async () => done.test((await server.get('/metrics')).text), { what: 'the role to be applied' });
    return (await server.get(`${CLUSTER_ROLES}/reader`)).object().metadata.resourceVersion;
  };
  const first = await startServer(flags);
  const version = await applied(first);
  const second = await startServer(flags);
  expect(await applied(second)).toBe(version);
  await second.stop();
  await first.stop();
  await store.close();
  await directory.remove();
}, 60_000);

it('--manifest-dir must be a folder.', async () => {
  for (const [given, reason] of [
    ['/nowhere/at/all', 'no such file or directory'],
    [import.meta.filename, 'is not a folder'],
  ] as const) {
    const { code, stderr } = await runCoxswain(['serve', '--secure-port=0', '--insecure-port=1', `--manifest-dir=${given}`]);
    expect(stderr).toContain(`--manifest-dir: `);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  }
});
