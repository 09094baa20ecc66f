/** The built server with flags of the HTTPS port and of its stop. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate } from '../../pkg/certificates/issue.ts';
import type { CertifiedKey } from '../../pkg/certificates/issue.ts';
import { startSecureServer } from '../support/server.ts';
import type { SecureServer } from '../support/server.ts';
import { deadline, waitFor } from '../support/wait.ts';

const ANSWER_MS = 30_000;

interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function answerOf(asked: ReturnType<typeof request>): Promise<Answer> {
  const [answer] = (await deadline(once(asked, 'response'), ANSWER_MS, 'an answer')) as [IncomingMessage];
  return { code: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

const adminOf = ({ ca, cert, key }: SecureServer) => ({ ca, cert, key, agent: false });
function ask(server: SecureServer, path: string, options: RequestOptions = adminOf(server)): Promise<Answer> {
  const asked = request(server.url + path, options);
  asked.end();
  return answerOf(asked);
}
const anonymously = ({ ca }: SecureServer): RequestOptions => ({ ca, agent: false });

describe('The HTTPS port', () => {
  let dir: string;
  let server: SecureServer;
  let certificates: readonly CertifiedKey[];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'coxswain-hardening-'));
    const now = Date.now();
    const authority = await createAuthority({ commonName: 'names', now });
    const leaf = { commonName: 'api', usage: 'server', names: ['api.example'], now } as const;
    certificates = [await issueCertificate(authority, leaf), await issueCertificate(authority, leaf)];
    await write(certificates[0]);
    const sni = `${join(dir, 'api.crt')},${join(dir, 'api.key')}`;
    server = await startSecureServer([
      ...['--tls-sni-cert-key', sni, '--tls-sni-cert-key', `${sni}:*.more.example`],
      ...['--tls-min-version', 'VersionTLS13', '--profiling'],
      ...['--strict-transport-security-directives', 'max-age=31536000,includeSubDomains'],
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await rm(dir, { recursive: true });
  });

  async function write(pair: CertifiedKey | undefined): Promise<void> {
    await writeFile(join(dir, 'api.key'), pair?.key ?? '');
    await writeFile(join(dir, 'api.crt'), pair?.cert ?? '');
  }

  async function shownFor(servername: string): Promise<string> {
    const socket = connect({ port: server.port, host: '127.0.0.1', servername, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const pem = socket.getPeerX509Certificate()?.toString() ?? '';
    socket.destroy();
    return pem;
  }

  it('shows certificates by name, and their replacements', async () => {
    expect(await shownFor('api.example')).toBe(certificates[0]?.cert);
    expect(await shownFor('a.more.example')).toBe(certificates[0]?.cert);
    expect(await shownFor('localhost')).not.toBe(certificates[0]?.cert);
    await write(certificates[1]);
    const isReplaced = async () => (await shownFor('api.example')) === certificates[1]?.cert;
    await waitFor(isReplaced, { what: 'the other certificate', timeoutMs: 60_000 });
  });

  it('refuses older versions of TLS', async () => {
    await expect(ask(server, '/livez', { ...anonymously(server), maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });

  it('sends the directives of --strict-transport-security-directives', async () => {
    for (const path of ['/livez', '/api/v1/secrets', '/nothing']) {
      const { headers } = await ask(server, path, anonymously(server));
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    }
  });

  it.each([
    ['profile?seconds=0.1', /^\{"nodes":\[\{"id":1,/],
    ['heap?seconds=0.1', /^\{"head":\{"callFrame":/],
    ['heapsnapshot', /^\{"snapshot":\{"meta":[^]*\]\}$/],
  ])('has a profile at /debug/pprof/%s, for administrators alone', async (name, form) => {
    const { code, headers, body } = await ask(server, `/debug/pprof/${name}`);
    expect([code, headers['content-type']]).toEqual([200, 'application/octet-stream']);
    const text = body.toString('latin1').trim();
    expect(text.slice(0, 1000) + text.slice(-1000)).toMatch(form);
    expect((await ask(server, `/debug/pprof/${name}`, anonymously(server))).code).toBe(403);
  });

  it('takes one profile at a time, and one ends with its client', async () => {
    const first = request(`${server.url}/debug/pprof/profile?seconds=3600`, adminOf(server));
    first.on('error', () => undefined);
    first.end();
    const codeOfSecond = async () => (await ask(server, '/debug/pprof/heap?seconds=0.001')).code;
    await waitFor(async () => (await codeOfSecond()) === 503, { what: 'the first profile' });
    first.destroy();
    await waitFor(async () => (await codeOfSecond()) === 200, { what: 'the end of the first profile' });
  });

  it('describes its profiles, which / does not name', async () => {
    const { code, body } = await ask(server, '/debug/pprof/');
    expect([code, body.toString()]).toEqual([200, expect.stringContaining('profile?seconds=30')]);
    expect((await ask(server, '/')).body.toString()).not.toContain('debug');
  });
});

describe('With --http2=node', () => {
  let server: SecureServer | undefined;
  afterEach(() => server?.stop());

  it('no heap snapshot is taken, which may crash Node.js, but other profiles are', async () => {
    server = await startSecureServer(['--profiling', '--http2', 'node']);
    const codes = [];
    for (const name of ['heapsnapshot', 'heap?seconds=0.01', 'profile?seconds=0.01'])
      codes.push((await ask(server, `/debug/pprof/${name}`)).code);
    expect(codes).toEqual([501, 200, 200]);
  });
});

describe('Without --profiling', () => {
  let server: SecureServer | undefined;
  afterEach(() => server?.stop());

  it('there are no profiles, and without directives no header about them', async () => {
    server = await startSecureServer();
    const { code, headers } = await ask(server, '/debug/pprof/profile');
    expect([code, headers['strict-transport-security']]).toEqual([404, undefined]);
  });
});

describe('A server that stops', () => {
  let server: SecureServer | undefined;
  afterEach(() => server?.kill());

  it('serves on for --shutdown-delay-duration, but is not ready; a second signal ends it', async () => {
    const stopping = (server = await startSecureServer(['--shutdown-delay-duration', '1h']));
    const codeOf = async (path: string) => (await ask(stopping, path)).code;
    stopping.signal('SIGTERM');
    await waitFor(async () => (await codeOf('/readyz')) === 500, { what: 'a failing /readyz' });
    expect((await ask(stopping, '/readyz/shutdown')).body.toString()).toContain('shutting down');
    for (const path of ['/livez', '/healthz', '/api/v1/secrets', '/apis/batch/v1/cronjobs']) expect(await codeOf(path)).toBe(200);
    let isOver = false;
    void stopping.ended.then(() => (isOver = true));
    const signalAgain = () => {
      stopping.signal('SIGTERM');
      return isOver;
    };
    await waitFor(signalAgain, { what: 'the end', everyMs: 100 });
    expect(await stopping.ended).toBe(130);
  });

  it('ends after the delay', async () => {
    server = await startSecureServer(['--shutdown-delay-duration', '10ms', '--shutdown-send-retry-after']);
    server.signal('SIGTERM');
    expect(await deadline(server.ended, ANSWER_MS, 'the end')).toBe(0);
  });

  it('refuses new requests while one runs, with --shutdown-send-retry-after', async () => {
    const stopping = (server = await startSecureServer(['--shutdown-send-retry-after']));
    const path = '/api/v1/namespaces/default/configmaps';
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const running = request(stopping.url + path, { ...adminOf(stopping), method: 'POST', headers });
    running.write(body.slice(0, 1));
    const inFlight = /^apiserver_current_inflight_requests\{request_kind="mutating"\} 1$/m;
    await waitFor(async () => inFlight.test((await ask(stopping, '/metrics')).body.toString()), { what: 'the request that runs' });
    stopping.signal('SIGTERM');
    await waitFor(async () => (await ask(stopping, path)).code === 429, { what: 'a refusal', everyMs: 5 });
    const refused = await ask(stopping, path);
    expect([refused.headers['retry-after'], refused.headers.connection]).toEqual(['5', 'close']);
    expect((await ask(stopping, '/livez')).code).toBe(200);
    running.end(body.slice(1));
    expect((await answerOf(running)).code).toBe(201);
    expect(await deadline(stopping.ended, ANSWER_MS, 'the end')).toBe(0);
  });
});
