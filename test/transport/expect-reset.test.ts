/** A client that goes before it was told to send its body: its request fails as an incomplete one. */
import { connect } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import type { SecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { HTTP2_IMPLEMENTATIONS } from '../../pkg/server/transports/http2-transport.ts';
import { deadline } from '../support/wait.ts';
import { ca, openSecure, type Transport } from './transport.ts';

let transport: Transport<SecureListener>;
afterEach(() => transport.listener.stop(0));

describe.each(HTTP2_IMPLEMENTATIONS)('A request over HTTP/2 (%s) that expects 100-continue and is reset', (http2) => {
  it('has an incomplete body', async () => {
    const read = Promise.withResolvers<unknown>();
    const served = Promise.withResolvers<undefined>();
    transport = await openSecure({
      http2,
      respond: async (request) => {
        const gone = new Promise<void>((resolve) => request.onDisconnect(resolve));
        served.resolve(undefined);
        await gone;
        // As after an authorizer that takes its time.
        await request.readBody(10).then(read.resolve, read.resolve);
        return { code: 200, headers: {}, body: [] };
      },
    });
    const session = connect(transport.listener.url, { ca, servername: 'localhost' });
    session.on('error', () => undefined);
    const stream = session.request({ ':method': 'POST', ':path': '/', expect: '100-continue' });
    stream.on('error', () => undefined);
    await served.promise;
    session.destroy();
    const failure = await deadline(read.promise, 10_000, 'the end of the body');
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ reason: 'BadRequest', message: 'the request body is incomplete' });
  });
});
