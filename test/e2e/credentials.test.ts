/**
 * Every path with credentials of every kind, over both protocols: what is not valid is 401 everywhere, and what
 * Kubernetes does not take for credentials is anonymous. `make compare-access` shows that kube-apiserver answers the
 * same.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, issueCertificate } from '../../pkg/certificates/issue.ts';
import { ENDPOINTS, ODD_ENDPOINTS } from '../reference/access/endpoints.ts';
import { createSender, toAccessAnswer } from '../reference/access/send.ts';
import { createCredentials, type Credential, NO_CREDENTIALS, twice } from '../support/credentials.ts';
import { startSecureServer, temporaryDirectory, type SecureServer } from '../support/server.ts';
import { createTokenClient } from '../support/token-client.ts';
import { deadline } from '../support/wait.ts';

const ISSUER = 'https://issuer.example.com';
const TOKEN = 'a-token-of-jane';
const TOKENS = 'admin-token,admin,,system:masters\na-token-of-jane,jane,,\n';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ANSWER_MS = 10_000;
const YEAR_MS = 365 * DAY_MS;
/** Long enough to open a watch. */
const CERTIFICATE_MS = 5_000;
const END_MS = 60_000;

const UNAUTHORIZED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

/** What everyone may read; the rest is 403 without credentials. */
const PUBLIC = /^\/(?:healthz|livez|readyz|version)(?:[/?]|$)/;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: SecureServer;
let credentials: Awaited<ReturnType<typeof createCredentials>>;
/** Those that every server has, and those that this one lists. */
let endpoints: readonly string[];
const sessions: ClientHttp2Session[] = [];

beforeAll(async () => {
  directory = await temporaryDirectory();
  const file = (name: string) => path.join(directory.path, name);
  const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  await writeFile(file('accounts.key'), signingKey);
  await writeFile(file('tokens.csv'), TOKENS);
  server = await startSecureServer([
    `--token-auth-file=${file('tokens.csv')}`,
    `--service-account-signing-key-file=${file('accounts.key')}`,
    `--service-account-issuer=${ISSUER}`,
  ]);
  const admin = createTokenClient(server, 'admin-token');
  const account = async (name: string) => {
    const { metadata } = JSON.parse(await admin('POST', ACCOUNTS, { metadata: { name } })) as {
      readonly metadata: { readonly uid: string };
    };
    return { namespace: 'default', name, uid: metadata.uid };
  };
  const deletedAccount = await account('deleted');
  await admin('DELETE', `${ACCOUNTS}/deleted`);
  credentials = await createCredentials({
    clientAuthority: { cert: server.ca, key: await readFile(path.join(server.dataDir, 'pki', 'ca.key'), 'utf8') },
    signingKey,
    issuer: ISSUER,
    account: await account('valid'),
    deletedAccount,
    token: TOKEN,
    revokedToken: 'a-token-of-yesterday',
    now: Date.now(),
  });
  const { paths } = JSON.parse(await admin('GET', '/')) as { readonly paths: readonly string[] };
  endpoints = [...new Set([...ENDPOINTS, ...paths, '/docs/', '/docs/unknown', ...(await collections(admin, paths))])];
}, 60_000);
afterAll(async () => {
  for (const session of sessions) session.destroy();
  await server.stop();
  await directory.remove();
}, 30_000);

/** Of every resource, all of them and one of its names. */
async function collections(admin: ReturnType<typeof createTokenClient>, paths: readonly string[]): Promise<readonly string[]> {
  const versions = paths.filter((each) => /^\/api\/[^/]+$|^\/apis\/[^/]+\/[^/]+$/.test(each));
  const listed = await Promise.all(
    versions.map(async (version) => {
      const { resources } = JSON.parse(await admin('GET', version)) as {
        readonly resources: readonly { readonly name: string; readonly namespaced: boolean }[];
      };
      return resources.map(({ name, namespaced }) => {
        const [resource = '', subresource] = name.split('/');
        const collection = `${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
        return subresource === undefined ? collection : `${collection}/x/${subresource}`;
      });
    }),
  );
  return listed.flat();
}

async function askHttp1(credential: Credential) {
  const send = createSender({ url: server.url, ca: server.ca, ...credential.certificate });
  const { authorization } = credential;
  return (target: string) => send({ method: 'GET', path: target, headers: authorization === undefined ? {} : { authorization } });
}

async function askHttp2(credential: Credential) {
  const [authorization] = credential.authorization ?? [];
  const session = connectHttp2(server.url, { ca: server.ca, ...credential.certificate });
  sessions.push(session);
  return async (target: string) => {
    const stream = session.request({ ':path': target, ...(authorization === undefined ? {} : { authorization }) });
    const [head] = (await deadline(once(stream, 'response'), ANSWER_MS, `an answer to ${target}`)) as [Record<string, unknown>];
    const code = Number(head[':status']);
    if (code >= 400) return toAccessAnswer(code, await readText(stream));
    stream.close();
    return { code };
  };
}

const PROTOCOLS = [
  ['HTTP/1.1', askHttp1],
  ['HTTP/2', askHttp2],
] as const;

describe.each(PROTOCOLS)('Over %s', (_, open) => {
  it('credentials that are not valid are 401 on every path, and nothing else is said', async () => {
    for (const credential of credentials.invalid) {
      const ask = await open(credential);
      for (const target of endpoints) {
        expect({ credential: credential.name, target, answer: await ask(target) }).toEqual({
          credential: credential.name,
          target,
          answer: { code: 401, body: UNAUTHORIZED },
        });
      }
    }
  }, 120_000);

  it('what are no credentials is anonymous, and may read health and version', async () => {
    for (const credential of NO_CREDENTIALS) {
      const ask = await open(credential);
      for (const target of endpoints) {
        const { code } = await ask(target);
        expect({ credential: credential.name, target, code }).toEqual({
          credential: credential.name,
          target,
          code: PUBLIC.test(target) ? 200 : 403,
        });
      }
    }
  }, 120_000);

  it('valid credentials are known, and may look around', async () => {
    for (const credential of credentials.valid) {
      const ask = await open(credential);
      for (const target of endpoints) expect([credential.name, target, (await ask(target)).code]).not.toContain(401);
      expect([credential.name, (await ask('/apis')).code, (await ask('/metrics')).code]).toEqual([credential.name, 200, 403]);
    }
  }, 120_000);
});

it('Of two Authorization headers the first counts.', async () => {
  const [right, wrong] = twice(TOKEN);
  expect((await (await askHttp1(right))('/apis')).code).toBe(200);
  expect((await (await askHttp1(wrong))('/apis')).code).toBe(401);
});

/** Exactly this request line. */
async function codeOf(target: string, line: string): Promise<number> {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['http/1.1'] });
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
  socket.on('error', () => undefined);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${line}\r\n\r\n`, 'latin1');
  await deadline(once(socket, 'close'), ANSWER_MS, 'the connection to be closed').finally(() => socket.destroy());
  return Number(received.split(' ')[1] ?? 0);
}

it.each([...ODD_ENDPOINTS, 'https://localhost/apis', 'https://localhost//metrics', 'apis', '*'])(
  'No odd spelling opens a path to wrong credentials, or more of it to right ones: %s',
  async (target) => {
    expect([400, 401, 404]).toContain(await codeOf(target, 'Authorization: Bearer nobody'));
    expect([400, 403, 404]).toContain(await codeOf(target, 'X-Nothing: at all'));
    // Who may read /apis may read it as an absolute URL (RFC 9112 §3.2.2), but never /metrics.
    const code = await codeOf(target, `Authorization: Bearer ${TOKEN}`);
    expect(target.endsWith('/apis') ? [200, 400, 403, 404] : [400, 403, 404]).toContain(code);
  },
);

it('An open watch ends when the certificate that opened it does, and not before.', async () => {
  const authority = { cert: server.ca, key: await readFile(path.join(server.dataDir, 'pki', 'ca.key'), 'utf8') };
  const open = async (validMs: number) => {
    const now = Date.now() - YEAR_MS + validMs;
    const identity = await issueCertificate(authority, { commonName: 'w', organizations: ['system:masters'], usage: 'client', now });
    const session = connectHttp2(server.url, { ca: server.ca, ...identity });
    sessions.push(session);
    const watch = session.request({ ':path': '/api/v1/configmaps?watch=true' });
    const [head] = (await deadline(once(watch, 'response'), ANSWER_MS, 'the watch')) as [Record<string, unknown>];
    watch.resume();
    return { watch, session, code: head[':status'] };
  };
  const openShort = async () => {
    for (let validMs = CERTIFICATE_MS; ; validMs *= 2) {
      const opened = await open(validMs);
      // Else it ended before the watch began.
      if (opened.code === 200) return opened;
    }
  };
  const [short, long] = [await openShort(), await open(YEAR_MS / 2)];
  expect(long.code).toBe(200);
  await deadline(once(short.watch, 'end'), END_MS, 'the watch to end');
  expect(long.watch.closed || long.watch.readableEnded).toBe(false);
  const again = short.session.request({ ':path': '/apis' });
  const [head] = (await deadline(once(again, 'response'), ANSWER_MS, 'an answer')) as [Record<string, unknown>];
  expect(head[':status']).toBe(401);
}, 90_000);
