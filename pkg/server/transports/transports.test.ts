/** Common behavior of both protocols: one suite for HTTP/1.1 and HTTP/2. */
import { type ClientHttp2Session, connect } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { Agent, request as request1 } from 'node:https';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../test/support/wait.ts';
import { ca, client, openSecure, SHORT, type Transport } from '../../../test/transport/transport.ts';
import { type ApiRequest, type ApiResponse, StreamAborted } from './request.ts';
import { TRANSPORT_LIMITS } from './transport-limits.ts';

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Never ends the body. */
  readonly unfinished?: boolean;
}

interface Answer {
  readonly code: number;
  readonly headers: Record<string, unknown>;
  readonly body: Readable;
  /** Disconnects without reading the rest. */
  leave(): void;
}

interface Client {
  readonly send: (path: string, sent?: Sent) => Promise<Answer>;
  readonly close: () => void;
}

function http1(url: string): Client {
  const agent = new Agent({ ca, ...client, keepAlive: true, servername: 'localhost' });
  return {
    send: async (path, { method = 'GET', headers = {}, body, unfinished } = {}) => {
      const asked = request1(url + path, { agent, method, headers });
      asked.on('error', () => undefined);
      if (body !== undefined) asked.write(body);
      if (unfinished === true) asked.flushHeaders();
      else asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return { code: answer.statusCode ?? 0, headers: answer.headers, body: answer, leave: () => asked.destroy() };
    },
    close: () => agent.destroy(),
  };
}

function http2(url: string): Client {
  let session: ClientHttp2Session | undefined;
  return {
    send: async (path, { method = 'GET', headers = {}, body, unfinished } = {}) => {
      session ??= connect(url, { ca, ...client, servername: 'localhost' });
      const asked = session.request(
        { ':path': path, ':method': method, ...headers },
        { endStream: body === undefined && unfinished !== true },
      );
      asked.on('error', () => undefined);
      if (body !== undefined) asked.write(body);
      if (unfinished !== true && body !== undefined) asked.end();
      const [answer] = (await once(asked, 'response')) as [Record<string, unknown>];
      return { code: Number(answer[':status']), headers: answer, body: asked, leave: () => asked.close(8) };
    },
    close: () => session?.destroy(),
  };
}

async function bytes({ body }: Answer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
const read = async (answer: Answer) => (await bytes(answer)).toString('latin1');

let transport: Transport | undefined;
let close: (() => void) | undefined;
afterEach(async () => {
  close?.();
  await transport?.untilQuiet();
  await transport?.listener.stop(0);
});

describe.each([
  ['HTTP/1.1', http1, 'off'],
  ['HTTP/2', http2, 'native'],
  ['HTTP/2 on node:http2', http2, 'node'],
] as const)('A transport: %s', (protocol, dial, implementation) => {
  async function serve(respond?: (request: ApiRequest) => Promise<ApiResponse>, limits = TRANSPORT_LIMITS): Promise<Client> {
    transport = await openSecure({ limits, http2: implementation, ...(respond === undefined ? {} : { respond }) });
    const dialled = dial(transport.listener.url);
    close = () => dialled.close();
    return dialled;
  }
  const fixed =
    (body: string, code = 200) =>
    async (): Promise<ApiResponse> => ({ code, headers: {}, body: [Buffer.from(body)] });

  it('hands over method, path, query and headers as they were sent', async () => {
    const { send } = await serve();
    const answer = await send('/seen?x=%20&x', { method: 'PATCH', headers: { 'x-one': ['1', '2'] }, body: '' });
    const [method, path, query, headers, spoken, secure] = JSON.parse(await read(answer)) as [
      string,
      string,
      string,
      Record<string, string>,
      string,
      boolean,
    ];
    expect([method, path, query, secure]).toEqual(['PATCH', '/seen', 'x=%20&x', true]);
    expect(headers).toMatchObject({ 'x-one': '1, 2', host: expect.stringMatching(`:${String(transport?.port)}$`) });
    expect(spoken).toBe(protocol !== 'HTTP/1.1' ? 'h2' : 'http/1.1');
  });

  it('joins headers that should stand once, so that no guard sees only one of them', async () => {
    const { send } = await serve(async ({ headers }) => ({
      code: 200,
      headers: {},
      body: [Buffer.from(headers['x-forwarded-for'] ?? '')],
    }));
    expect(await read(await send('/', { headers: { 'x-forwarded-for': ['a', 'b'] } }))).toBe('a, b');
  });

  it('keeps the values of a repeated header apart', async () => {
    const { send } = await serve(async ({ repeatedHeaders }) => ({
      code: 200,
      headers: {},
      body: [Buffer.from(JSON.stringify([...(repeatedHeaders ?? [])].filter(([name]) => name.startsWith('x-'))))],
    }));
    const headers = { 'x-group': ['a, b', 'c'], 'x-user': 'd, e' };
    expect(JSON.parse(await read(await send('/', { headers })))).toEqual([['x-group', ['a, b', 'c']]]);
    expect(JSON.parse(await read(await send('/')))).toEqual([]);
  });

  it('reads the client certificate', async () => {
    const { send } = await serve();
    expect(JSON.parse(await read(await send('/certificate')))).toMatchObject({ commonName: 'client', organizations: [] });
  });

  it('writes a fixed body with its length and nothing about connections', async () => {
    const { send } = await serve(async () => ({
      code: 201,
      headers: { A: ['1', '2'], ...(protocol !== 'HTTP/1.1' ? { Connection: 'close', 'Transfer-Encoding': 'chunked' } : {}) },
      body: [Buffer.from([0xff, 0]), Buffer.from('é')],
    }));
    const answer = await send('/');
    expect([answer.code, answer.headers['content-length'], answer.headers['a']]).toEqual([201, '4', '1, 2']);
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect(await bytes(answer)).toEqual(Buffer.from([0xff, 0, 0xc3, 0xa9]));
  });

  it('writes a large fixed body whole', async () => {
    const { send } = await serve();
    expect((await bytes(await send('/large'))).byteLength).toBe(20 << 20);
  });

  it('answers HEAD with the length and no body, and ends what would have streamed', async () => {
    let streamed = 0;
    const { send } = await serve(async ({ path }) =>
      path === '/stream'
        ? { code: 200, headers: {}, stream: async ({ closed }) => void (streamed += closed ? 1 : 100) }
        : { code: 200, headers: {}, body: [Buffer.from('four')] },
    );
    const answer = await send('/', { method: 'HEAD' });
    expect([answer.headers['content-length'], await read(answer)]).toEqual(['4', '']);
    expect(await read(await send('/stream', { method: 'HEAD' }))).toBe('');
    expect(streamed).toBe(1);
  });

  it('says when', async () => {
    const { send } = await serve();
    const answer = await send('/');
    expect(Math.abs(Date.parse(String(answer.headers['date'])) - Date.now())).toBeLessThan(5000);
    await read(answer);
  });

  it('gives 304 no body and no length', async () => {
    const { send } = await serve(fixed('', 304));
    const answer = await send('/');
    expect([answer.code, answer.headers['content-length'], await read(answer)]).toEqual([304, undefined, '']);
  });

  it('streams pieces of any size, through back-pressure', async () => {
    const large = Buffer.alloc(3_000_000, 'x');
    const { send } = await serve(async () => ({
      code: 200,
      headers: {},
      stream: async (writer) => {
        writer.write(Buffer.from('one\n'));
        writer.write(Buffer.alloc(0));
        if (!writer.write(large)) await writer.drained();
        writer.write(Buffer.from('two\n'));
      },
    }));
    expect(await read(await send('/'))).toBe(`one\n${large.toString()}two\n`);
  });

  it('gives the reader the end together with the last bytes, before their writer is done, and then serves the next request', async () => {
    const last = [Buffer.alloc(200_000, 'x'), Buffer.from('end')];
    let done = (): void => undefined;
    const { send } = await serve(async ({ path }) => ({
      code: 200,
      headers: {},
      stream: async (writer) => {
        writer.write(Buffer.from('one\n'));
        writer.endWith?.(last, 200_003);
        if (path === '/first') await new Promise<void>((resolve) => (done = resolve));
        writer.write(Buffer.from('more'));
      },
    }));
    for (const path of ['/first', '/second', '/third']) {
      expect(await read(await send(path))).toBe(`one\n${Buffer.concat(last).toString()}`);
      done();
    }
  });

  it('sends the head at once, also when nothing follows yet', async () => {
    const { send } = await serve(async ({ onDisconnect }) => ({
      code: 200,
      headers: {},
      stream: () => new Promise((resolve) => onDisconnect(resolve)),
    }));
    const answer = await send('/');
    expect(answer.code).toBe(200);
    answer.leave();
    await waitFor(() => transport?.running() === 0, { what: 'the stream to end' });
  });

  it('breaks a stream off when it fails, so that the reader notices', async () => {
    const { send } = await serve(async () => ({
      code: 200,
      headers: {},
      stream: async (writer) => {
        writer.write(Buffer.from('half'));
        await Promise.resolve();
        throw new StreamAborted('lost');
      },
    }));
    await expect(send('/').then(read)).rejects.toThrow();
  });

  it('closes the writer and tells the request when the reader goes, stalled or not', async () => {
    let gone = 0;
    let refused = false;
    const { send } = await serve(async ({ onDisconnect }) => {
      onDisconnect(() => gone++);
      return {
        code: 200,
        headers: {},
        stream: async (writer) => {
          const piece = Buffer.alloc(1 << 20);
          while (!writer.closed) {
            writer.write(piece);
            await writer.drained();
          }
          refused = !writer.write(piece);
        },
      };
    });
    const answer = await send('/');
    answer.leave();
    await waitFor(() => refused && gone === 1, { what: 'the reader to be missed' });
  });

  it('tells a request that is still being answered that its client is gone', async () => {
    const { send } = await serve();
    const asked = send('/slow').catch(() => undefined);
    await waitFor(() => transport?.running() === 1, { what: 'the request' });
    close?.();
    await waitFor(() => transport?.running() === 0, { what: 'the request to end' });
    void asked;
  });

  describe('bodies', () => {
    const echo = (limits = TRANSPORT_LIMITS) =>
      serve(async (request) => {
        const answer = (code: number, body: Buffer): ApiResponse => ({ code, headers: {}, body: [body] });
        return request.readBody(1000).then(
          (body) => answer(200, body),
          (error: unknown) => answer((error as { code: number }).code, Buffer.from(String(error))),
        );
      }, limits);

    it('are read whole, and may be absent', async () => {
      const { send } = await echo();
      expect(await read(await send('/', { method: 'POST', body: 'abcd' }))).toBe('abcd');
      expect(await read(await send('/', { method: 'POST', body: 'abcd', headers: { 'content-length': '4' } }))).toBe('abcd');
      expect(await read(await send('/', { method: 'POST' }))).toBe('');
    });

    it.each([
      ['refused by their length', { 'content-length': '1001' }, 'x'],
      ['refused while they come', {}, 'x'.repeat(1001)],
    ])('that are too large are %s, while they still come', async (_, headers, body) => {
      const { send } = await echo();
      const answer = await send('/', { method: 'POST', headers, body, unfinished: true });
      expect(answer.code).toBe(413);
      expect(await read(answer)).toContain('too large');
    });

    it('are asked for only when somebody wants them', async () => {
      const { send } = await echo();
      const answer = await send('/', { method: 'POST', headers: { expect: '100-continue', 'content-length': '4' }, body: 'abcd' });
      expect(await read(answer)).toBe('abcd');
      expect((await send('/', { method: 'POST', headers: { expect: 'something' }, body: '' })).code).toBe(417);
    });

    it('that never end are given up', async () => {
      const { send } = await echo(SHORT);
      const answer = await send('/', { method: 'POST', body: 'ab', headers: { 'content-length': '4' }, unfinished: true });
      expect(answer.code).toBe(protocol !== 'HTTP/1.1' ? 504 : 408);
      answer.leave();
    });

    it('that nobody reads do not keep the answer or the next request', async () => {
      const { send } = await serve();
      const answer = await send('/', { method: 'POST', body: Buffer.alloc(300_000), unfinished: true });
      expect(await read(answer)).toBe('hello');
      answer.leave();
      expect(await read(await send('/'))).toBe('hello');
    });
  });

  it('cuts an answer that its reader does not take', async () => {
    const { send } = await serve(undefined, SHORT);
    const answer = await send('/large');
    answer.body.pause();
    const open = async () => {
      const { sockets = 1, http2Streams = 1 } = (await transport?.listener.connections()) ?? {};
      return protocol !== 'HTTP/1.1' ? http2Streams : sockets;
    };
    await waitFor(async () => (await open()) === 0, { what: 'the answer to be cut' });
    expect(
      await bytes(answer).then(
        ({ byteLength }) => byteLength,
        () => 'cut',
      ),
    ).toBe('cut');
  });

  it('ends a connection without requests, and none with an open stream', async () => {
    const { send } = await serve(undefined, SHORT);
    const answer = await send('/watch');
    const other = dial(transport?.listener.url ?? '');
    await read(await other.send('/'));
    await waitFor(async () => (await transport?.listener.connections())?.sockets === 1, { what: 'the idle connection to be ended' });
    expect(transport?.running()).toBe(1);
    answer.leave();
    other.close();
  });
});
