/** `--goaway-chance`: the connection of a chosen request takes no more, and what runs on it is served to its end. */
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ContextFilter, RequestContext } from '../../pkg/server/filters/context.ts';
import { goaway } from '../../pkg/server/filters/goaway.ts';
import { RequestContext as Context } from '../../pkg/server/filters/context.ts';
import type { SecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { HTTP2_IMPLEMENTATIONS } from '../../pkg/server/transports/http2-transport.ts';
import type { ApiRequest, ApiResponse } from '../../pkg/server/transports/request.ts';
import { ca, dialTls, exchange, openSecure, type Transport } from './transport.ts';

let transport: Transport<SecureListener>;
afterEach(async () => {
  await transport.untilQuiet();
  await transport.listener.stop(0);
});

/** Chooses requests of `/chosen`. `/waiting` is answered once `release` was called. */
async function open(options: Parameters<typeof openSecure>[0] = {}) {
  const waiting = Promise.withResolvers<undefined>();
  const handle = async ({ request: { path } }: RequestContext): Promise<ApiResponse> => {
    if (path === '/waiting') await waiting.promise;
    return { code: 200, headers: {}, body: [Buffer.from(path)] };
  };
  let draws = 0;
  const filterFor = (path: string): ContextFilter<RequestContext, RequestContext> =>
    goaway({ goawayChance: 0.02, random: () => (draws++, path === '/chosen' ? 0.019 : 0.02) });
  const respond = (request: ApiRequest) => filterFor(request.path)(handle)(new Context(request, 0));
  transport = await openSecure({ ...options, respond });
  return { release: () => waiting.resolve(undefined), draws: () => draws };
}

async function ask(session: ClientHttp2Session, path: string): Promise<string> {
  const stream = session.request({ ':path': path });
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await once(stream, 'close');
  return text;
}

describe.each(HTTP2_IMPLEMENTATIONS)('A chosen request over HTTP/2 (%s)', (http2) => {
  it('is answered, and then its connection ends behind the requests that run', async () => {
    const { release } = await open({ http2 });
    const session = connect(transport.listener.url, { ca, servername: 'localhost' });
    session.on('error', () => undefined);
    const told: number[] = [];
    session.on('goaway', (code: number) => told.push(code));
    expect([await ask(session, '/other'), told]).toEqual(['/other', []]);
    const closed = once(session, 'close');
    const running = ask(session, '/waiting');
    const goneAway = once(session, 'goaway');
    expect(await ask(session, '/chosen')).toBe('/chosen');
    await goneAway;
    release();
    expect([await running, told[0]]).toEqual(['/waiting', 0]);
    await closed;
  });
});

describe('A request over HTTP/1.1', () => {
  it('is never chosen', async () => {
    const { draws } = await open();
    const answer = await exchange(
      await dialTls(transport.port),
      'GET /chosen HTTP/1.1\r\nHost: x\r\n\r\nGET /chosen HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect([answer.match(/HTTP\/1\.1 200/g)?.length, draws()]).toEqual([2, 0]);
  });
});
