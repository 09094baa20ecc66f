/** Calls over real sockets to a scripted server. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  answer,
  startScriptedGrpcServer,
  toGrpcMessage,
  type ScriptedCall,
  type ScriptedGrpcServer,
} from '../../../../test/support/scripted-grpc-server.ts';
import { openTcpProxy, type TcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { deadline, waitFor } from '../../../../test/support/wait.ts';
import { writeRefusal } from '../call-errors.ts';
import { Channel, type NativeChannelOptions } from './channel.ts';
import { parseEndpoint } from './endpoint.ts';
import { FrameReader } from '../../../http2/frame-reader.ts';
import { FLAG, FRAME, frame, goAway } from '../../../http2/frames.ts';
import { GRPC, GrpcError, UnprocessedError } from './status.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const text = (bytes: Buffer): string => bytes.toString();
const upper = ({ stream, message }: ScriptedCall): void => answer(stream, Buffer.from(text(message).toUpperCase()));

function openChannel(url: string, options: Partial<NativeChannelOptions> = {}): Channel {
  const endpoint = parseEndpoint(url, undefined);
  if (endpoint === undefined) throw new Error(`no URL: ${url}`);
  const channel = new Channel({ endpoint, callTimeoutMs: 5000, keepaliveMs: 10_000, keepaliveTimeoutMs: 5000, ...options });
  opened.push(channel);
  return channel;
}

async function serve(...parameters: Parameters<typeof startScriptedGrpcServer>): Promise<ScriptedGrpcServer> {
  const server = await startScriptedGrpcServer(...parameters);
  opened.push(server);
  return server;
}

async function proxyTo({ url }: ScriptedGrpcServer): Promise<TcpProxy> {
  const { hostname: host, port } = new URL(url);
  const proxy = await openTcpProxy({ host, port: Number(port) });
  opened.push(proxy);
  return proxy;
}

/** Sends over the current or the next connection. */
async function send(channel: Channel, message: string | Uint8Array, token?: string): Promise<string> {
  const connection = await channel.ready(2000);
  return connection.call({ path: '/etcdserverpb.KV/Txn', message: Buffer.from(message), decode: text }, token);
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => new Error(`expected a failure, got ${String(value)}`),
    (error: unknown) => error,
  );

describe('calls', () => {
  it('are answered each with its own, thousands at a time over one connection', async () => {
    const server = await serve(upper);
    const channel = openChannel(server.url);
    const names = Array.from({ length: 2000 }, (_, index) => `call ${index}`);
    expect(await Promise.all(names.map((name) => send(channel, name)))).toEqual(names.map((name) => name.toUpperCase()));
    expect(server.connections).toBe(1);
  });

  it('carry the headers of gRPC, the timeout and the token', async () => {
    const seen: ScriptedCall['headers'][] = [];
    const server = await serve((call) => {
      seen.push(call.headers);
      upper(call);
    });
    const channel = openChannel(server.url);
    for (const token of ['first', 'first', 'second', undefined]) await send(channel, 'x', token);
    expect(seen[0]).toMatchObject({
      ':method': 'POST',
      ':scheme': 'http',
      ':path': '/etcdserverpb.KV/Txn',
      ':authority': server.url.slice('http://'.length),
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': '5000m',
    });
    expect(seen.map(({ token }) => token)).toEqual(['first', 'first', 'second', undefined]);
  });

  it('receive responses of many megabytes, and empty ones', async () => {
    const large = Buffer.alloc(30_000_000, 'large');
    const server = await serve(({ stream, message }) => answer(stream, message.length === 0 ? message : large));
    const channel = openChannel(server.url);
    const connection = await channel.ready(2000);
    const call = (message: string) => connection.call({ path: '/a', message: Buffer.from(message), decode: (bytes) => bytes }, undefined);
    const [first, second, none] = await Promise.all([call('x'), call('x'), call('')]);
    expect([first.equals(large), second.equals(large), none.length]).toEqual([true, true, 0]);
  });

  it.each([
    ['the windows of the server', { settings: { initialWindowSize: 20_000 } }],
    ['what a socket takes at once', { settings: { initialWindowSize: 2 ** 24 }, connectionWindowBytes: 2 ** 26 }],
  ])('send what is larger than %s in pieces, the small not held up by the large', async (_what, options) => {
    const arrived: number[] = [];
    const onCall = ({ stream, message }: ScriptedCall): void => {
      arrived.push(message.length);
      answer(stream, message);
    };
    const server = await serve(onCall, options);
    const channel = openChannel(server.url);
    const messages = ['a', 'b', 'c'].map((letter) => letter.repeat(1_000_000));
    expect(await Promise.all([...messages, 'small'].map((message) => send(channel, message)))).toEqual([...messages, 'small']);
    expect(arrived.length).toBe(4);
    expect(arrived.at(-1)).toBe(1_000_000);
  });

  it('acknowledge new settings before they use them', async () => {
    const held: ServerHttp2Stream[] = [];
    const server = await serve(() => undefined, {
      settings: { initialWindowSize: 20_000 },
      connectionWindowBytes: 2 ** 26,
      onStream: (stream) => held.push(stream),
    });
    const channel = openChannel(server.url);
    const messages = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(500_000));
    const answers = Promise.all(messages.map((message) => send(channel, message)));
    await waitFor(() => held.length === messages.length, { what: 'all calls to come' });
    for (let bytes = 30_000; bytes <= 200_000; bytes += 10_000)
      await new Promise<void>((resolve) => server.sessions[0]?.settings({ initialWindowSize: bytes }, () => resolve()));
    for (const stream of held) void buffer(stream).then((bytes) => answer(stream, bytes.subarray(5)));
    expect(await answers).toEqual(messages);
    expect(server.connections).toBe(1);
  });

  it('wait at the limit on concurrent streams', async () => {
    let running = 0;
    let most = 0;
    const onCall = (call: ScriptedCall): void => {
      most = Math.max(most, ++running);
      setImmediate(() => {
        running--;
        upper(call);
      });
    };
    const server = await serve(onCall, { settings: { maxConcurrentStreams: 3 } });
    const channel = openChannel(server.url);
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    expect(await Promise.all(names.map((name) => send(channel, name)))).toEqual(names.map((name) => name.toUpperCase()));
    expect(most).toBeLessThanOrEqual(3);
  });

  it('that were queued until their deadline were certainly not sent', async () => {
    const server = await serve(() => undefined, { settings: { maxConcurrentStreams: 0 } });
    const error = await failure(send(openChannel(server.url, { callTimeoutMs: 100 }), 'a'));
    expect(error).toBeInstanceOf(UnprocessedError);
    expect(error).toMatchObject({ atStreamLimit: true });
  });

  it('that were queued behind one without a response were certainly not sent, even when that one ends', async () => {
    let begun = 0;
    const server = await serve(() => begun++, { settings: { maxConcurrentStreams: 1 } });
    const connection = await openChannel(server.url, { callTimeoutMs: 200 }).ready(2000);
    const call = () => connection.call({ path: '/a', message: Buffer.from('x'), decode: text }, undefined);
    const errors = await Promise.all(Array.from({ length: 3 }, () => failure(call())));
    expect(errors.map((error) => error instanceof UnprocessedError)).toEqual([false, true, true]);
    expect(begun).toBe(1);
  });

  it('that leave the queue too late for a response are not sent', async () => {
    const begun: ScriptedCall[] = [];
    const server = await serve((call) => begun.push(call), { settings: { maxConcurrentStreams: 1 } });
    const connection = await openChannel(server.url, { callTimeoutMs: 3000 }).ready(2000);
    const call = (message: string) => connection.call({ path: '/a', message: Buffer.from(message), decode: text }, undefined);
    const first = call('first');
    const second = failure(call('second'));
    await waitFor(() => begun.length === 1, { what: 'the first call', everyMs: 1 });
    const third = call('third');
    third.catch(() => undefined);
    // The latest start of the second comes before the deadline of the first.
    const error = await second;
    expect(error).toMatchObject({ atStreamLimit: true });
    const [held] = begun;
    if (held !== undefined) answer(held.stream, Buffer.from('late'));
    expect(await first).toBe('late');
    await failure(third);
    expect(begun.map(({ message }) => text(message))).not.toContain('second');
  });
});

describe('a call that fails', () => {
  const html = '<html>Bad Gateway</html>';
  const OK = { ':status': 200, 'content-type': 'application/grpc' };
  const withTrailers =
    (trailers: Record<string, string>, body?: Buffer) =>
    ({ stream }: ScriptedCall) => {
      stream.respond(OK, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end(body);
    };

  it.each<readonly [string, (call: ScriptedCall) => void, number, string]>([
    [
      'with a status and no message',
      ({ stream }) => stream.respond({ ...OK, 'grpc-status': '7', 'grpc-message': 'denied: 100%25' }, { endStream: true }),
      GRPC.permissionDenied,
      'denied: 100%',
    ],
    ['with a status in the trailers', withTrailers({ 'grpc-status': '14', 'grpc-message': 'gone' }), GRPC.unavailable, 'gone'],
    ['with a status that is no number', withTrailers({ 'grpc-status': 'x' }), GRPC.unknown, ''],
    ['with a good status and no message', withTrailers({ 'grpc-status': '0' }), GRPC.internal, 'the server sent no message'],
    [
      'with half of a message',
      withTrailers({ 'grpc-status': '0' }, toGrpcMessage(Buffer.from('whole')).subarray(0, 8)),
      GRPC.internal,
      'the message of the server is truncated',
    ],
    [
      'with two messages',
      withTrailers({ 'grpc-status': '0' }, Buffer.concat([toGrpcMessage(Buffer.from('a')), toGrpcMessage(Buffer.from('b'))])),
      GRPC.internal,
      'the server sent more than one message',
    ],
    [
      'with a compressed message',
      withTrailers({ 'grpc-status': '0' }, toGrpcMessage(Buffer.from('a'), 1)),
      GRPC.internal,
      'the server sent a compressed message without being asked to',
    ],
    [
      'without trailers',
      ({ stream }) => {
        stream.respond(OK);
        stream.end(toGrpcMessage(Buffer.from('a')));
      },
      GRPC.internal,
      'Call ended without gRPC status',
    ],
    [
      'with the page of a proxy',
      ({ stream }) => {
        stream.respond({ ':status': 502, 'content-type': 'text/html' });
        stream.end(html);
      },
      GRPC.unavailable,
      'Received HTTP status code 502',
    ],
    ['by a reset: internal', ({ stream }) => stream.close(2), GRPC.internal, 'Received RST_STREAM with code 2'],
    ['by a reset: cancel', ({ stream }) => stream.close(8), GRPC.cancelled, 'Call cancelled'],
    ['by a reset: calm', ({ stream }) => stream.close(11), GRPC.resourceExhausted, 'Bandwidth exhausted or memory limit exceeded'],
  ])('%s says so, and the next one goes on over the same connection', async (_, script, code, details) => {
    let first = true;
    const server = await serve((call) => {
      if (first) script(call);
      else upper(call);
      first = false;
    });
    const channel = openChannel(server.url);
    const error = await failure(send(channel, 'a'));
    expect(error).toBeInstanceOf(GrpcError);
    expect(error).toMatchObject({ code, details });
    // The call may have been executed, unless the code says otherwise.
    expect(writeRefusal(error) === undefined).toBe(code !== GRPC.permissionDenied);
    expect(await send(channel, 'b')).toBe('B');
    expect(server.connections).toBe(1);
  });

  it('has a message in any characters, in Huffman code', async () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((character) => character !== '%');
    // Node uses the Huffman code only where it is shorter.
    const details = printable.map((character) => `${character}${'e'.repeat(20)}`).join('');
    const server = await serve(({ stream }) => stream.respond({ ...OK, 'grpc-status': '9', 'grpc-message': details }, { endStream: true }));
    expect(await failure(send(openChannel(server.url), 'a'))).toMatchObject({ code: GRPC.failedPrecondition, details });
  });

  it('because its response cannot be decoded may have been executed', async () => {
    const server = await serve(upper);
    const connection = await openChannel(server.url).ready(2000);
    const decode = (): never => {
      throw new RangeError('nonsense');
    };
    const error = await failure(connection.call({ path: '/a', message: Buffer.from('a'), decode }, undefined));
    expect(error).toMatchObject({ code: GRPC.internal, details: 'the response cannot be decoded: nonsense' });
    expect(writeRefusal(error)).toBeUndefined();
  });

  it('because the stream was refused was certainly not processed', async () => {
    const server = await serve(({ stream }) => stream.close(7));
    expect(await failure(send(openChannel(server.url), 'a'))).toBeInstanceOf(UnprocessedError);
  });

  it('because the stream was refused after the response began may have been executed', async () => {
    const server = await serve(({ stream }) => {
      stream.respond(OK);
      stream.write(toGrpcMessage(Buffer.from('whole')).subarray(0, 8), () => stream.close(7));
    });
    const error = await failure(send(openChannel(server.url), 'a'));
    expect(error).toMatchObject({ code: GRPC.internal });
    expect(writeRefusal(error)).toBeUndefined();
  });

  it('because the connection broke within the response may have been executed', async () => {
    const server = await serve(({ stream }) => {
      stream.respond(OK);
      stream.write(toGrpcMessage(Buffer.from('whole')).subarray(0, 8), () => stream.session?.destroy());
    });
    const error = await failure(send(openChannel(server.url), 'a'));
    expect(error).toMatchObject({ code: GRPC.unavailable, details: expect.stringMatching(/^Connection dropped: /) });
    expect(writeRefusal(error)).toBeUndefined();
  });

  it('because its deadline passed is cancelled at the server, and others go on', async () => {
    const codes: (number | undefined)[] = [];
    const server = await serve((call) => {
      if (text(call.message) === 'slow') call.stream.on('close', () => codes.push(call.stream.rstCode));
      else upper(call);
    });
    const channel = openChannel(server.url, { callTimeoutMs: 150 });
    const slow = failure(send(channel, 'slow'));
    expect(await send(channel, 'quick')).toBe('QUICK');
    expect(await deadline(slow, 2000, 'the deadline')).toMatchObject({ code: GRPC.deadlineExceeded });
    await waitFor(() => codes.length === 1, { what: 'the cancellation to arrive' });
    expect(codes).toEqual([8]);
    expect(await send(channel, 'again')).toBe('AGAIN');
    expect(server.connections).toBe(1);
  });
});

describe('a connection', () => {
  it('that the server closes in good order ends the calls it took, leaves the others for another one, and is replaced', async () => {
    const held: ScriptedCall[] = [];
    const server = await serve((call) => {
      if (text(call.message).startsWith('held')) held.push(call);
      else upper(call);
    });
    const proxy = await proxyTo(server);
    const channel = openChannel(`http://127.0.0.1:${proxy.port}`);
    const first = send(channel, 'held 1');
    const second = failure(send(channel, 'held 2'));
    await waitFor(() => held.length === 2, { what: 'the calls to arrive' });
    server.sessions[0]?.goaway(0, held[0]?.stream.id ?? 0);
    expect(await second).toBeInstanceOf(UnprocessedError);
    expect(await send(channel, 'new')).toBe('NEW');
    expect(server.connections).toBe(2);
    if (held[0] !== undefined) upper(held[0]);
    expect(await first).toBe('HELD 1');
    await waitFor(() => proxy.connections === 1, { what: 'the first connection to end' });
  });

  it('that pinged too often is followed by one that pings half as often', async () => {
    let calm = false;
    const server = await serve((call) => {
      if (calm) return;
      upper(call);
      call.stream.session?.goaway(11, 0, Buffer.from('too_many_pings'));
    });
    const channel = openChannel(server.url, { keepaliveMs: 20, callTimeoutMs: 300 });
    for (let times = 1; times <= 8; times++) {
      expect(await send(channel, 'a')).toBe('A');
      await waitFor(() => channel.readyNow() === undefined || server.connections > times, { what: 'the goaway to arrive' });
    }
    calm = true;
    await channel.ready(2000);
    const before = server.pings;
    // The interval is 5 s by now.
    await failure(send(channel, 'b'));
    expect(server.pings).toBe(before);
  });

  it('that is silent while calls wait is pinged, and stays open when it answers', async () => {
    const held: ScriptedCall[] = [];
    const server = await serve((call) => held.push(call));
    const call = send(openChannel(server.url, { keepaliveMs: 30 }), 'slow');
    await waitFor(() => server.pings >= 3, { what: 'three pings' });
    for (const each of held) upper(each);
    expect(await call).toBe('SLOW');
  });

  it('that is dead is detected long before the deadline, and replaced', async () => {
    const server = await serve(upper);
    const proxy = await proxyTo(server);
    const channel = openChannel(`http://127.0.0.1:${proxy.port}`, { keepaliveMs: 50, keepaliveTimeoutMs: 50, callTimeoutMs: 60_000 });
    expect(await send(channel, 'a')).toBe('A');
    proxy.blackHole(true);
    expect(await deadline(failure(send(channel, 'b')), 5000, 'the dead connection to be detected')).toMatchObject({
      code: GRPC.unavailable,
      details: 'Connection dropped: the server does not answer pings',
    });
    proxy.blackHole(false);
    expect(await send(channel, 'c')).toBe('C');
    proxy.cut();
  });

  it('that is closed during calls fails them, and leaves no socket', async () => {
    const held: ScriptedCall[] = [];
    const server = await serve((call) => held.push(call));
    const channel = openChannel(server.url);
    const calls = [failure(send(channel, 'a')), failure(send(channel, 'b'))];
    await waitFor(() => held.length === 2, { what: 'the calls to arrive' });
    const late = failure(openChannel('http://127.0.0.1:1').ready(5000));
    opened.splice(1).map((each) => each.close());
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: GRPC.unavailable });
    expect(await late).toMatchObject({ message: 'Channel closed' });
    await waitFor(() => server.sessions[0]?.destroyed === true, { what: 'the connection to end' });
    expect(await failure(channel.ready(1000))).toMatchObject({ message: 'Channel closed' });
  });

  it('is retried for waiting callers after failed attempts', async () => {
    const server = await serve(upper);
    const proxy = await proxyTo(server);
    proxy.accept(false);
    const channel = openChannel(`http://127.0.0.1:${proxy.port}`);
    expect(await failure(channel.ready(120))).toMatchObject({ message: expect.stringMatching(/ECONNRESET|closes connections/) });
    const waiting = channel.ready(5000);
    proxy.accept(true);
    expect((await waiting).ready).toBe(true);
    expect(await send(channel, 'a')).toBe('A');
  });

  it.each([
    ['that says nothing', ''],
    ['of another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['that begins with something else than settings', '\0\0\x08\x06\0\0\0\0\0abcdefgh'],
  ])('to a server %s is not taken for one', async (_, greeting) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.write(greeting, 'latin1');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({
      close: () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const error = await failure(openChannel(`http://127.0.0.1:${port}`).ready(300));
    expect(error).toMatchObject({ message: 'it accepts connections, but does not respond like etcd' });
  });
});

/** Frames that Node's server does not send. */
describe('what a server may send', () => {
  /** Sends SETTINGS, then `reply` to each request. */
  async function serveFrames(reply: (stream: number) => readonly Buffer[]): Promise<Channel> {
    const server = createServer((socket) => {
      let preface = 24;
      const reader = new FrameReader((type, flags, stream) => {
        if (type === FRAME.data && (flags & FLAG.endStream) !== 0) socket.write(Buffer.concat(reply(stream)));
      });
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        const skipped = Math.min(preface, chunk.length);
        preface -= skipped;
        reader.push(chunk.subarray(skipped));
      });
      socket.write(frame(FRAME.settings, 0, 0, Buffer.alloc(0)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({ close: () => server.close() });
    const address = server.address();
    return openChannel(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
  }
  const headers = Buffer.from('88', 'hex');
  const trailers = Buffer.from('\x00\x0bgrpc-status\x010', 'latin1');
  const message = toGrpcMessage(Buffer.from('hello'));

  it('header blocks in fragments, padding, priorities, unknown frames and settings, and a message byte by byte', async () => {
    const channel = await serveFrames((stream) => [
      frame(0xfa, 0xff, stream, Buffer.from('unknown')),
      frame(FRAME.settings, 0, 0, Buffer.from('00ff00000001', 'hex')),
      frame(
        FRAME.headers,
        FLAG.padded | FLAG.priority | FLAG.endHeaders,
        stream,
        Buffer.concat([Buffer.from([3]), Buffer.alloc(5), headers, Buffer.alloc(3)]),
      ),
      ...Array.from(message, (byte) => frame(FRAME.data, FLAG.padded, stream, Buffer.from([2, byte, 0, 0]))),
      frame(FRAME.headers, FLAG.endStream, stream, trailers.subarray(0, 3)),
      frame(FRAME.continuation, 0, stream, trailers.subarray(3, 9)),
      frame(FRAME.continuation, FLAG.endHeaders, stream, trailers.subarray(9)),
    ]);
    expect(await send(channel, 'x')).toBe('hello');
    expect(await send(channel, 'y')).toBe('hello');
  });

  it('GOAWAY without processed calls: they were certainly not processed, unless a response had begun', async () => {
    const farewell = goAway(0);
    const unseen = await failure(send(await serveFrames(() => [farewell]), 'x'));
    expect(unseen).toBeInstanceOf(UnprocessedError);
    const seen = await failure(
      send(await serveFrames((stream) => [frame(FRAME.headers, FLAG.endHeaders, stream, headers), farewell]), 'x'),
    );
    expect(seen).toMatchObject({ code: GRPC.unavailable });
    expect(writeRefusal(seen)).toBeUndefined();
  });

  it.each([
    ['wider than windows can be', '7fffffff'],
    ['wider by nothing', '00000000'],
  ])('ends the call whose window it makes %s, and no other', async (_, bytes) => {
    const answer = (stream: number) => [
      frame(FRAME.headers, FLAG.endHeaders, stream, headers),
      frame(FRAME.data, 0, stream, message),
      frame(FRAME.headers, FLAG.endStream | FLAG.endHeaders, stream, trailers),
    ];
    let calls = 0;
    const channel = await serveFrames((stream) =>
      ++calls === 2
        ? [frame(FRAME.windowUpdate, 0, stream, Buffer.from(bytes, 'hex')), ...answer(stream - 2)]
        : calls === 1
          ? []
          : answer(stream),
    );
    const first = send(channel, 'x');
    const second = failure(send(channel, 'y'));
    expect(await second).toMatchObject({ code: GRPC.internal });
    expect(await first).toBe('hello');
    expect(await send(channel, 'z')).toBe('hello');
  });

  it.each<readonly [string, (stream: number) => readonly Buffer[]]>([
    [
      'a header block that is interrupted',
      (stream) => [frame(FRAME.headers, 0, stream, headers), frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
    ],
    ['a header block without a beginning', (stream) => [frame(FRAME.continuation, FLAG.endHeaders, stream, headers)]],
    ['more padding than there is', (stream) => [frame(FRAME.data, FLAG.padded, stream, Buffer.from([9, 1, 1]))]],
    ['a push', (stream) => [frame(FRAME.pushPromise, FLAG.endHeaders, stream, Buffer.alloc(8))]],
    ['a window that is wider than windows can be', () => [frame(FRAME.windowUpdate, 0, 0, Buffer.from('7fffffff', 'hex'))]],
    ['a window that is widened by nothing', () => [frame(FRAME.windowUpdate, 0, 0, Buffer.alloc(4))]],
    ['a frame that is too short', (stream) => [frame(FRAME.rstStream, 0, stream, Buffer.from([1]))]],
    ['a header block that cannot be read', (stream) => [frame(FRAME.headers, FLAG.endHeaders, stream, Buffer.from('ff', 'hex'))]],
  ])('ends the connection, and calls may have been done, when it is %s', async (_, reply) => {
    const channel = await serveFrames(reply);
    const error = await deadline(failure(send(channel, 'x')), 2000, 'the end');
    expect(error).toMatchObject({ code: GRPC.unavailable, details: expect.stringMatching(/^Connection dropped: /) });
  });
});
