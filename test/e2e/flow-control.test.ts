/** Flow control of the built server, by the objects that configure it and by what clients are answered. */
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBootstrapObjects } from '../../pkg/controllers/flowcontrol/bootstrap-objects.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { describeServer } from '../support/stores.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait.ts';

const TOKENS = [
  { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
  { token: 'alice-token', user: 'alice', groups: ['developers'] },
];
const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1';
const SCHEMAS = `${GROUP}/flowschemas`;
const LEVELS = `${GROUP}/prioritylevelconfigurations`;
const CONFIG_MAPS = '/api/v1/configmaps';
const SCHEMA_UID = 'x-kubernetes-pf-flowschema-uid';
const LEVEL_UID = 'x-kubernetes-pf-prioritylevel-uid';

interface FlowObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: unknown;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface Reply {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const clientOf =
  ({ url, ca }: SecureServer, token: string) =>
  async (method: string, path: string, body?: object, type = 'application/json'): Promise<Reply> => {
    const sent = request(url + path, { method, ca, headers: { authorization: `Bearer ${token}`, 'content-type': type }, agent: false });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    return { code: message.statusCode ?? 0, headers: message.headers, text: await readText(message) };
  };

type Client = ReturnType<typeof clientOf>;
const read = async (client: Client, path: string) => JSON.parse((await client('GET', path)).text) as FlowObject;
const list = async (client: Client, path: string) =>
  (JSON.parse((await client('GET', path)).text) as { readonly items: readonly FlowObject[] }).items;
const danglingOf = ({ status }: FlowObject) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status;

describe.each(BACKENDS)('Flow control on %s', (backend) => {
  let store: TestStore;
  let server: SecureServer;
  let admin: Client;
  let alice: Client;
  const open = async (...flags: readonly string[]) => {
    server = await startSecureServer([...secureFlags(store), '--authorization-mode', 'AlwaysAllow', ...flags], { tokens: TOKENS });
    admin = clientOf(server, 'admin-token');
    alice = clientOf(server, 'alice-token');
  };
  beforeAll(async () => {
    store = await openTestStore(backend);
    await open();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await store.close();
  }, 30_000);

  it('makes the mandatory and suggested objects, whose levels exist', async () => {
    const objects = createBootstrapObjects(DEFAULT_GROUP_SUFFIX);
    const expected = (resource: string) =>
      objects
        .filter((each) => each.resource === resource)
        .map(({ object }) => object.metadata.name)
        .sort();
    await waitFor(
      async () => (await list(admin, SCHEMAS)).filter((each) => danglingOf(each) === 'False').length === expected('flowschemas').length,
      {
        what: 'the flow schemas',
      },
    );
    const schemas = await list(admin, SCHEMAS);
    expect(schemas.map(({ metadata }) => metadata.name)).toEqual(expected('flowschemas'));
    const levels = await list(admin, LEVELS);
    expect(levels.map(({ metadata }) => metadata.name)).toEqual(expected('prioritylevelconfigurations'));
    for (const { object } of objects) {
      const stored = [...schemas, ...levels].filter(({ metadata }) => metadata.name === object.metadata.name);
      expect(stored).toContainEqual(expect.objectContaining({ spec: object.spec }));
    }
  });

  it('tells which flow schema and level a request belongs to, whatever the answer', async () => {
    const [schema, level] = [await read(admin, `${SCHEMAS}/global-default`), await read(admin, `${LEVELS}/global-default`)];
    const uids = { [SCHEMA_UID]: schema.metadata.uid, [LEVEL_UID]: level.metadata.uid };
    await waitFor(async () => (await alice('GET', CONFIG_MAPS)).headers[SCHEMA_UID] === schema.metadata.uid, { what: 'the configuration' });
    expect((await alice('GET', '/api/v1/namespaces/default/configmaps/none')).headers).toMatchObject(uids);
    const exempt = await read(admin, `${SCHEMAS}/exempt`);
    expect((await admin('GET', CONFIG_MAPS)).headers[SCHEMA_UID]).toBe(exempt.metadata.uid);
    expect((await clientOf(server, 'nobody')('GET', CONFIG_MAPS)).headers).not.toHaveProperty(SCHEMA_UID);
  });

  it('follows new objects, and says when a level is missing', async () => {
    const spec = {
      priorityLevelConfiguration: { name: 'slow' },
      matchingPrecedence: 10,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'alice' } }],
          resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    };
    const path = `${SCHEMAS}/of-alice`;
    expect((await admin('POST', SCHEMAS, { metadata: { name: 'of-alice' }, spec })).code).toBe(201);
    await waitFor(async () => danglingOf(await read(admin, path)) === 'True', { what: 'the condition Dangling' });
    const { uid } = (await read(admin, path)).metadata;
    expect((await alice('GET', CONFIG_MAPS)).headers[SCHEMA_UID]).not.toBe(uid);
    // No seats at all, so that a request of it runs only when nothing else of it does.
    const limited = { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } };
    expect((await admin('POST', LEVELS, { metadata: { name: 'slow' }, spec: { type: 'Limited', limited } })).code).toBe(201);
    await waitFor(async () => danglingOf(await read(admin, path)) === 'False', { what: 'the condition to go' });
    await waitFor(async () => (await alice('GET', CONFIG_MAPS)).headers[SCHEMA_UID] === uid, { what: 'the new level' });
    expect((await alice('GET', '/api/v1/namespaces')).headers[SCHEMA_UID]).not.toBe(uid);
    const replies = await Promise.all(Array.from({ length: 40 }, () => alice('GET', CONFIG_MAPS)));
    expect(new Set(replies.map(({ code }) => code))).toContain(200);
    expect((await admin('DELETE', path)).code).toBe(200);
    await waitFor(async () => (await alice('GET', CONFIG_MAPS)).headers[SCHEMA_UID] !== uid, { what: 'the end of it' });
  });

  it('shows flow schemas in the order in which they are asked', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const sent = request(`${server.url}${SCHEMAS}`, {
      ca: server.ca,
      headers: { authorization: 'Bearer admin-token', accept },
      agent: false,
    });
    sent.end();
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    const { rows } = JSON.parse(await readText(message)) as { readonly rows: readonly { readonly cells: readonly unknown[] }[] };
    expect(rows.map(({ cells }) => cells[0])).toEqual([
      ...['exempt', 'probes', 'system-leader-election', 'system-node-high', 'system-nodes', 'kube-controller-manager'],
      ...['kube-scheduler', 'kube-system-service-accounts', 'service-accounts', 'global-default', 'catch-all'],
    ]);
  });
});

describeServer('The objects of flow control', (api) => {
  it('are restored by the next start, but for what an owner keeps', async () => {
    const specOf = async (path: string) => (await api.get(path)).object()['spec'];
    const exists = async (path: string) => (await api.get(path)).code === 200;
    const patch = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/merge-patch+json' };
      expect((await api.send('PATCH', path, { headers, body: JSON.stringify(body) })).code).toBe(200);
    };
    const annotations = (value: string) => ({ annotations: { 'apf.kubernetes.io/autoupdate-spec': value } });
    const shares = (count: number) => ({ spec: { limited: { nominalConcurrencyShares: count } } });
    await waitFor(() => exists(`${SCHEMAS}/global-default`), { what: 'the objects' });
    for (const name of ['catch-all', 'probes']) expect((await api.delete(`${SCHEMAS}/${name}`)).code).toBe(200);
    await patch(`${LEVELS}/workload-high`, { metadata: annotations('false'), ...shares(77) });
    await patch(`${LEVELS}/workload-low`, shares(78));
    const old = {
      metadata: { name: 'of-an-old-version', ...annotations('true') },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    };
    expect((await api.post(LEVELS, old)).code).toBe(201);
    await api.restart();
    // Removed last.
    await waitFor(async () => !(await exists(`${LEVELS}/of-an-old-version`)), { what: 'the objects to be restored' });
    expect(await exists(`${SCHEMAS}/catch-all`)).toBe(true);
    expect(await exists(`${SCHEMAS}/probes`)).toBe(true);
    expect(await specOf(`${LEVELS}/workload-high`)).toMatchObject({ limited: { nominalConcurrencyShares: 77 } });
    expect(await specOf(`${LEVELS}/workload-low`)).toMatchObject({ limited: { nominalConcurrencyShares: 100 } });
  }, 60_000);
});
