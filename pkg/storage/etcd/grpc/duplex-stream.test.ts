/** Streaming calls over real sockets to a scripted server. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Socket } from 'node:net';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { startScriptedGrpcServer, toGrpcMessage, type ScriptedGrpcServer } from '../../../../test/support/scripted-grpc-server.ts';
import { openTcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { waitFor } from '../../../../test/support/wait.ts';
import { Channel, type NativeChannelOptions } from './channel.ts';
import type { Connection } from './connection.ts';
import type { DuplexStream } from './duplex-stream.ts';
import { parseEndpoint } from './endpoint.ts';
import { FrameReader } from '../../../http2/frame-reader.ts';
import { FLAG, FRAME, frame, goAway } from '../../../http2/frames.ts';
import { GRPC, UnprocessedError } from './status.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** The server's side of one stream. */
interface Served {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** The received messages, with their prefixes. */
  readonly bytes: () => Buffer;
}

interface Listening {
  readonly messages: Buffer[];
  readonly ends: (Error | undefined)[];
}

const OK = { ':status': 200, 'content-type': 'application/grpc' };

async function serve(settings = {}): Promise<{ readonly server: ScriptedGrpcServer; readonly served: Served[] }> {
  const served: Served[] = [];
  const server = await startScriptedGrpcServer(() => undefined, {
    settings,
    onStream: (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      served.push({ stream, headers, bytes: () => Buffer.concat(chunks) });
    },
  });
  opened.push(server);
  return { server, served };
}

async function connect({ url }: Pick<ScriptedGrpcServer, 'url'>, options: Partial<NativeChannelOptions> = {}): Promise<Connection> {
  const endpoint = parseEndpoint(url, undefined);
  if (endpoint === undefined) throw new Error(`no URL: ${url}`);
  const channel = new Channel({ endpoint, callTimeoutMs: 200, keepaliveMs: 10_000, keepaliveTimeoutMs: 5000, ...options });
  opened.push(channel);
  return channel.ready(2000);
}

function open(connection: Connection, token?: string): Listening & { readonly stream: DuplexStream } {
  const messages: Buffer[] = [];
  const ends: (Error | undefined)[] = [];
  const head = { path: '/etcdserverpb.Watch/Watch', token, metadata: { hasleader: 'true' } };
  const stream = connection.open(head, { onMessage: (message) => messages.push(message), onEnd: (error) => ends.push(error) });
  return { stream, messages, ends };
}

/** The n-th stream that the server received. */
async function streamOf(served: readonly Served[], n: number): Promise<Served> {
  await waitFor(() => served.length > n, { what: `stream ${n}`, everyMs: 1 });
  const found = served[n];
  if (found === undefined) throw new Error(`no stream ${n}`);
  return found;
}

const until = (isSo: () => boolean, what: string): Promise<void> => waitFor(isSo, { what, everyMs: 1 });

describe('a stream', () => {
  it('carries messages both ways, in any chunks, beyond the call timeout', async () => {
    const { server, served } = await serve();
    const connection = await connect(server);
    const { stream, messages, ends } = open(connection, 'secret');
    stream.send(Buffer.from('one'));
    stream.send(Buffer.alloc(0));
    const { stream: answering, headers, bytes } = await streamOf(served, 0);
    await until(() => bytes().length === 13, 'both messages');
    expect(bytes()).toEqual(Buffer.concat([toGrpcMessage(Buffer.from('one')), toGrpcMessage(Buffer.alloc(0))]));
    expect(headers).toMatchObject({ ':path': '/etcdserverpb.Watch/Watch', token: 'secret', hasleader: 'true' });
    expect(headers).not.toHaveProperty('grpc-timeout');

    answering.respond(OK);
    const large = Buffer.alloc(100_000, 'large');
    const all = Buffer.concat([toGrpcMessage(Buffer.from('a')), toGrpcMessage(Buffer.alloc(0)), toGrpcMessage(large)]);
    for (const part of [all.subarray(0, 3), all.subarray(3, 7), all.subarray(7, 13), all.subarray(13, 50_000), all.subarray(50_000)]) {
      await new Promise<void>((resolve) => answering.write(part, () => resolve()));
    }
    await until(() => messages.length === 3, 'the answers');
    expect(messages).toEqual([Buffer.from('a'), Buffer.alloc(0), large]);

    // A unary call fails after 200 ms; the stream continues.
    const call = connection.call({ path: '/a', message: Buffer.from('x'), decode: (answer) => answer }, undefined);
    await expect(call).rejects.toMatchObject({ code: GRPC.deadlineExceeded });
    expect(answering.destroyed).toBe(false);
    stream.send(Buffer.from('late'));
    await until(() => bytes().length === 22, 'the late message');
    expect(ends).toEqual([]);
  });

  it('sends more than the window in parts', async () => {
    const { server, served } = await serve({ initialWindowSize: 1000 });
    const { stream } = open(await connect(server));
    const message = Buffer.alloc(100_000, 'x');
    const { bytes } = await streamOf(served, 0);
    stream.send(message);
    stream.send(message);
    await until(() => bytes().length === 200_010, 'all of it');
    expect(bytes().subarray(5, 100_005).equals(message)).toBe(true);
  });

  it('applies changed window settings, even when nothing is queued', async () => {
    const { server, served } = await serve({ initialWindowSize: 10 });
    const { stream } = open(await connect(server));
    const { bytes } = await streamOf(served, 0);
    await new Promise<void>((resolve) => server.sessions[0]?.settings({ initialWindowSize: 50_000 }, () => resolve()));
    stream.send(Buffer.alloc(40_000));
    await until(() => bytes().length === 40_005, 'all of it');
  });

  it('receives only its window while paused, and everything after it resumes', async () => {
    const { server, served } = await serve();
    const { stream, messages } = open(await connect(server, { streamWindowBytes: 100_000 }));
    const { stream: answering } = await streamOf(served, 0);
    answering.respond(OK);
    stream.pause();
    let written = 0;
    for (let count = 0; count < 50; count++) answering.write(toGrpcMessage(Buffer.alloc(10_000, 'x')), () => written++);
    await until(() => messages.length === 9, 'the messages that fit the window');
    // The window ends within the tenth, and Node buffers the others. The PING arrives after what was sent before it.
    await new Promise<void>((resolve) => server.sessions[0]?.ping(() => resolve()));
    expect([messages.length, written < 50]).toEqual([9, true]);
    stream.resume();
    await until(() => messages.length === 50, 'the other messages');
  });

  it('receives many times its window', async () => {
    const { server, served } = await serve();
    const { messages } = open(await connect(server, { streamWindowBytes: 100_000 }));
    const { stream: answering } = await streamOf(served, 0);
    answering.respond(OK);
    // One message larger than the window, too.
    answering.write(toGrpcMessage(Buffer.alloc(1_000_000, 'x')));
    for (let count = 0; count < 100; count++) answering.write(toGrpcMessage(Buffer.alloc(30_000, 'x')));
    await until(() => messages.length === 101, 'everything');
    expect(messages[0]?.length).toBe(1_000_000);
  });

  it('pings a silent server, and ends when it does not answer', async () => {
    const { server } = await serve();
    const proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    opened.push(proxy);
    const { ends } = open(await connect({ url: `http://127.0.0.1:${proxy.port}` }, { keepaliveMs: 50, keepaliveTimeoutMs: 300 }));
    await until(() => server.pings >= 3, 'three pings');
    expect(ends).toEqual([]);
    proxy.blackHole(true);
    await until(() => ends.length === 1, 'the end');
    expect(ends[0]).toMatchObject({ code: GRPC.unavailable, details: expect.stringContaining('does not answer pings') });
  });

  it('ends with its connection', async () => {
    const { server, served } = await serve();
    const { ends } = open(await connect(server));
    await streamOf(served, 0);
    for (const session of server.sessions) session.destroy();
    await until(() => ends.length === 1, 'the end');
    expect(ends[0]).toMatchObject({ code: GRPC.unavailable });
  });

  it.each<readonly [string, (stream: ServerHttp2Stream) => void, object | undefined]>([
    [
      'by a good status',
      (stream) => {
        stream.respond(OK, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end();
      },
      undefined,
    ],
    [
      'by another status',
      (stream) => stream.respond({ ...OK, 'grpc-status': '16', 'grpc-message': 'no' }, { endStream: true }),
      { code: GRPC.unauthenticated, details: 'no' },
    ],
    ['by a reset', (stream) => stream.close(2), { code: GRPC.internal }],
    [
      'in the middle of a message',
      (stream) => {
        stream.respond(OK, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(toGrpcMessage(Buffer.from('whole')).subarray(0, 7));
      },
      { code: GRPC.internal, details: 'the message of the server is truncated' },
    ],
  ])('ends %s, and another may be opened', async (_, end, expected) => {
    const { server, served } = await serve();
    const connection = await connect(server);
    const first = open(connection);
    end((await streamOf(served, 0)).stream);
    await until(() => first.ends.length === 1, 'the end');
    if (expected === undefined) expect(first.ends).toEqual([undefined]);
    else expect(first.ends[0]).toMatchObject(expected);
    // Without effect after the end.
    first.stream.send(Buffer.from('x'));
    first.stream.cancel();
    open(connection);
    await streamOf(served, 1);
    expect(server.connections).toBe(1);
    expect(first.ends.length).toBe(1);
  });

  it('resets the stream at the server when cancelled, and stays silent', async () => {
    const { server, served } = await serve();
    const { stream, messages, ends } = open(await connect(server));
    const { stream: answering } = await streamOf(served, 0);
    answering.respond(OK);
    stream.cancel();
    stream.cancel();
    answering.write(toGrpcMessage(Buffer.from('late')));
    await until(() => answering.destroyed, 'the end');
    expect([answering.rstCode, messages, ends]).toEqual([8, [], []]);
  });

  it('can be cancelled by its listener', async () => {
    const { server, served } = await serve();
    const connection = await connect(server);
    const messages: Buffer[] = [];
    const stream: DuplexStream = connection.open(
      { path: '/a', token: undefined },
      {
        onMessage: (message) => {
          messages.push(message);
          stream.cancel();
        },
        onEnd: () => messages.push(Buffer.from('end')),
      },
    );
    const { stream: answering } = await streamOf(served, 0);
    answering.respond(OK);
    answering.write(Buffer.concat([toGrpcMessage(Buffer.from('a')), toGrpcMessage(Buffer.from('b'))]));
    await until(() => answering.destroyed, 'the end');
    expect(messages).toEqual([Buffer.from('a')]);
  });

  it('cannot be opened beyond the stream limit or on a closed connection', async () => {
    const { server, served } = await serve({ maxConcurrentStreams: 1 });
    const connection = await connect(server);
    const first = open(connection);
    await streamOf(served, 0);
    expect(() => open(connection)).toThrow(UnprocessedError);
    first.stream.cancel();
    const second = open(connection);
    connection.close();
    expect(second.ends).toMatchObject([{ code: GRPC.unavailable }]);
    expect(() => open(connection)).toThrow(UnprocessedError);
  });
});

/** Frames on the wire, to a server that controls each of them. */
describe('what a stream sends', () => {
  interface SentFrame {
    readonly type: number;
    readonly flags: number;
    readonly stream: number;
    readonly payload: Buffer;
  }
  const HEADERS = Buffer.from('88', 'hex');
  const TRAILERS = Buffer.from('\x00\x0bgrpc-status\x010', 'latin1');
  const STREAM = 1;

  async function serveFrames(): Promise<{
    readonly url: string;
    readonly sent: SentFrame[];
    readonly send: (...frames: Buffer[]) => void;
  }> {
    const sent: SentFrame[] = [];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      let preface = 24;
      const reader = new FrameReader((type, flags, stream, buffer, start, end) => {
        sent.push({ type, flags, stream, payload: Buffer.from(buffer.subarray(start, end)) });
      });
      socket.on('data', (chunk: Buffer) => {
        const skipped = Math.min(preface, chunk.length);
        preface -= skipped;
        reader.push(chunk.subarray(skipped));
      });
      // The window of a stream is a million bytes, that of the connection the default 65,535.
      socket.write(frame(FRAME.settings, 0, 0, Buffer.from('0004000f4240', 'hex')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({ close: () => server.close() });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, sent, send: (...frames) => sockets[0]?.write(Buffer.concat(frames)) };
  }

  type Frames = Awaited<ReturnType<typeof serveFrames>>;

  /** Resolves when the client has answered everything sent so far. */
  async function exchangeFrames({ send, sent }: Frames): Promise<void> {
    const answers = () => sent.filter(({ type, flags }) => type === FRAME.ping && (flags & FLAG.ack) !== 0).length;
    const before = answers();
    send(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    await until(() => answers() > before, 'the answer to a ping');
  }
  const ofStream = ({ sent }: Frames) => sent.filter(({ stream }) => stream === STREAM);
  const reported = (frames: Frames, stream = STREAM) =>
    frames.sent
      .filter((each) => each.type === FRAME.windowUpdate && each.stream === stream)
      .reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 0);

  it('returns everything received, including padding, half a window at a time', async () => {
    const frames = await serveFrames();
    const { messages } = open(await connect(frames, { streamWindowBytes: 64_000 }));
    await exchangeFrames(frames);
    frames.send(frame(FRAME.headers, FLAG.endHeaders, STREAM, HEADERS));
    const padded = Buffer.concat([Buffer.from([200]), toGrpcMessage(Buffer.alloc(100)), Buffer.alloc(200)]);
    for (let round = 0; round < 20; round++) {
      frames.send(...Array.from({ length: 100 }, () => frame(FRAME.data, FLAG.padded, STREAM, padded)));
      await exchangeFrames(frames);
      expect((round + 1) * 100 * padded.length - reported(frames)).toBeLessThan(32_000);
    }
    expect(messages.length).toBe(2000);
    expect(reported(frames)).toBeLessThanOrEqual(2000 * padded.length);
  });

  it('sends no WINDOW_UPDATE while paused or after its end', async () => {
    const frames = await serveFrames();
    const { stream, messages, ends } = open(await connect(frames, { streamWindowBytes: 64_000 }));
    await exchangeFrames(frames);
    frames.send(frame(FRAME.headers, FLAG.endHeaders, STREAM, HEADERS));
    const data = frame(FRAME.data, 0, STREAM, toGrpcMessage(Buffer.alloc(10_000)));
    stream.pause();
    frames.send(data, data, data, data);
    await exchangeFrames(frames);
    expect([messages.length, reported(frames)]).toEqual([4, 0]);
    stream.resume();
    await exchangeFrames(frames);
    expect(reported(frames)).toBe(40_020);
    stream.pause();
    frames.send(data, data, data, data, frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, STREAM, TRAILERS));
    await exchangeFrames(frames);
    expect(ends).toEqual([undefined]);
    stream.resume();
    await exchangeFrames(frames);
    expect(reported(frames)).toBe(40_020);
  });

  it('ends its half when the server has ended the other, and sends nothing after that', async () => {
    const frames = await serveFrames();
    const { stream } = open(await connect(frames));
    await exchangeFrames(frames);
    frames.send(
      frame(FRAME.headers, FLAG.endHeaders, STREAM, HEADERS),
      frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, STREAM, TRAILERS),
    );
    await exchangeFrames(frames);
    stream.send(Buffer.from('late'));
    await exchangeFrames(frames);
    expect(ofStream(frames).map(({ type }) => type)).toEqual([FRAME.headers, FRAME.rstStream]);
  });

  it('sends nothing after it is cancelled while blocked', async () => {
    const frames = await serveFrames();
    const { stream } = open(await connect(frames));
    await exchangeFrames(frames);
    stream.send(Buffer.alloc(100_000));
    await exchangeFrames(frames);
    stream.cancel();
    const room = Buffer.alloc(4);
    room.writeUInt32BE(1_000_000);
    frames.send(frame(FRAME.windowUpdate, 0, 0, room));
    await exchangeFrames(frames);
    expect(ofStream(frames).at(-1)?.type).toBe(FRAME.rstStream);
  });

  it('ends when GOAWAY says that it was not processed', async () => {
    const frames = await serveFrames();
    const connection = await connect(frames);
    const { ends } = open(connection);
    await exchangeFrames(frames);
    frames.send(goAway(0));
    await until(() => ends.length === 1, 'the end');
    expect(ends[0]).toBeInstanceOf(UnprocessedError);
    expect(() => open(connection)).toThrow(UnprocessedError);
  });
});
