/**
 * Broken and hostile HTTP/1.1, byte by byte, on the plain port and over TLS: the right answer or a clean close, and
 * nothing is left open.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { dial, dialTls, exchange, openPlain, openSecure, readAll, SHORT } from './transport.ts';
import type { Transport } from './transport.ts';

const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const get = (path = '/', ...more: readonly string[]) => head(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...more);
const post = (...more: readonly string[]) => head('POST /echo HTTP/1.1', 'Host: 127.0.0.1', ...more);
const last = get('/', 'Connection: close');

/** The status codes of all answers on one connection. */
const codes = (answer: string) => [...answer.matchAll(/HTTP\/1\.[01] ([0-9]{3}) /g)].map(([, code]) => Number(code));

describe.each([
  ['plain', openPlain, dial],
  ['TLS', openSecure, dialTls],
])('HTTP/1.1 over %s', (_, open, connect) => {
  let transport: Transport;
  beforeAll(async () => {
    transport = await open({ limits: SHORT });
  });
  afterAll(async () => {
    await transport.untilQuiet();
    await transport.listener.stop(0);
  });
  const to = (): Promise<Socket> => connect(transport.port);
  const send = async (...pieces: readonly (string | Uint8Array)[]) => exchange(await to(), ...pieces);

  it.each([
    ['a chunk size that is no number', post('Transfer-Encoding: chunked') + 'xyz\r\nab\r\n0\r\n\r\n'],
    ['a negative chunk size', post('Transfer-Encoding: chunked') + '-1\r\n\r\n0\r\n\r\n'],
    ['a chunk size beyond 64 bits', post('Transfer-Encoding: chunked') + 'fffffffffffffffff\r\nab'],
    ['a chunk longer than its size', post('Transfer-Encoding: chunked') + '1\r\nabcd\r\n0\r\n\r\n'],
    ['a chunk extension with a bare line feed', post('Transfer-Encoding: chunked') + '1;a\nb\r\nx\r\n0\r\n\r\n'],
    ['both framings', post('Content-Length: 4', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['both framings in the other order', post('Transfer-Encoding: chunked', 'Content-Length: 4') + '0\r\n\r\n'],
    ['two lengths', post('Content-Length: 4', 'Content-Length: 4') + 'abcd'],
    ['two lengths that differ', post('Content-Length: 4', 'Content-Length: 5') + 'abcde'],
    ['a length with a sign', post('Content-Length: +4') + 'abcd'],
    ['a length in hexadecimal', post('Content-Length: 0x4') + 'abcd'],
    ['a list of lengths', post('Content-Length: 4, 4') + 'abcd'],
    ['a length beyond 64 bits', post('Content-Length: 99999999999999999999') + 'abcd'],
    ['chunked that is not last', post('Transfer-Encoding: chunked, identity') + '0\r\n\r\n'],
    ['a transfer coding in HTTP/1.0', head('POST /echo HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['a URL as its target that is none', head('GET http://[ HTTP/1.1', 'Host: 127.0.0.1')],
    ['a space before the colon', head('GET / HTTP/1.1', 'Host : 127.0.0.1')],
    ['a space before the colon of a framing header', post('Transfer-Encoding : chunked') + '0\r\n\r\n'],
    ['a folded header', head('GET / HTTP/1.1', 'Host: 127.0.0.1', 'X: a', ' b')],
    ['a folded first header', head('GET / HTTP/1.1', ' Host: 127.0.0.1')],
    ['a NUL in a value', get('/', 'X: a\0b')],
    ['a carriage return in a value', get('/', 'X: a\rb')],
    ['a NUL in a name', get('/', 'X\0Y: a')],
    ['a name with a parenthesis', get('/', 'X(: a')],
    ['a header without a colon', get('/', 'nothing')],
    ['an empty name', get('/', ': a')],
    ['a NUL in the target', head('GET /\0 HTTP/1.1', 'Host: 127.0.0.1')],
    ['no target', head('GET  HTTP/1.1', 'Host: 127.0.0.1')],
    ['no version', 'GET /\r\n\r\n'],
    ['a version that is none', head('GET / HTTP/9.9', 'Host: 127.0.0.1')],
    ['no method', head('/ HTTP/1.1', 'Host: 127.0.0.1')],
    ['a method that is none', head('GOT / HTTP/1.1', 'Host: 127.0.0.1')],
    ['garbage', '\x01\x02\x03\x04garbage\r\n\r\n'],
    ['no Host', head('GET / HTTP/1.1')],
    ['two Hosts', head('GET / HTTP/1.1', 'Host: 127.0.0.1', 'Host: 127.0.0.1', 'Connection: close')],
    ['a Host that is none', head('GET / HTTP/1.1', 'Host: a/b', 'Connection: close')],
    ['an upgrade', get('/', 'Upgrade: websocket', 'Connection: Upgrade')],
  ])('answers 400 to %s, and closes', async (_name, bytes) => {
    // What follows in the same packet is never taken for a request.
    const answer = await send(bytes + get('/smuggled'));
    expect(codes(answer)).toEqual([400]);
  });

  it.each([
    ['431 to headers beyond 256 KB', get('/', `X: ${'x'.repeat(300_000)}`), 431],
    ['413 to endless chunk extensions', post('Transfer-Encoding: chunked') + `1;${'x'.repeat(20_000)}\r\nx`, 413],
    ['405 to CONNECT', head('CONNECT 127.0.0.1:1 HTTP/1.1', 'Host: 127.0.0.1:1'), 405],
    ['501 to an unknown transfer coding', post('Transfer-Encoding: xchunked') + '0\r\n\r\n', 501],
    ['501 to a body in another transfer coding', post('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n', 501],
    ['417 to an unknown expectation', get('/', 'Expect: something', 'Connection: close'), 417],
  ])('answers %s', async (_name, bytes, code) => {
    expect(codes(await send(bytes))).toEqual([code]);
  });

  it('answers CONNECT and closes, whatever the client does then', async () => {
    const connecting = head('CONNECT 127.0.0.1:1 HTTP/1.1', 'Host: 127.0.0.1:1');
    const silent = await to();
    silent.write(connecting);
    const pouring = await to();
    pouring.write(connecting + 'x'.repeat(1_000_000));
    pouring.destroy();
    await transport.untilQuiet();
    silent.destroy();
  });

  it.each(['h2c', 'H2C'])('answers as usual where HTTP/2 is offered instead: %s', async (protocol) => {
    const offer = get('/', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA', 'Connection: Upgrade, HTTP2-Settings');
    const socket = await to();
    const all = readAll(socket);
    socket.write(offer);
    await once(socket, 'data');
    socket.write(last);
    expect(codes(await all)).toEqual([200, 200]);
  });

  it('closes on the preface of HTTP/2', async () => {
    expect(codes(await send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).filter((code) => code < 400)).toEqual([]);
  });

  it('takes headers of 200 KB', async () => {
    expect(codes(await send(get('/', `X: ${'x'.repeat(200_000)}`, 'Connection: close')))).toEqual([200]);
  });

  it('answers pipelined requests in order, and the last before a broken one', async () => {
    expect(codes(await send(get() + post('Content-Length: 2') + 'ab' + head('NONE / HTTP/1.1')))).toEqual([200, 200, 400]);
  });

  it('never writes a refusal into an answer that is half sent', async () => {
    const socket = await to();
    const answer = exchange(socket, get('/watch'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('garbage\r\n\r\n');
    expect(codes(await answer)).toEqual([200]);
  });

  it('takes a request that comes byte by byte', async () => {
    expect(codes(await send(...[...last].map((letter) => Buffer.from(letter))))).toEqual([200]);
  });

  it('answers HTTP/1.0 without a Host by closing', async () => {
    const answer = await send('GET / HTTP/1.0\r\n\r\n');
    expect(codes(answer)).toEqual([transport.listener.url.startsWith('https') ? 200 : 403]);
  });

  it.each([
    ['a head', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['a body', post('Content-Length: 10') + 'ab'],
    ['a chunked body', post('Transfer-Encoding: chunked') + '5\r\nab'],
  ])('answers 408 when the rest of %s does not come', async (_name, bytes) => {
    expect(codes(await send(bytes))).toEqual([408]);
  });

  it('closes a connection that says nothing', async () => {
    expect(codes(await send()).filter((code) => code !== 408)).toEqual([]);
  });

  it('cuts a head that comes too slowly, however long it goes on', async () => {
    const socket = await to();
    const answer = readAll(socket);
    socket.write('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('X: y\r\n'), 20);
    const all = await answer;
    clearInterval(drip);
    expect(codes(all)).toEqual([408]);
  });

  it('ends a body that breaks off', async () => {
    const socket = await to();
    socket.write(post('Content-Length: 10') + 'ab');
    socket.end();
    expect(codes(await readAll(socket)).filter((code) => code !== 400)).toEqual([]);
    await transport.untilQuiet();
  });

  it('ends what runs when its client resets or half-closes the connection', async () => {
    const reset = await to();
    reset.write(get('/watch'));
    await new Promise((resolve) => reset.once('data', resolve));
    reset.destroy();
    const half = await to();
    half.write(get('/watch'));
    await new Promise((resolve) => half.once('data', resolve));
    half.end();
    half.resume();
    await transport.untilQuiet();
  });

  it('delivers a refusal to a client that goes on sending', async () => {
    const socket = await to();
    const answer = readAll(socket);
    socket.write(post('Content-Length: 50000000') + 'x'.repeat(5_000_000));
    expect(codes(await answer)).toEqual([413]);
  });

  it('stays alive whatever bytes of a request are changed', async () => {
    const good = Buffer.from(post('Transfer-Encoding: chunked', 'X-One: 1', 'Connection: close') + '2\r\nab\r\n0\r\n\r\n', 'latin1');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        const socket = await to();
        const answer = readAll(socket);
        socket.end(bytes);
        expect(codes(await answer).every((code) => code === 200 || (code >= 400 && code < 500) || code === 501)).toBe(true);
      }),
      { numRuns: 40 },
    );
    expect(codes(await send(last))).toEqual([200]);
  });
});
