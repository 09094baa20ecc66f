import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../test/support/wait.ts';
import { createAuthority, issueCertificate } from '../certificates/issue.ts';
import { createWebhookClient, WebhookError } from './webhook-client.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** `names`: of the certificate, besides its common name, which is `commonName`. */
async function open(respond: Respond, { names = ['localhost'], commonName = 'localhost', timeoutMs = 10_000 } = {}) {
  const now = Date.now();
  const authority = await createAuthority({ commonName: 'hooks', now });
  const { cert, key } = await issueCertificate(authority, { commonName, usage: 'server', names, now });
  const sockets = new Set<Socket>();
  const server = createServer({ cert, key }, respond);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  let withoutSan = 0;
  const client = createWebhookClient(
    { url: new URL(`https://localhost:${port}/hook`), ca: authority.cert, verify: true },
    { timeoutMs, onMissingSan: () => withoutSan++ },
  );
  closers.push(() => client.close());
  const failure = () =>
    client.post('{}').then(
      () => undefined,
      (error: unknown) => error,
    );
  return { client, sockets, failure, withoutSan: () => withoutSan };
}

const answer =
  (code: number, text: string, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_, response) => {
    response.writeHead(code, headers).end(text);
  };

describe('A client of a webhook', () => {
  it('gets the body of a success', async () => {
    const { client, withoutSan } = await open(answer(200, '{"a":1}'));
    expect((await client.post('{}')).toString()).toBe('{"a":1}');
    expect(withoutSan()).toBe(0);
  });

  it.each<[number, Record<string, string>, Partial<WebhookError>]>([
    [400, {}, { isTransient: false, isTimeout: false }],
    [429, {}, { isTransient: true, isTimeout: false }],
    [500, {}, { isTransient: true, isTimeout: false }],
    [503, {}, { isTransient: false, isTimeout: false }],
    [503, { 'retry-after': '1' }, { isTransient: true, isTimeout: false }],
    [504, {}, { isTransient: true, isTimeout: true }],
  ])('knows what may pass: %d %j', async (code, headers, expected) => {
    const failed = await (await open(answer(code, 'why', headers))).failure();
    expect(failed).toBeInstanceOf(WebhookError);
    expect(failed).toMatchObject({ message: `the answer is ${code}: why`, ...expected });
  });

  it('leads nowhere else: a redirect is not followed', async () => {
    const asked: (string | undefined)[] = [];
    const moved: Respond = (request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end('moved');
    };
    expect([await (await open(moved)).failure(), asked]).toMatchObject([{ message: 'the answer is 307: moved' }, ['/hook']]);
  });

  it('is not read beyond its limit', async () => {
    const failed = await (await open(answer(200, 'x'.repeat(2 * 1024 * 1024)))).failure();
    expect(failed).toMatchObject({ message: 'the answer is larger than 1048576 bytes' });
  });

  it('does not wait longer than it may, for the head or for the body', async () => {
    const expected = { message: 'no answer within 50 ms', isTimeout: true, isTransient: false };
    expect(await (await open(() => undefined, { timeoutMs: 50 })).failure()).toMatchObject(expected);
    const withoutEnd: Respond = (_, response) => response.writeHead(200).write('{');
    expect(await (await open(withoutEnd, { timeoutMs: 50 })).failure()).toMatchObject(expected);
  });

  it('knows that a connection was reset', async () => {
    const { failure } = await open(({ socket }) => socket.destroy());
    expect(await failure()).toMatchObject({ isTransient: true, isTimeout: false });
  });

  it('counts certificates without a subject alternative name, trusted or not', async () => {
    const trusted = await open(answer(200, '{}'), { names: [] });
    await trusted.client.post('{}');
    expect(trusted.withoutSan()).toBe(1);
    const refused = await open(answer(200, '{}'), { names: [], commonName: 'elsewhere' });
    expect(await refused.failure()).toMatchObject({ isTransient: false });
    expect(refused.withoutSan()).toBe(1);
  });

  it('keeps connections until it is closed, and lets calls finish', async () => {
    let finish: (() => void) | undefined;
    const { client, sockets } = await open((_, response) => {
      finish = () => response.end('{}');
    });
    const first = client.post('{}');
    await waitFor(() => finish !== undefined, { what: 'the call' });
    client.close();
    finish?.();
    expect((await first).toString()).toBe('{}');
    await waitFor(() => sockets.size === 0, { what: 'the connection to end' });
    const idle = await open(answer(200, '{}'));
    await idle.client.post('{}');
    expect(idle.sockets.size).toBe(1);
    idle.client.close();
    await waitFor(() => idle.sockets.size === 0, { what: 'the idle connection to end' });
  });
});
