import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deadline } from '../../../test/support/wait.ts';
import { createExpressTransport } from '../transports/express.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { TRANSPORT_LIMITS } from '../transports/transport-limits.ts';
import { WebSocketTransport } from '../transports/websocket.ts';
import { serveHttp1, toHttp1Options } from './http1-server.ts';

const WAIT_MS = 10_000;
let server: Server | undefined;
let webSockets: WebSocketTransport | undefined;
afterEach(() => {
  webSockets?.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function serve(respond: (request: ApiRequest) => Promise<ApiResponse>): Promise<Socket> {
  const transport = createExpressTransport({ respond, isDraining: () => false, unsentMs: 60_000 });
  webSockets = new WebSocketTransport({ respond });
  server = createServer(toHttp1Options(TRANSPORT_LIMITS, transport)).listen(0, '127.0.0.1');
  serveHttp1(server, transport, webSockets);
  await once(server, 'listening');
  return connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
}

/** The received text once it contains the expected one. */
async function read(socket: Socket, until: string): Promise<string> {
  let come = '';
  const found = new Promise<void>((resolve) =>
    socket.on('data', (piece: string) => {
      come += piece;
      if (come.includes(until)) resolve();
    }),
  );
  await deadline(found, WAIT_MS, JSON.stringify(until));
  return come;
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
const upgrade = (target: string, version = '1.1') =>
  `GET ${target} HTTP/${version}\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const shown = ({ path, upgrade: to }: ApiRequest): ApiResponse => ({
  code: 200,
  headers: {},
  body: [Buffer.from(`${path} to ${to ?? 'nothing'};`)],
});
const watched = (request: ApiRequest): ApiResponse =>
  request.upgrade === undefined
    ? shown(request)
    : { code: 200, headers: { 'Content-Type': 'application/json' }, stream: async (writer) => void writer.write(Buffer.from('{}\n')) };

describe('A connection that is to go on as a WebSocket', () => {
  it('does so behind an answer that was taken', async () => {
    const socket = await serve(async (request) => watched(request));
    socket.write(get('/first'));
    await read(socket, '/first to nothing;');
    socket.write(upgrade('/second'));
    expect(await read(socket, '{}\n')).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });

  it('is an ordinary one as long as another answer is to come, and all are answered in their order', async () => {
    let answerFirst: (() => void) | undefined;
    const isAsked = new Promise<void>((resolve) => (answerFirst = resolve));
    const socket = await serve(async (request) => {
      if (request.path === '/second') answerFirst?.();
      else await isAsked;
      return watched(request);
    });
    socket.write(get('/first') + upgrade('/second'));
    expect(await read(socket, '/second')).toMatch(/\/first to nothing;HTTP[^]*\/second to nothing;$/);
    socket.destroy();
  });

  it('is an ordinary one behind a request that was refused before it was looked at', async () => {
    const socket = await serve(async (request) => watched(request));
    socket.write(get('http://[') + upgrade('/second'));
    expect(await read(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    await deadline(once(socket, 'close'), WAIT_MS, 'the end');
  });

  it.each([
    ['without a Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['with an Expect that nobody knows', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n'],
  ])('is closed behind a request that Node answers by itself: %s', async (_, first) => {
    const socket = await serve(async (request) => watched(request));
    socket.on('error', () => undefined).resume();
    socket.write(first + upgrade('/second'));
    await deadline(new Promise((resolve) => socket.once('close', resolve)), WAIT_MS, 'the end');
  });

  it('is an ordinary one in HTTP/1.0', async () => {
    const socket = await serve(async (request) => watched(request));
    socket.write(upgrade('/', '1.0'));
    expect(await read(socket, ';')).toContain('/ to nothing;');
    socket.destroy();
  });
});
