/** Watch streams from a scripted server. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { startScriptedGrpcServer, toGrpcMessage, type ScriptedGrpcServer } from '../../../test/support/scripted-grpc-server.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import type { AnswerStream } from './answer-stream.ts';
import { openNativeChannel } from './grpc/channel.ts';
import { GRPC } from './grpc/status.ts';
import { Login } from './login.ts';
import { Cluster } from './members.ts';
import { WatchStreams } from './watch-streams.ts';
import type { WatchAnswer } from './wire.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const ignore = (): void => undefined;
const OK = { ':status': 200, 'content-type': 'application/grpc' };

interface Served {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
}

async function serve(
  onStream?: (stream: ServerHttp2Stream) => void,
): Promise<{ readonly server: ScriptedGrpcServer; readonly served: Served[] }> {
  const served: Served[] = [];
  const server = await startScriptedGrpcServer(ignore, {
    onStream: (stream, headers) => {
      stream.resume();
      served.push({ stream, headers });
      onStream?.(stream);
    },
  });
  opened.push(server);
  return { server, served };
}

function streamsTo(url: string, token?: () => Promise<string>): WatchStreams {
  const user = token === undefined ? {} : { username: 'u', password: 'p' };
  const login = new Login(user, () => token?.() ?? Promise.resolve(undefined));
  const log = { info: ignore, warn: ignore, error: ignore };
  const cluster = new Cluster({ servers: [url], clock: systemClock, log, callTimeoutMs: 2000 }, openNativeChannel);
  opened.push(cluster);
  return new WatchStreams(cluster, login);
}

/** An empty response of the size of its message. */
const decode = (message: Buffer): WatchAnswer => ({
  header: { clusterId: '', revision: 0 },
  created: false,
  canceled: false,
  cancelReason: '',
  compactRevision: 0,
  fragment: false,
  events: [],
  bytes: message.length,
});

async function streamOf(served: readonly Served[]): Promise<Served> {
  await waitFor(() => served.length > 0, { what: 'a stream', everyMs: 1 });
  const [first] = served;
  if (first === undefined) throw new Error('no stream');
  return first;
}

describe('a watch stream', () => {
  it('is opened with the token, and requires a leader', async () => {
    const { server, served } = await serve();
    const streams = streamsTo(server.url, () => Promise.resolve('secret'));
    await streams.open(decode);
    const { headers } = await streamOf(served);
    expect(headers).toMatchObject({ ':path': '/etcdserverpb.Watch/Watch', token: 'secret', hasleader: 'true' });
    expect(headers).not.toHaveProperty('grpc-timeout');
  });

  it('is opened over the next connection when one closes during the login', async () => {
    const { server, served } = await serve();
    const before: AnswerStream[] = [];
    const streams = streamsTo(server.url, async () => {
      const [first] = before;
      if (first === undefined) return 'first';
      for (const session of server.sessions) session.destroy();
      // The end has arrived.
      await expect(first.take()).rejects.toBeInstanceOf(Error);
      return 'second';
    });
    before.push(await streams.open(decode));
    await streamOf(served);
    streams.invalidateToken();
    await streams.open(decode);
    await waitFor(() => served.length === 2, { what: 'the second stream', everyMs: 1 });
    expect(served[1]?.headers['token']).toBe('second');
  });

  it('buffers a bounded number of bytes, and delivers everything once it is read', async () => {
    const { server, served } = await serve();
    let decoded = 0;
    const stream = await streamsTo(server.url).open((message) => {
      decoded++;
      return decode(message);
    });
    const { stream: answering } = await streamOf(served);
    answering.respond(OK);
    for (let count = 0; count < 100; count++) answering.write(toGrpcMessage(Buffer.alloc(500_000)));
    await waitFor(() => decoded >= 9, { what: 'what may wait', everyMs: 1 });
    // A PING is answered after what was sent before it.
    for (let trip = 0; trip < 3; trip++) await new Promise<void>((resolve) => server.sessions[0]?.ping(() => resolve()));
    // Four megabytes are queued, and four more fit the window.
    expect(decoded).toBeLessThanOrEqual(17);
    let taken = 0;
    while (taken < 100) taken += (await stream.take())?.length ?? Infinity;
    expect(taken).toBe(100);
  });

  it('ends on both sides when a response is malformed', async () => {
    const { server, served } = await serve();
    const stream = await streamsTo(server.url).open(() => {
      throw new RangeError('nonsense');
    });
    const { stream: answering } = await streamOf(served);
    answering.respond(OK);
    answering.write(toGrpcMessage(Buffer.from('x')));
    await expect(stream.take()).rejects.toMatchObject({ code: GRPC.internal, details: 'the response cannot be decoded: nonsense' });
    await waitFor(() => answering.destroyed, { what: 'the end', everyMs: 1 });
    expect(answering.rstCode).toBe(8);
  });
});
