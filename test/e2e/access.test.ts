/** Who gets in on the secure port, and who does not, however the request is spelled. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { Agent, get as getHttps } from 'node:https';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAuthority, DAY_MS, issueCertificate } from '../../pkg/certificates/issue.ts';
import type { CertifiedKey } from '../../pkg/certificates/issue.ts';
import { startSecureServer } from '../support/server.ts';
import type { SecureServer } from '../support/server.ts';
import { deadline } from '../support/wait.ts';

const ANSWER_MS = 10_000;
const TOKENS = [
  { token: 'good-token', user: 'alice', groups: ['dev', 'ops'] },
  { token: 'other-token', user: 'bob' },
];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Everything that comes back for exactly these bytes, on a connection of its own. `code` 0: nothing. */
async function exchange(server: SecureServer, bytes: string, identity?: CertifiedKey): Promise<Answer> {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['http/1.1'], ...identity });
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
  socket.on('error', () => undefined); // the server may refuse the handshake, or close before it has read everything
  socket.write(bytes, 'latin1');
  await deadline(once(socket, 'close'), ANSWER_MS, 'the connection to be closed').finally(() => socket.destroy());
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { code: Number(status.split(' ')[1] ?? 0), headers, text: body.join('\r\n\r\n') };
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  /** Lines, without the line break. */
  readonly lines?: readonly string[];
  readonly identity?: CertifiedKey;
}

const ask = (server: SecureServer, { method = 'GET', path = '/apis', lines = [], identity }: Asked = {}) =>
  exchange(server, [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n'), identity);

async function askHttp2(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const stream = session.request({ ':path': path, ...headers });
  const [head] = (await deadline(once(stream, 'response'), ANSWER_MS, `an answer to ${path}`)) as [Record<string, unknown>];
  return { code: Number(head[':status']), headers: {}, text: await readText(stream) };
}

/** Of two requests for /apis, the second on a connection that resumes the session of the first. */
async function codesOfResumed(identity: CertifiedKey | undefined, maxVersion: SecureVersion): Promise<readonly number[]> {
  const agent = new Agent({ ca: server.ca, keepAlive: false, maxVersion, ...identity });
  const codes: number[] = [];
  for (const resumed of [false, true]) {
    const [answer] = (await once(getHttps(`${server.url}/apis`, { agent }), 'response')) as [IncomingMessage];
    const { socket } = answer;
    if (!(socket instanceof TLSSocket) || socket.isSessionReused() !== resumed) throw new Error(`resumed: ${!resumed}`);
    await readText(answer);
    codes.push(answer.statusCode ?? 0);
  }
  agent.destroy();
  return codes;
}

const statusOf = ({ text }: Answer) => JSON.parse(text) as unknown;
const UNAUTHORIZED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

let server: SecureServer;
let authority: CertifiedKey;
beforeAll(async () => {
  server = await startSecureServer([], { tokens: TOKENS });
  authority = { cert: server.ca, key: await readFile(join(server.dataDir, 'pki', 'ca.key'), 'utf8') };
});
afterAll(async () => server.stop());

const issue = (now = Date.now(), by = authority) =>
  issueCertificate(by, { commonName: 'carol', organizations: ['dev'], usage: 'client', now });

describe('Without credentials', () => {
  it.each(['/livez', '/readyz', '/healthz', '/version', '/livez/ping', '/readyz/shutdown', '/readyz?verbose', '/version?timeout=5s'])(
    'everyone reads %s',
    async (path) => {
      expect((await ask(server, { path })).code).toBe(200);
      // As in Kubernetes, the version is for the verb get only.
      expect((await ask(server, { path, method: 'HEAD' })).code).toBe(path.startsWith('/version') ? 403 : 200);
    },
  );

  it.each([
    '/',
    '/api',
    '/api/v1',
    '/apis',
    '/apis/batch',
    '/apis/batch/v1',
    '/metrics',
    '/docs',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/apis/batch/v1',
    '/nothing',
    '/apis/batch/v1/cronjobs',
    '/apis/batch/v1/cronjobs?watch=1',
    '/apis/batch/v1/watch/cronjobs',
    '/apis/batch/v1/namespaces/default/cronjobs/x/status',
    '/apis/made.up/v1/things',
    '/api/v1/namespaces/default/pods',
  ])('nobody reads %s, whether it exists or not', async (path) => {
    const answer = await ask(server, { path });
    expect(answer.code).toBe(403);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(statusOf(answer)).toMatchObject({
      kind: 'Status',
      reason: 'Forbidden',
      message: expect.stringMatching(/orbidden: User "system:anonymous" cannot (get|list|watch) (path|resource) "/),
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('nobody gets anywhere with %s', async (method) => {
    for (const path of [
      '/apis/batch/v1/namespaces/default/cronjobs',
      '/apis/batch/v1/namespaces/default/cronjobs/x',
      '/livez',
      '/version',
    ]) {
      expect([401, 403, 405]).toContain((await ask(server, { path, method })).code);
    }
  });

  it('is said in the words of Kubernetes', async () => {
    expect(statusOf(await ask(server, { path: '/apis/batch/v1/namespaces/default/cronjobs' }))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'cronjobs.batch is forbidden: User "system:anonymous" cannot list resource "cronjobs" in API group "batch" in the namespace "default"',
      reason: 'Forbidden',
      details: { group: 'batch', kind: 'cronjobs' },
      code: 403,
    });
  });
});

describe('With a certificate', () => {
  it('of the CA everything is served', async () => {
    expect((await ask(server, { identity: { cert: server.cert, key: server.key } })).code).toBe(200);
    expect((await ask(server, { identity: await issue() })).code).toBe(200);
  });

  const strangers: [string, () => Promise<CertifiedKey>][] = [
    [
      'of another CA of the same name',
      async () => issue(Date.now(), await createAuthority({ commonName: 'coxswain-ca', now: Date.now() })),
    ],
    ['that expired', async () => issue(Date.now() - 400 * DAY_MS)],
    ['of a server', async () => issueCertificate(authority, { commonName: 'carol', usage: 'server', now: Date.now() })],
  ];
  it.each(strangers)('%s nothing is, not even what everyone sees', async (_, make) => {
    const identity = await make();
    for (const path of ['/apis', '/livez', '/apis/batch/v1/cronjobs']) {
      const answer = await ask(server, { path, identity });
      expect(answer.code).toBe(401);
      expect(statusOf(answer)).toEqual(UNAUTHORIZED);
    }
    expect((await ask(server, { identity, lines: ['Authorization: Bearer good-token'] })).code).toBe(200);
    expect((await ask(server, { identity, lines: ['Authorization: Bearer bad-token'] })).code).toBe(401);
  });

  it('who asks for protobuf is refused in protobuf, a watch too', async () => {
    const accept = 'Accept: application/vnd.kubernetes.protobuf;stream=watch, application/vnd.kubernetes.protobuf';
    const path = '/apis/batch/v1/cronjobs?watch=1';
    for (const [lines, code, word] of [
      [[accept, 'Authorization: Bearer bad-token'], 401, 'Unauthorized'],
      [[accept], 403, 'Forbidden'],
    ] as const) {
      const answer = await ask(server, { path, lines });
      expect([answer.code, answer.headers['content-type']]).toEqual([code, 'application/vnd.kubernetes.protobuf']);
      expect(answer.text).toMatch(new RegExp(`^k8s\0.*Status.*${word}`, 's'));
    }
  });

  it('a resumed session is worth what the first one was', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect(await codesOfResumed(await issue(), version)).toEqual([200, 200]);
      expect(await codesOfResumed(await issue(Date.now() - 400 * DAY_MS), version)).toEqual([401, 401]);
      expect(await codesOfResumed(undefined, version)).toEqual([403, 403]);
    }
  });

  it('that is right a wrong token does not matter', async () => {
    expect((await ask(server, { identity: await issue(), lines: ['Authorization: Bearer bad-token'] })).code).toBe(200);
  });
});

describe('With a token', () => {
  it.each([
    'Authorization: Bearer good-token',
    'authorization: bearer good-token',
    'AUTHORIZATION: BEARER other-token',
    'Authorization:   Bearer good-token  \t',
  ])('that is right everything is served: %j', async (line) => {
    expect((await ask(server, { lines: [line] })).code).toBe(200);
  });

  it.each([
    ['Authorization: Bearer bad-token'],
    ['Authorization: Bearer good-token,'],
    ['Authorization: Bearer good-token, Bearer good-token'],
    ['Authorization: Bearer Good-Token'],
    ['Authorization: Bearer good-toke'],
    ['Authorization: Bearer bad-token', 'Authorization: Bearer good-token'],
    ['Authorization: Bearer bad-token', 'X-Remote-User: admin', 'X-Remote-Group: system:masters', 'Impersonate-User: admin'],
  ])('that is wrong nothing is, not even what everyone sees: %j', async (...lines) => {
    for (const path of ['/apis', '/livez']) {
      const answer = await ask(server, { path, lines });
      expect([400, 401]).toContain(answer.code);
      if (answer.code === 401) expect(statusOf(answer)).toEqual(UNAUTHORIZED);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });

  it.each([
    ['Authorization:'],
    ['Authorization: Bearer'],
    ['Authorization: Bearer   good-token'],
    ['Authorization: Bearer\tgood-token'],
    ['Authorization: good-token'],
    ['Authorization: Basic Z29vZC10b2tlbjpnb29kLXRva2Vu'],
    ['X-Authorization: Bearer good-token'],
    ['Authorization : Bearer good-token'],
    ['X-Remote-User: admin', 'X-Remote-Group: system:masters'],
    ['X-Forwarded-Client-Cert: admin', 'X-Forwarded-For: 127.0.0.1'],
    ['Cookie: Authorization=Bearer good-token'],
  ])('that is none nothing but health is served: %j', async (...lines) => {
    expect([400, 403]).toContain((await ask(server, { lines })).code);
  });

  it('of 100 KB nothing is, and the server lives on', async () => {
    const answer = await ask(server, { lines: [`Authorization: Bearer ${'x'.repeat(100_000)}`] });
    expect([0, 401, 431]).toContain(answer.code);
    expect((await ask(server, { path: '/livez' })).code).toBe(200);
  });

  it('is held to the same over HTTP/2', async () => {
    const session = connectHttp2(server.url, { ca: server.ca });
    try {
      const codes = async (headers: OutgoingHttpHeaders) =>
        Promise.all(['/apis', '/livez'].map(async (path) => (await askHttp2(session, path, headers)).code));
      expect(await codes(bearer('good-token'))).toEqual([200, 200]);
      expect(await codes(bearer('bad-token'))).toEqual([401, 401]);
      expect(await codes({})).toEqual([403, 200]);
      expect((await askHttp2(session, '/livez/../apis')).code).toBe(400);
    } finally {
      session.close();
    }
    const known = connectHttp2(server.url, { ca: server.ca, ...(await issue()) });
    try {
      expect((await askHttp2(known, '/apis')).code).toBe(200);
    } finally {
      known.close();
    }
  });

  it('is written nowhere', () => {
    for (const secret of ['good-token', 'bad-token', 'other-token']) expect(server.output()).not.toContain(secret);
  });
});

describe('No spelling of a path', () => {
  it.each([
    '/healthz/../apis',
    '/livez/../../apis/batch/v1/cronjobs',
    '/livez/..;/apis',
    '/livez/%2e%2e/apis',
    '/livez/..%2fapis',
    '/livez%2f..%2fapis',
    '/livez/%252e%252e/apis',
    '/livez/..\\apis',
    '/./apis',
    '//apis',
    '/apis//',
    '/%61pis',
    '/%61%70%69%73',
    '/APIS',
    '/HEALTHZ',
    '/livez%00/../apis',
    '/livez%0d%0a',
    '/livez;/apis',
    '/livez#/../apis',
    '/version/../apis',
    '/versionx',
    '*',
    'https://localhost/apis',
    'https://localhost/livez/../apis',
  ])('leads past the door: %s', async (path) => {
    const { code } = await ask(server, { path });
    expect([400, 403, 404]).toContain(code);
  });

  it('gets a 2xx for anything but health and version', async () => {
    const piece = fc.constantFrom(
      ...[
        'livez',
        'readyz',
        'healthz',
        'version',
        'apis',
        'api',
        'v1',
        'batch',
        'cronjobs',
        'metrics',
        'docs',
        'openapi',
        'ping',
        'shutdown',
      ],
      ...[
        '/',
        '//',
        '.',
        '..',
        '%2e',
        '%2f',
        '%5c',
        '%00',
        '%20',
        ';',
        '\\',
        '%61',
        '%',
        '+',
        '~',
        '*',
        '@',
        'A',
        'HEALTHZ',
        '?',
        '#',
        '&',
        '=',
      ],
    );
    const paths = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
    // What the door lets through, read with as few assumptions as possible: the raw text up to the query, decoded as a
    // whole.
    const isOpen = (path: string) => {
      const raw = path.split(/[?#]/, 1)[0] ?? '';
      return /^\/(version|(livez|readyz|healthz)(\/(ping|shutdown|watch-cache|store))?)\/?$/.test(decodeURIComponent(raw));
    };
    await fc.assert(
      fc.asyncProperty(paths, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'), async (path, method) => {
        const { code } = await ask(server, { path, method });
        if (code >= 200 && code < 300) expect([isOpen(path), ['GET', 'HEAD'].includes(method)]).toEqual([true, true]);
        else expect(code).toBeGreaterThanOrEqual(400);
        expect(code).not.toBe(500);
      }),
      {
        numRuns: 150,
        examples: [
          ['/livez/%2e%2e/apis', 'GET'],
          ['/apis', 'GET'],
          ['/healthz/ping', 'HEAD'],
          ['/livez/', 'GET'],
        ],
      },
    );
  });
});

describe('With --anonymous-auth=false', () => {
  let strict: SecureServer;
  beforeAll(async () => {
    strict = await startSecureServer(['--anonymous-auth=false'], { tokens: TOKENS });
  });
  afterAll(async () => strict.stop());

  it('not even health is served to those without credentials', async () => {
    for (const path of ['/livez', '/readyz', '/version', '/apis', '/nothing']) {
      const answer = await ask(strict, { path });
      expect(answer.code).toBe(401);
      expect(statusOf(answer)).toEqual(UNAUTHORIZED);
    }
  });

  it('everything is, to those with credentials', async () => {
    expect((await ask(strict, { path: '/livez', lines: ['Authorization: Bearer good-token'] })).code).toBe(200);
    expect((await ask(strict, { identity: { cert: strict.cert, key: strict.key } })).code).toBe(200);
  });
});
