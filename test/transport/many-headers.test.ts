/**
 * A request with many header fields is refused whole. Older versions of Node.js drop what comes after their limit, and
 * a dropped `Impersonate-User`, which proxies append, would leave the request with the rights of the proxy.
 */
import { connect } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HTTP2_IMPLEMENTATIONS } from '../../pkg/server/transports/http2-transport.ts';
import { ca, dial, dialTls, exchange, openPlain, openSecure, type Transport } from './transport.ts';

let transport: Transport;
afterEach(() => transport.listener.stop(0));

/** A request whose last field is the one that counts. */
const request = (fields: number, more = '') => {
  const own = `Host: 127.0.0.1\r\nConnection: ${more === '' ? 'close' : 'Upgrade'}\r\n${more}`;
  const others = 'a: b\r\n'.repeat(fields - own.split('\r\n').length);
  return `GET /seen HTTP/1.1\r\n${own}${others}Impersonate-User: nobody\r\n\r\n`;
};
const WEBSOCKET = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

describe.each([
  ['plain', openPlain, dial],
  ['TLS', openSecure, dialTls],
])('Many header fields over HTTP/1.1 (%s)', (_, open, to) => {
  it('all count where they are not refused', async () => {
    transport = await open();
    const answer = await exchange(await to(transport.port), request(1000));
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"impersonate-user":"nobody"/);
  });

  it.each([2000, 2001, 5000])('are refused whole: %d', async (fields) => {
    transport = await open();
    expect(await exchange(await to(transport.port), request(fields))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await exchange(await to(transport.port), request(fields, WEBSOCKET))).toMatch(/^HTTP\/1\.1 431 /);
    expect(transport.seen()).toBe(0);
  });
});

describe.each(HTTP2_IMPLEMENTATIONS)('Many header fields over HTTP/2 (%s)', (http2) => {
  it('are refused beyond the limit', async () => {
    transport = await openSecure({ http2 });
    const session = connect(transport.listener.url, { ca, servername: 'localhost', maxHeaderListPairs: 10_000 });
    session.on('error', () => undefined);
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`a${index}`, 'b']));
    const stream = session.request({ ':path': '/seen', ...fields, 'impersonate-user': 'nobody' });
    stream.on('error', () => undefined);
    let status: unknown;
    stream.on('response', ({ ':status': code }) => (status = code));
    stream.resume();
    await new Promise((resolve) => stream.once('close', resolve)); // after an error, if the session was ended
    expect([undefined, 431]).toContain(status);
    expect(transport.seen()).toBe(0);
    session.destroy();
  });
});
