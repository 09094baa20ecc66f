/** A webhook that decides who may do what, asked by the built server over TLS. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import path from 'node:path';
import { buffer as readBuffer, text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHttpsService, sendJson, type HttpsService } from '../support/https-service.ts';
import { runCoxswain, startSecureServer, temporaryDirectory, type SecureServer } from '../support/server.ts';
import { waitFor } from '../support/wait.ts';
import { writeWebhookFile } from '../support/webhook-file.ts';

interface ReceivedReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly spec: { readonly user?: string; readonly resourceAttributes?: Readonly<Record<string, unknown>> };
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

function verdictOf(user: string) {
  if (user.startsWith('allowed')) return { allowed: true, reason: 'a friend' };
  if (user.startsWith('denied')) return { allowed: false, denied: true, reason: 'an enemy' };
  return { allowed: false, reason: 'a stranger' };
}

/** Decides by the name of the user, and remembers what it was asked. */
async function openHook() {
  const reviews: ReceivedReview[] = [];
  const answer = (response: ServerResponse, { kind, apiVersion, spec: { user = '' } }: ReceivedReview) => {
    if (user.startsWith('silent')) return;
    if (user.startsWith('broken')) sendJson(response, {}, 400);
    else sendJson(response, { kind, apiVersion, status: verdictOf(user) });
  };
  const service = await openHttpsService((request, response) => {
    void readBuffer(request).then((body) => {
      const review = JSON.parse(body.toString()) as ReceivedReview;
      reviews.push(review);
      answer(response, review);
    });
  });
  return { ...service, reviews, asked: (user: string) => reviews.filter(({ spec }) => spec.user === user) };
}

type Hook = Awaited<ReturnType<typeof openHook>>;

const USERS = ['allowed', 'allowed-2', 'denied', 'stranger', 'broken', 'silent', 'reader', 'broken-reader', 'denied-reader'];
const tokens = [
  ...USERS.map((user) => ({ token: `${user}-token`, user })),
  { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
];

function createAsker({ url, ca }: SecureServer) {
  return async (user: string, target: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${user}-token`, 'content-type': 'application/json' };
    const sent = httpsRequest(url + target, { ca, agent: false, method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', reject);
    });
    const text = await readText(response);
    const isJson = response.headers['content-type'] === 'application/json';
    return { code: response.statusCode, text, body: isJson ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : undefined };
  };
}

type Ask = ReturnType<typeof createAsker>;

async function metricsOf(ask: Ask, pattern: RegExp): Promise<readonly string[]> {
  const { text } = await ask('admin', '/metrics');
  return text.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
}

const refusal = (user: string, reason: string) =>
  `configmaps is forbidden: User "${user}" cannot list resource "configmaps" in API group "" in the namespace "default": ${reason}`;

async function bindReaders(ask: Ask): Promise<void> {
  const names = ['reader', 'broken-reader', 'denied-reader'];
  const role = { metadata: { name: 'reader' }, rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }] };
  const binding = {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: names.map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
  };
  const group = '/apis/rbac.authorization.k8s.io/v1';
  expect((await ask('admin', `${group}/clusterroles`, 'POST', role)).code).toBe(201);
  expect((await ask('admin', `${group}/clusterrolebindings`, 'POST', binding)).code).toBe(201);
  await waitFor(async () => (await ask('reader', CONFIG_MAPS)).code === 200, { what: 'the binding to count' });
}

describe('--authorization-mode=Webhook,RBAC', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let hook: Hook;
  let server: SecureServer;
  let ask: Ask;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    hook = await openHook();
    const file = (name: string) => path.join(directory.path, name);
    await writeWebhookFile(file('hook.json'), hook);
    await writeFile(
      file('policy.yaml'),
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n',
    );
    server = await startSecureServer(
      ['--authorization-mode=Webhook,RBAC', '--authorization-webhook-config-file', file('hook.json')].concat(
        ['--authorization-webhook-version=v1', '--audit-policy-file', file('policy.yaml')],
        ['--audit-log-path', file('audit.log'), '--controllers=*,-garbage-collector-controller'],
      ),
      { tokens },
    );
    ask = createAsker(server);
    await bindReaders(ask);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await hook.close();
    await directory.remove();
  }, 30_000);

  it('allows what the webhook allows, and remembers it', async () => {
    for (let round = 0; round < 3; round++) expect((await ask('allowed', CONFIG_MAPS)).code).toBe(200);
    expect(hook.asked('allowed')).toEqual([
      {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec: {
          resourceAttributes: { namespace: 'default', verb: 'list', version: 'v1', resource: 'configmaps' },
          user: 'allowed',
          groups: ['system:authenticated'],
          uid: 'allowed-uid',
        },
        status: { allowed: false },
      },
    ]);
  });

  it('tells the webhook selectors', async () => {
    const query = '?labelSelector=a%3Db,c+notin+(d,e),!f,n>3&fieldSelector=metadata.name%3Dx,metadata.namespace!%3Dy';
    expect((await ask('allowed-2', CONFIG_MAPS + query)).code).toBe(200);
    expect((await ask('allowed-2', `${CONFIG_MAPS}/x${query}`)).code).toBe(404);
    expect(hook.asked('allowed-2').map(({ spec }) => spec.resourceAttributes)).toEqual([
      {
        namespace: 'default',
        verb: 'list',
        version: 'v1',
        resource: 'configmaps',
        name: 'x',
        fieldSelector: {
          requirements: [
            { key: 'metadata.name', operator: 'In', values: ['x'] },
            { key: 'metadata.namespace', operator: 'NotIn', values: ['y'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'c', operator: 'NotIn', values: ['d', 'e'] },
            { key: 'f', operator: 'DoesNotExist' },
          ],
        },
      },
      { namespace: 'default', verb: 'get', version: 'v1', resource: 'configmaps', name: 'x' },
    ]);
  });

  it('refuses what the webhook denies, whatever the roles say', async () => {
    for (const user of ['denied', 'denied-reader']) {
      expect((await ask(user, CONFIG_MAPS)).body).toMatchObject({ code: 403, message: refusal(user, 'an enemy') });
    }
  });

  it('asks the next authorizer what the webhook has no opinion of', async () => {
    expect((await ask('reader', CONFIG_MAPS)).code).toBe(200);
    expect((await ask('stranger', CONFIG_MAPS)).body).toMatchObject({ code: 403, message: refusal('stranger', 'a stranger') });
  });

  it('answers 500 to what nobody can decide, and lets through what a role allows', async () => {
    expect((await ask('broken-reader', CONFIG_MAPS)).code).toBe(200);
    const { code, text } = await ask('broken', `${CONFIG_MAPS}?limit=1&x=<y>`);
    expect([code, text]).toEqual([500, `Internal Server Error: "${CONFIG_MAPS}?limit=1&amp;x=%3Cy%3E": the answer is 400: {}\n`]);
  });

  it('never asks about members of system:masters, nor about health', async () => {
    expect((await ask('admin', CONFIG_MAPS)).code).toBe(200);
    expect((await ask('denied', '/readyz')).code).toBe(200);
    expect([hook.asked('admin'), hook.asked('denied').length]).toEqual([[], 1]);
  });

  it('answers reviews by the same chain', async () => {
    const review = async (user: string) => {
      const resourceAttributes = { verb: 'list', resource: 'configmaps', namespace: 'default' };
      const { code, body } = await ask('admin', REVIEWS, 'POST', { spec: { user, resourceAttributes } });
      expect(code).toBe(201);
      return body?.['status'];
    };
    expect(await review('allowed')).toEqual({ allowed: true, reason: 'a friend' });
    expect(await review('denied')).toEqual({ allowed: false, denied: true, reason: 'an enemy' });
    expect(await review('stranger')).toEqual({ allowed: false, reason: 'a stranger' });
    expect(await review('broken')).toEqual({ allowed: false, evaluationError: 'the answer is 400: {}' });
    expect(await review('reader')).toMatchObject({ allowed: true, reason: expect.stringMatching(/^RBAC: allowed by/) as unknown });
  });

  it('names decision and reason in the audit', async () => {
    await ask('broken', CONFIG_MAPS);
    type Line = { readonly user: { readonly username: string }; readonly annotations?: object; readonly requestURI: string };
    let lines: readonly Line[] = [];
    const of = (user: string) =>
      lines.find(({ user: { username }, requestURI }) => username === user && requestURI === CONFIG_MAPS)?.annotations;
    await waitFor(
      async () => {
        lines = (await readFile(path.join(directory.path, 'audit.log'), 'utf8'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Line);
        return of('broken') !== undefined;
      },
      { what: 'the audit' },
    );
    const annotations = (decision: string, reason: string) => ({
      'authorization.k8s.io/decision': decision,
      'authorization.k8s.io/reason': reason,
    });
    expect(of('allowed')).toEqual(annotations('allow', 'a friend'));
    expect(of('denied')).toEqual(annotations('forbid', 'an enemy'));
    expect(of('stranger')).toEqual(annotations('forbid', 'a stranger'));
    expect(of('broken')).toEqual({ 'authorization.k8s.io/reason': 'internal error' });
  });

  it('counts decisions and calls', async () => {
    const lines = await metricsOf(ask, /^apiserver_authorization_(decisions|webhook_evaluations).*_total/);
    for (const series of [
      'decisions_total{type="Webhook",name="default",decision="allowed"}',
      'decisions_total{type="Webhook",name="default",decision="denied"}',
      'decisions_total{type="RBAC",name="rbac",decision="allowed"}',
      'webhook_evaluations_total{name="default",result="success"}',
      'webhook_evaluations_total{name="default",result="error"}',
      'webhook_evaluations_fail_open_total{name="default",result="error"}',
    ]) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^apiserver_authorization_${series.replace(/[{}]/g, '.')} [1-9]`)));
    }
  });

  it('fails closed when the webhook is gone, but for what is remembered', async () => {
    await hook.pause();
    expect((await ask('allowed', CONFIG_MAPS)).code).toBe(200);
    expect((await ask('denied', CONFIG_MAPS)).code).toBe(403);
    const { code, text } = await ask('allowed', `${CONFIG_MAPS}/new`);
    expect([code, text]).toEqual([500, expect.stringMatching(/^Internal Server Error: ".*ECONNREFUSED/)]);
    await hook.resume();
    expect((await ask('allowed', `${CONFIG_MAPS}/new`)).code).toBe(404);
  });
});

describe('--authorization-config', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let hook: Hook;
  let server: SecureServer;
  let ask: Ask;
  const file = (name: string) => path.join(directory.path, name);
  const webhook = (name: string, failurePolicy: string, timeout = '30s') =>
    `- {type: Webhook, name: ${name}, webhook: {timeout: ${timeout}, subjectAccessReviewVersion: v1beta1, failurePolicy: ${failurePolicy}, ` +
    `connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${file('hook.json')}}}}`;
  const RBAC = '- {type: RBAC, name: rbac}';
  const configuration = (...authorizers: readonly string[]) =>
    ['apiVersion: apiserver.config.k8s.io/v1', 'kind: AuthorizationConfiguration', 'authorizers:', ...authorizers, ''].join('\n');
  /** As `kubectl apply` and editors do it: the file is replaced. */
  const replace = async (text: string) => {
    await writeFile(file('next.yaml'), text);
    await rename(file('next.yaml'), file('authorization.yaml'));
  };
  const reloads = async (status: string) =>
    metricsOf(ask, new RegExp(`^apiserver_authorization_config_controller_automatic_reloads_total{status="${status}"`));
  const lastConfig = async () => (await metricsOf(ask, /^apiserver_authorization_config_controller_last_config_info/))[0];
  beforeAll(async () => {
    directory = await temporaryDirectory();
    hook = await openHook();
    await writeWebhookFile(file('hook.json'), hook);
    await replace(configuration(webhook('strict', 'Deny'), RBAC));
    server = await startSecureServer(['--authorization-config', file('authorization.yaml')], { tokens });
    ask = createAsker(server);
    await bindReaders(ask);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await hook.close();
    await directory.remove();
  }, 30_000);

  it('decides as the file says: a webhook that fails denies', async () => {
    expect((await ask('reader', CONFIG_MAPS)).code).toBe(200);
    expect((await ask('broken-reader', CONFIG_MAPS)).code).toBe(500);
    expect(hook.asked('reader')[0]).toMatchObject({ apiVersion: 'authorization.k8s.io/v1beta1' });
  });

  it('shows its hash, and takes a change while requests go on', async () => {
    const before = await lastConfig();
    expect(before).toMatch(/{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"} 1$/);
    await replace(configuration(webhook('lenient', 'NoOpinion', '200ms'), RBAC));
    await waitFor(async () => (await ask('broken-reader', CONFIG_MAPS)).code === 200, { what: 'the change to count' });
    await waitFor(async () => (await reloads('success')).length === 1, { what: 'the metric' });
    expect(await lastConfig()).not.toBe(before);
    expect((await ask('denied', CONFIG_MAPS)).code).toBe(403);
  });

  it('gives up on a webhook that does not answer in time', async () => {
    const { code, text } = await ask('silent', CONFIG_MAPS);
    expect([code, text]).toEqual([500, `Internal Server Error: "${CONFIG_MAPS}": no answer within 200 ms\n`]);
    await waitFor(
      async () =>
        (await metricsOf(ask, /^apiserver_authorization_webhook_evaluations_total{name="lenient",result="timeout"} 1$/)).length === 1,
      { what: 'the metric' },
    );
  });

  it.each([
    [
      'an unknown field',
      () => configuration('- {type: RBAC, name: rbac, nam: x}'),
      /authorization\.yaml is wrong in line 4: authorizers\[0\]\.nam/,
    ],
    ['no RBAC, which it had at the start', () => configuration(webhook('alone', 'Deny')), /missing required types: \[RBAC\]/],
    [
      'a webhook without a kubeconfig',
      () => configuration(webhook('lost', 'Deny').replace('hook.json', 'none.json'), RBAC),
      /none\.json: .*ENOENT|none\.json: .*no such file/,
    ],
  ])('keeps the last good one when the file has %s', async (_, text, reason) => {
    const failures = () => reloads('failure').then(([line = ' 0']) => Number(/\d+$/.exec(line)?.[0]));
    const before = await failures();
    await replace(text());
    await waitFor(async () => (await failures()) > before, { what: 'the failure to be counted' });
    expect(server.output()).toMatch(reason);
    expect((await ask('reader', CONFIG_MAPS)).code).toBe(200);
    expect((await ask('denied', CONFIG_MAPS)).code).toBe(403);
  });
});

describe('The flags of authorization', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let hook: Pick<HttpsService, 'url' | 'ca'>;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    hook = { url: 'https://localhost:1', ca: '' };
    await writeWebhookFile(path.join(directory.path, 'hook.json'), hook);
    await writeFile(path.join(directory.path, 'config.yaml'), 'kind: AuthorizationConfiguration\n');
  });
  afterAll(() => directory.remove());

  it.each([
    [
      ['--authorization-mode=Webhook'],
      '--authorization-mode=Webhook and --authorization-webhook-config-file are given together or not at all',
    ],
    [['--authorization-webhook-config-file=hook.json'], 'are given together or not at all'],
    [['--authorization-mode=Webhook', '--authorization-webhook-config-file=none.json'], '--authorization-webhook-config-file: '],
    [['--authorization-mode=RBAC,RBAC'], 'a mode may be named once only'],
    [['--authorization-mode=Node'], 'there is no mode "Node"'],
    [['--authorization-config=config.yaml', '--authorization-mode=RBAC'], '--authorization-config can not be specified when'],
    [
      ['--authorization-config=config.yaml', '--authorization-webhook-cache-authorized-ttl=1s'],
      '--authorization-config can not be specified',
    ],
    [['--authorization-config=config.yaml'], 'config.yaml is wrong in line 1: apiVersion: must be apiserver.config.k8s.io/v1'],
  ])('%j ends the start with the reason', async (flags, reason) => {
    const absolute = flags.map((flag) => flag.replace(/=(\w+\.\w+)$/, `=${directory.path}/$1`));
    const { code, stderr } = await runCoxswain([
      'serve',
      '--data-dir',
      path.join(directory.path, 'data'),
      '--secure-port=0',
      '--insecure-port=1',
      ...absolute,
    ]);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });
});
