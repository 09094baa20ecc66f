import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { createExpressTransport } from './express.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(respond: (request: ApiRequest) => Promise<ApiResponse>): Promise<number> {
  server = createServer(createExpressTransport({ respond, isDraining: () => false, unsentMs: 60_000 }).serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const streaming = (stream: (writer: ResponseWriter) => Promise<void>) => serve(async () => ({ code: 200, headers: {}, stream }));

/** Reads everything from one connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece));
  await once(socket, 'close');
  return answer;
}

describe('The HTTP/1.1 transport', () => {
  it('hands over method, path and query as they were sent', async () => {
    const port = await serve(async ({ method, path, query, headers }) => ({
      code: 200,
      headers: {},
      body: [Buffer.from(JSON.stringify([method, path, query, headers['x-one']]))],
    }));
    const answer = await fetch(`http://127.0.0.1:${port}/a%2Fb/../c?x=%20&x`, { headers: { 'x-one': '1' } });
    // fetch itself resolves `..`; what it sends arrives untouched
    expect(await answer.json()).toEqual(['GET', '/c', 'x=%20&x', '1']);
    expect(await exchange(port, 'GET /a%2Fb/../c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('"/a%2Fb/../c"');
  });

  it('writes a fixed body with its length, whatever bytes it has', async () => {
    const port = await serve(async () => ({ code: 201, headers: { A: ['1', '2'] }, body: [Buffer.from([0xff, 0]), Buffer.from('é')] }));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-length')).toBe('4');
    expect(answer.headers.get('a')).toBe('1, 2');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([0xff, 0, 0xc3, 0xa9]));
  });

  it('answers HEAD with the length and no body', async () => {
    const port = await serve(async () => ({ code: 200, headers: {}, body: [Buffer.from('four')] }));
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
    expect(answer.headers.get('content-length')).toBe('4');
    expect(await answer.text()).toBe('');
  });

  it('frames a stream as chunks, small and large, and ends it', async () => {
    const large = Buffer.alloc(300_000, 'x');
    const port = await streaming(async (writer) => {
      writer.write(Buffer.from('one\n'));
      writer.write(Buffer.alloc(0));
      writer.write(large);
      await writer.drained();
      writer.write(Buffer.from('two\n'));
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.headers.get('transfer-encoding')).toBe('chunked');
    expect(await answer.text()).toBe(`one\n${large.toString()}two\n`);
  });

  it('writes a stream of known length without frames, and serves the next request on the connection', async () => {
    const port = await serve(async () => ({
      code: 200,
      headers: { 'Content-Length': '4' },
      stream: async (writer) => {
        writer.write(Buffer.from('ab'));
        writer.write(Buffer.from('cd'));
      },
    }));
    const answer = await exchange(port, 'GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer.split('HTTP/1.1 200 OK')).toHaveLength(3);
    expect(answer.match(/\r\n\r\nabcd/g)).toHaveLength(2);
  });

  it('breaks a stream off when it fails, so that the reader notices', async () => {
    const port = await streaming(async (writer) => {
      writer.write(Buffer.from('half'));
      throw new Error('lost');
    });
    await expect(fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())).rejects.toThrow();
  });

  it('closes the writer and tells the request when the reader goes', async () => {
    let gone = 0;
    let ended: (() => void) | undefined;
    const over = new Promise<void>((resolve) => (ended = resolve));
    const port = await serve(async (request) => {
      request.onDisconnect(() => gone++);
      return {
        code: 200,
        headers: {},
        stream: async (writer) => {
          const piece = Buffer.alloc(1 << 20);
          while (!writer.closed) {
            writer.write(piece);
            await writer.drained();
          }
          expect(writer.write(piece)).toBe(false);
          ended?.();
        },
      };
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await over;
    expect(gone).toBe(1);
  });

  describe('a request target that is a whole URL', () => {
    const mirror = () =>
      serve(async ({ path, query, headers }) => ({
        code: 200,
        headers: {},
        body: [Buffer.from(JSON.stringify([path, query, headers['host']]))],
      }));
    it.each([
      ['http://127.0.0.1:1/a%2Fb?x=1', ['/a%2Fb', 'x=1', '127.0.0.1:1']],
      ['HTTP://other.example', ['/', '', 'other.example']],
      ['http://other.example?x', ['/', 'x', 'other.example']],
    ])('%s counts as its path, and its authority as the Host', async (target, expected) => {
      const answer = await exchange(await mirror(), `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain(JSON.stringify(expected));
    });
  });

  describe('bodies', () => {
    const echo = () =>
      serve(async (request) => {
        try {
          return { code: 200, headers: {}, body: [await request.readBody(10)] };
        } catch (error) {
          return { code: (error as { code: number }).code, headers: {}, body: [] };
        }
      });

    it('are read whole, in one piece or many', async () => {
      const port = await echo();
      expect(await exchange(port, 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nabcd')).toContain(
        '\r\n\r\nabcd',
      );
      expect(
        await exchange(
          port,
          'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n',
        ),
      ).toContain('\r\n\r\nabcd');
    });

    it('that are too large are refused by their length, or while they come', async () => {
      const port = await echo();
      expect(await exchange(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n')).toMatch(
        /^HTTP\/1.1 413 [^]*Connection: close/,
      );
      expect(await exchange(port, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n')).toMatch(
        /^HTTP\/1.1 413 /,
      );
    });
  });
});
