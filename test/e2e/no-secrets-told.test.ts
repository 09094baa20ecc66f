/** Credentials and the data of Secrets are in no log, no audit event at Metadata and no metric, whatever is asked. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSecureServer, temporaryDirectory, type SecureServer } from '../support/server.ts';
import { waitFor } from '../support/wait.ts';

const VALUE = 'value-71c0ffee';
const PIN = 7_164_099_253;
const FILE_TOKEN = 'token-badc0de5';
const WRONG_TOKEN = 'wrong-0ddba115';
const SECRETS = '/api/v1/namespaces/shop/secrets';
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n';

interface Reply {
  readonly code: number;
  readonly text: string;
}

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: SecureServer;
beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeFile(path.join(directory.path, 'policy.yaml'), POLICY);
  server = await startSecureServer(
    [
      '-v',
      '10',
      '--audit-policy-file',
      path.join(directory.path, 'policy.yaml'),
      '--audit-log-path',
      path.join(directory.path, 'audit.log'),
    ],
    { tokens: [{ token: FILE_TOKEN, user: 'admin', groups: ['system:masters'] }] },
  );
});
afterAll(async () => {
  await server.stop();
  await directory.remove();
});

async function ask(method: string, target: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const given = { authorization: `Bearer ${FILE_TOKEN}`, 'content-type': 'application/json', ...headers };
  const asked = request(server.url + target, { method, ca: server.ca, agent: false, headers: given });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { code: answer.statusCode ?? 0, text: await readText(answer) };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');
const secret = (more: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...more });
const apply = { 'content-type': 'application/apply-patch+yaml' };
const patch = (kind: string) => ({ 'content-type': `application/${kind}-patch+json` });

describe('What is told', () => {
  it('has neither credentials nor the data of Secrets', async () => {
    const codes: number[] = [];
    const send = async (...parameters: Parameters<typeof ask>) => codes.push((await ask(...parameters)).code);
    await send('POST', SECRETS, secret({ stringData: { a: VALUE } }));
    await send('POST', SECRETS, secret({ stringData: { a: VALUE } }));
    await send('POST', SECRETS, secret({ data: { 'not a key': encoded(VALUE) } }));
    await send('POST', SECRETS, secret({ data: { a: VALUE } }));
    await send('POST', SECRETS, secret({ data: { a: { b: VALUE } } }));
    await send('POST', SECRETS, secret({ stringData: { pin: PIN } }));
    await send('POST', SECRETS, secret({ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': VALUE } }));
    await send('POST', SECRETS, secret({ type: 'kubernetes.io/tls', stringData: { 'tls.crt': VALUE, 'tls.key': VALUE } }));
    await send('POST', SECRETS, `{"data":{"a":"${VALUE}`);
    await send('POST', SECRETS, `data: {a: ${VALUE}, a: ${VALUE}\n b: [`, { 'content-type': 'application/yaml' });
    await send('PUT', `${SECRETS}/a`, secret({ immutable: true, stringData: { a: `${VALUE}2` } }));
    await send('PUT', `${SECRETS}/a`, secret({ stringData: { a: `${VALUE}3` } }));
    await send('PATCH', `${SECRETS}/a`, JSON.stringify([{ op: 'test', path: '/data/a', value: VALUE }]), patch('json'));
    await send('PATCH', `${SECRETS}/a`, JSON.stringify([{ op: 'add', path: `/${VALUE}/b`, value: VALUE }]).slice(0, -1), patch('json'));
    await send('PATCH', `${SECRETS}/a`, JSON.stringify({ data: { a: [VALUE] } }), patch('merge'));
    await send('PATCH', `${SECRETS}/a`, JSON.stringify({ data: { a: [VALUE] } }), patch('strategic-merge'));
    await send('PATCH', `${SECRETS}/a?fieldManager=x`, secret({ data: { a: { b: VALUE } } }), apply);
    await send('PATCH', `${SECRETS}/a?fieldManager=x`, `stringData: {a: "${VALUE}`, apply);
    await send('GET', `${SECRETS}/a`);
    await send('GET', `${SECRETS}?watch=1&timeoutSeconds=1`);
    await send('DELETE', SECRETS);
    await send('POST', '/api/v1/namespaces/shop/serviceaccounts', JSON.stringify({ metadata: { name: 'robot' } }));
    const issued = await ask('POST', '/api/v1/namespaces/shop/serviceaccounts/robot/token', '{}');
    const { token } = (JSON.parse(issued.text) as { status: { token: string } }).status;
    const signature = token.split('.')[2] ?? '';
    await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', JSON.stringify({ spec: { token } }));
    await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', JSON.stringify({ spec: { token: WRONG_TOKEN } }));
    await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', JSON.stringify({ spec: { token: [token] } }));
    const credentials = [WRONG_TOKEN, token, `${token.slice(0, -4)}AAAA`, token.slice(0, -4)];
    for (const each of credentials) await send('GET', SECRETS, '', { authorization: `Bearer ${each}` });
    await send('GET', SECRETS, '', { authorization: `Basic ${WRONG_TOKEN}` });
    await send('GET', SECRETS, '', { 'impersonate-user': 'robot', authorization: `Bearer ${token}` });
    // Each way of being refused was taken, and some of being accepted.
    expect([...new Set(codes)].sort()).toEqual([200, 201, 400, 401, 403, 409, 422]);

    const last = await ask('GET', '/readyz/last-of-all');
    expect(last.code).toBe(404);
    const audit = () => readFile(path.join(directory.path, 'audit.log'), 'utf8');
    await waitFor(async () => (await audit()).includes('last-of-all'), { what: 'the audit of the last request' });
    const { text: metrics } = await ask('GET', '/metrics');
    const told = { log: server.output(), audit: await audit(), metrics };
    expect(told.log).toContain('request not authenticated');
    for (const [where, text] of Object.entries(told)) {
      for (const hidden of [VALUE, encoded(VALUE), String(PIN), FILE_TOKEN, WRONG_TOKEN, token, signature]) {
        expect([where, text.split('\n').filter((line) => line.includes(hidden))]).toEqual([where, []]);
      }
    }
  });
});
