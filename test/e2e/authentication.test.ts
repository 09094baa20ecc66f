/** Who comes in with which credentials, and when they end: against the built server, on both stores. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate, type CertifiedKey } from '../../pkg/certificates/issue.ts';
import { openHttpsService, sendJson, type HttpsService } from '../support/https-service.ts';
import { openOidcService, type OidcIssuer } from '../support/oidc-issuer.ts';
import { runCoxswain, startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { deadline, waitFor } from '../support/wait.ts';

const ANSWER_MS = 20_000;
/** A credential that is lost ends watches within a minute. */
const LOST_MS = 60_000;
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly identity?: CertifiedKey;
  readonly body?: unknown;
}

interface Answer {
  readonly code: number;
  readonly text: string;
}

describe.each(BACKENDS)('Authentication › on %s', (backend) => {
  let dir: string;
  let store: TestStore;
  let server: SecureServer;
  let oidc: OidcIssuer;
  let webhook: HttpsService;
  let proxyAuthority: CertifiedKey;
  let asked = 0;
  const file = (name: string) => join(dir, name);
  const flags = () => [
    ...secureFlags(store),
    '--token-auth-file',
    file('tokens.csv'),
    '--authentication-config',
    file('authentication.yaml'),
    '--authentication-token-webhook-config-file',
    file('webhook.yaml'),
    '--requestheader-client-ca-file',
    file('proxy-ca.crt'),
    '--requestheader-allowed-names',
    'front-proxy',
    '--requestheader-username-headers',
    'X-Remote-User',
    '--requestheader-group-headers',
    'X-Remote-Group',
    '--requestheader-extra-headers-prefix',
    'X-Remote-Extra-',
    '--service-account-issuer',
    'https://coxswain.example',
  ];

  const open = async (path: string, { method = 'GET', token, headers = {}, identity, body }: Sent): Promise<IncomingMessage> => {
    const outgoing = httpsRequest(server.url + path, {
      method,
      ca: server.ca,
      agent: new Agent({ keepAlive: false }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...identity,
    });
    outgoing.on('error', () => undefined);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await deadline(once(outgoing, 'response'), ANSWER_MS, `an answer to ${method} ${path}`)) as [IncomingMessage];
    return answer;
  };
  const ask = async (path: string, sent: Sent = {}): Promise<Answer> => {
    const answer = await open(path, sent);
    return { code: answer.statusCode ?? 0, text: await readText(answer) };
  };
  const admin = () => ({ cert: server.cert, key: server.key });
  const asAdmin = async (method: string, path: string, body?: unknown) => {
    const { code, text } = await ask(path, { method, identity: admin(), body });
    if (code >= 300) throw new Error(`${method} ${path}: ${code} ${text}`);
    return JSON.parse(text) as { readonly metadata: { readonly uid: string }; readonly status: Readonly<Record<string, unknown>> };
  };
  /** The user, or the code of a refusal. */
  const who = async (sent: Sent): Promise<unknown> => {
    const { code, text } = await ask(WHO, { method: 'POST', body: {}, ...sent });
    return code === 201 ? (JSON.parse(text) as { status: { userInfo: unknown } }).status.userInfo : code;
  };
  const newToken = async (name: string, spec: object = {}) => {
    const { status } = await asAdmin('POST', `${ACCOUNTS}/${name}/token`, { spec });
    return String(status['token']);
  };
  const newAccount = (name: string) => asAdmin('POST', ACCOUNTS, { metadata: { name } });
  /** Resolves once the watch is open; `ended` when the server ends it. */
  const watch = async (sent: Sent) => {
    const answer = await open('/api/v1/namespaces/default/configmaps?watch=1', sent);
    expect(answer.statusCode).toBe(200);
    answer.resume();
    return { ended: deadline(once(answer, 'end'), LOST_MS, 'the watch to end') };
  };
  const metric = async (name: string): Promise<string | undefined> =>
    (await ask('/metrics', { identity: admin() })).text.split('\n').find((line) => line.startsWith(name));

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'coxswain-authentication-'));
    const now = Date.now();
    [store, oidc, proxyAuthority] = await Promise.all([
      openTestStore(backend),
      openOidcService(),
      createAuthority({ commonName: 'proxies', now }),
    ]);
    webhook = await openHttpsService((request, response) => {
      asked++;
      void readText(request).then((text) => {
        const { spec } = JSON.parse(text) as { spec: { token: string } };
        const user = { username: 'hooked', groups: ['hook'] };
        sendJson(response, { status: spec.token === 'webhook-token' ? { authenticated: true, user } : { authenticated: false } });
      });
    });
    await Promise.all([
      writeFile(file('tokens.csv'), 'first-token,alice,u1,dev\n'),
      writeFile(file('proxy-ca.crt'), proxyAuthority.cert),
      writeFile(file('authentication.yaml'), configuration()),
      writeFile(
        file('webhook.yaml'),
        JSON.stringify({
          'current-context': 'hook',
          contexts: [{ name: 'hook', context: { cluster: 'hook' } }],
          clusters: [
            {
              name: 'hook',
              cluster: { server: `${webhook.url}/`, 'certificate-authority-data': Buffer.from(webhook.ca).toString('base64') },
            },
          ],
        }),
      ),
    ]);
    server = await startSecureServer(flags(), backend === 'embedded' ? { dataDir: store.flags[1] ?? '' } : {});
    // Everybody may read, so that there are watches to end.
    await asAdmin('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'everybody-views' },
      subjects: [{ kind: 'Group', name: 'system:authenticated' }],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await Promise.all([store.close(), oidc.close(), webhook.close()]);
    await rm(dir, { recursive: true });
  }, 30_000);

  const configuration = (audience = 'client') =>
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url: oidc.url, audiences: [audience], certificateAuthority: oidc.ca },
          claimMappings: { username: { claim: 'sub', prefix: 'oidc:' }, groups: { claim: 'groups', prefix: 'oidc:' } },
        },
      ],
      anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] },
    });

  it('knows ServiceAccounts by their tokens, and by nothing but a valid one', async () => {
    const { metadata } = await newAccount('bot');
    const token = await newToken('bot');
    const user = {
      username: 'system:serviceaccount:default:bot',
      uid: metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
    };
    expect(await who({ token })).toEqual(user);
    expect(await who({ token: `${token}x` })).toBe(401);
    expect(await who({ token: await newToken('bot', { audiences: ['vault'] }) })).toBe(401);
    const reviewed = await asAdmin('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    expect(reviewed.status).toEqual({ authenticated: true, user, audiences: ['https://coxswain.example'] });
  });

  it('keeps the key that signs in the store, so that tokens outlive the server', async () => {
    await newAccount('survivor');
    const token = await newToken('survivor');
    const keys = (await ask('/openid/v1/jwks', { identity: admin() })).text;
    const { dataDir } = server;
    // Of etcd, the data directory has certificates alone, and is removed with the server.
    if (backend === 'embedded') {
      await server.stop();
      server = await startSecureServer(flags(), { dataDir });
      expect((await ask('/openid/v1/jwks', { identity: admin() })).text).toBe(keys);
      expect(await who({ token })).toMatchObject({ username: 'system:serviceaccount:default:survivor' });
    } else {
      const first = server;
      server = await startSecureServer(flags());
      try {
        expect((await ask('/openid/v1/jwks', { identity: admin() })).text).toBe(keys);
        expect(await who({ token })).toMatchObject({ username: 'system:serviceaccount:default:survivor' });
      } finally {
        await first.stop();
      }
    }
  });

  it('ends tokens and watches with the account, and with the Secret that a token is bound to', async () => {
    await newAccount('leaver');
    await asAdmin('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'badge' } });
    const token = await newToken('leaver');
    const bound = await newToken('leaver', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'badge' } });
    const watches = [await watch({ token: bound }), await watch({ token })];
    await asAdmin('DELETE', '/api/v1/namespaces/default/secrets/badge');
    await waitFor(async () => (await who({ token: bound })) === 401, { what: 'the bound token to end' });
    expect(await who({ token })).not.toBe(401);
    await asAdmin('DELETE', `${ACCOUNTS}/leaver`);
    await waitFor(async () => (await who({ token })) === 401, { what: 'the token to end' });
    await newAccount('leaver');
    expect(await who({ token })).toBe(401);
    await Promise.all(watches.map(({ ended }) => ended));
  }, 90_000);

  it('reads the token file again when it changes, and ends the watches of tokens that are gone', async () => {
    expect(await who({ token: 'first-token' })).toEqual({ username: 'alice', uid: 'u1', groups: ['dev', 'system:authenticated'] });
    const { ended } = await watch({ token: 'first-token' });
    await writeFile(file('tokens.csv'), 'second-token,alice,u1\nbroken');
    await waitFor(
      async () => (await metric('coxswain_file_reloads_total{flag="token-auth-file",result="failure"}'))?.endsWith(' 1') === true,
      {
        what: 'the broken file to be noticed',
        timeoutMs: 20_000,
      },
    );
    expect(server.output()).toMatch(/file reload failed.*wrong in line 2/);
    expect(await who({ token: 'first-token' })).not.toBe(401);
    await writeFile(file('tokens.csv'), 'second-token,alice,u1\n');
    await waitFor(async () => (await who({ token: 'second-token' })) !== 401, { what: 'the new token', timeoutMs: 20_000 });
    expect(await who({ token: 'first-token' })).toBe(401);
    await ended;
  }, 120_000);

  // It waits for keys to be fetched again, and has nothing to do with the store.
  if (backend === 'embedded') {
    it('knows users of an OIDC issuer, after its keys have changed too', async () => {
      const claims = { sub: 'jane', aud: 'client', groups: ['dev'] };
      const token = await oidc.sign(claims);
      expect(await who({ token })).toEqual({ username: 'oidc:jane', groups: ['oidc:dev', 'system:authenticated'] });
      await oidc.pause();
      expect(await who({ token })).not.toBe(401);
      await oidc.resume();
      await oidc.rotate();
      const newer = await oidc.sign(claims);
      await waitFor(async () => (await who({ token: newer })) !== 401, { what: 'the new key', timeoutMs: 30_000, everyMs: 200 });
      expect(await who({ token: await oidc.sign({ ...claims, aud: 'other' }) })).toBe(401);
    }, 60_000);
  }

  it('reads the configuration again when it changes', async () => {
    const token = await oidc.sign({ sub: 'jane', aud: 'new-client' });
    expect(await who({ token })).toBe(401);
    await writeFile(file('authentication.yaml'), configuration().replace('"jwt"', '"jwts"'));
    await waitFor(
      async () => (await metric('coxswain_file_reloads_total{flag="authentication-config",result="failure"}'))?.endsWith(' 1') === true,
      {
        what: 'the broken file to be noticed',
        timeoutMs: 20_000,
      },
    );
    await writeFile(file('authentication.yaml'), configuration('new-client'));
    await waitFor(async () => (await who({ token })) !== 401, { what: 'the new audience', timeoutMs: 20_000 });
  }, 60_000);

  it('is anonymous on the paths of the configuration alone', async () => {
    expect((await ask('/livez')).code).toBe(200);
    for (const path of ['/healthz', '/livez/ping', '/version', '/api', '/livez/']) expect((await ask(path)).code).toBe(401);
  });

  it('asks a webhook, and remembers what it said', async () => {
    expect(await who({ token: 'webhook-token' })).toEqual({ username: 'hooked', groups: ['hook', 'system:authenticated'] });
    const before = asked;
    expect(await who({ token: 'webhook-token' })).not.toBe(401);
    expect(asked).toBe(before);
    expect(await who({ token: 'unknown-token' })).toBe(401);
    await webhook.pause();
    expect(await who({ token: 'webhook-token' })).not.toBe(401);
    expect(await who({ token: 'another-token' })).toBe(401);
    await webhook.resume();
  });

  it('believes the headers of a proxy, and of nobody else', async () => {
    const now = Date.now();
    const issue = (commonName: string) => issueCertificate(proxyAuthority, { commonName, usage: 'client', now });
    const headers = {
      'X-Remote-User': 'jane',
      'X-Remote-Group': ['CN=a, OU=b', 'c'],
      'X-Remote-Extra-Scopes': 's',
      'X-Remote-Uid': 'ignored',
    };
    const proxy = await issue('front-proxy');
    const jane = { username: 'jane', groups: ['CN=a, OU=b', 'c', 'system:authenticated'], extra: { scopes: ['s'] } };
    expect(await who({ identity: proxy, headers })).toEqual(jane);
    expect(await who({ identity: proxy })).toBe(401);
    expect(await who({ identity: await issue('other'), headers })).toBe(401);
    expect(await who({ identity: admin(), headers })).toMatchObject({ username: 'coxswain-admin' });
    expect(await who({ token: 'second-token', headers })).toMatchObject({ username: 'alice' });
    expect(await who({ headers })).toBe(401);
    // A resumed session shows the same certificate.
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
    const codes: (number | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      const outgoing = httpsRequest(server.url + WHO, {
        method: 'POST',
        ca: server.ca,
        agent,
        ...proxy,
        headers: { 'content-type': 'application/json', 'x-remote-user': 'jane' },
      });
      outgoing.end('{}');
      const [answer] = (await deadline(once(outgoing, 'response'), ANSWER_MS, 'an answer')) as [IncomingMessage];
      codes.push(answer.statusCode);
      await readText(answer);
    }
    expect(codes).toEqual([201, 201]);
  });

  it('writes no token to its log', () => {
    expect(server.output()).not.toMatch(/first-token|second-token|webhook-token|unknown-token|eyJ/);
  });
});

describe('A file of authentication that is broken at start', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'coxswain-authentication-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it.each([
    ['--token-auth-file', 'a,b\n', /--token-auth-file: .*file is wrong in line 1: it must have at least 3 columns/],
    [
      '--authentication-config',
      'kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/v1\nfoo: 1\n',
      /--authentication-config: .*file is wrong in line 3: foo: unknown field "foo"/,
    ],
    [
      '--authentication-token-webhook-config-file',
      'clusters: 1\n',
      /--authentication-token-webhook-config-file: .*file: current-context is missing/,
    ],
    ['--service-account-signing-key-file', 'x', /--service-account-signing-key-file: .*file contains no valid PEM private key/],
    ['--service-account-key-file', 'x', /--service-account-key-file: .*file contains no key in PEM/],
  ])('ends the server with file, line and reason: %s', async (flag, text, message) => {
    const path = join(dir, 'file');
    await writeFile(path, text);
    const { code, stderr } = await runCoxswain([
      'serve',
      '--data-dir',
      join(dir, 'data'),
      '--secure-port',
      '0',
      '--insecure-port',
      '1',
      flag,
      path,
    ]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
