/**
 * Broken and hostile HTTP/2, frame by frame: the right answer or a clean close, bounded work, and nothing is left open.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { waitFor } from '../support/wait.ts';
import { FLAG, frame, FrameCollector, get, headerBlock, post, PREFACE, requestHeaders, settings, TYPE, uint32 } from './http2-frames.ts';
import { dialTls, openSecure, SHORT } from './transport.ts';
import type { Transport } from './transport.ts';

const ENDED = FLAG.endStream | FLAG.endHeaders;

let transport: Transport;
beforeAll(async () => {
  transport = await openSecure({ limits: SHORT });
});
afterAll(async () => {
  await transport.untilQuiet();
  await transport.listener.stop(0);
});

interface Session {
  readonly socket: TLSSocket;
  readonly reader: FrameCollector;
  readonly write: (...frames: readonly Uint8Array[]) => void;
}

async function dial(preface: Uint8Array = Buffer.concat([PREFACE, settings()])): Promise<Session> {
  const socket = await dialTls(transport.port, { ALPNProtocols: ['h2'] });
  const reader = new FrameCollector(socket);
  socket.write(preface);
  return { socket, reader, write: (...frames) => socket.write(Buffer.concat(frames)) };
}

const answered = ({ reader }: Session, stream: number) =>
  waitFor(
    () =>
      reader.frames.some(
        ({ type, flags, stream: of }) =>
          of === stream && (type === TYPE.reset || ((type === TYPE.data || type === TYPE.headers) && (flags & FLAG.endStream) !== 0)),
      ),
    {
      what: () => `stream ${stream} to end: ${JSON.stringify(reader.frames.map(({ type, stream: of, flags }) => [type, of, flags]))}`,
      timeoutMs: 4000,
    },
  );

/** A next client is served as ever. */
async function stillServes(): Promise<void> {
  const session = await dial();
  session.write(get(1));
  await answered(session, 1);
  expect(
    session.reader
      .of(TYPE.data, 1)
      .map(({ payload }) => payload.toString())
      .join(''),
  ).toBe('hello');
  session.socket.destroy();
}

describe('HTTP/2', () => {
  it.each([
    ['a broken preface', Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')],
    ['HTTP/1.1 instead of the preface', Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')],
    ['garbage instead of the preface', Buffer.from('\x00\x01garbage that is long enough to be read')],
    ['no SETTINGS after the preface', Buffer.concat([PREFACE, get(1)])],
    ['no preface', settings()],
  ])('closes on %s', async (_name, preface) => {
    const { reader } = await dial(preface);
    await reader.closed;
    expect(reader.of(TYPE.headers)).toEqual([]);
    await stillServes();
  });

  it('closes a connection that says nothing, and one that stops in its preface', async () => {
    const silent = await dial(Buffer.alloc(0));
    const half = await dial(PREFACE.subarray(0, 10));
    await Promise.all([silent.reader.closed, half.reader.closed]);
  });

  it.each([
    ['a frame larger than agreed', frame(TYPE.data, 0, 1, Buffer.alloc(20_000))],
    ['headers on stream 0', frame(TYPE.headers, ENDED, 0, requestHeaders('GET', '/'))],
    ['headers on an even stream', get(2)],
    ['data on stream 0', frame(TYPE.data, 0, 0, Buffer.from('x'))],
    ['data on a stream that was never opened', frame(TYPE.data, 0, 7, Buffer.from('x'))],
    ['a continuation without headers', frame(TYPE.continuation, FLAG.endHeaders, 1, requestHeaders('GET', '/'))],
    [
      'another frame between headers and continuation',
      Buffer.concat([frame(TYPE.headers, FLAG.endStream, 1, requestHeaders('GET', '/')), frame(TYPE.ping, 0, 0, Buffer.alloc(8))]),
    ],
    ['a header block that cannot be decoded', frame(TYPE.headers, ENDED, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]))],
    [
      'a table size beyond what was agreed',
      frame(TYPE.headers, ENDED, 1, Buffer.concat([Buffer.from([0x3f, 0xe1, 0xff, 0xff, 0x7f]), requestHeaders('GET', '/')])),
    ],
    ['padding longer than the frame', frame(TYPE.data, FLAG.padded, 1, Buffer.from([200, 1, 2]))],
    ['SETTINGS on a stream', frame(TYPE.settings, 0, 1)],
    ['SETTINGS of a length that is no multiple of 6', frame(TYPE.settings, 0, 0, Buffer.alloc(5))],
    ['SETTINGS with a window beyond 2^31-1', settings([4, 0x80000000])],
    ['SETTINGS with a frame size that is too small', settings([5, 100])],
    ['a PING of 7 bytes', frame(TYPE.ping, 0, 0, Buffer.alloc(7))],
    ['a PING on a stream', frame(TYPE.ping, 0, 1, Buffer.alloc(8))],
    ['a window update of 0 for the connection', frame(TYPE.window, 0, 0, uint32(0))],
    ['a window beyond 2^31-1', Buffer.concat([frame(TYPE.window, 0, 0, uint32(0x7fffffff)), frame(TYPE.window, 0, 0, uint32(0x7fffffff))])],
    ['a push from a client', frame(TYPE.push, FLAG.endHeaders, 1, Buffer.concat([uint32(2), requestHeaders('GET', '/')]))],
    ['a reset of a stream that was never opened', frame(TYPE.reset, 0, 9, uint32(8))],
  ])('ends the connection with GOAWAY on %s', async (_name, bytes) => {
    const { reader, write } = await dial();
    write(bytes);
    await reader.closed;
    const [goaway] = reader.of(TYPE.goaway).slice(-1);
    expect(goaway?.payload.readUInt32BE(4)).not.toBe(0);
    await stillServes();
  });

  it.each([
    ['an upper-case name', [['X-Upper', 'a']]],
    ['a control character in a value', [['x-bad', 'a\0b']]],
    ['a line feed in a value', [['x-bad', 'a\nb']]],
    [
      'two lengths',
      [
        ['content-length', '0'],
        ['content-length', '1'],
      ],
    ],
    ['a length that is no number', [['content-length', '+1']]],
    ['a name that is none', [['a b', 'c']]],
    ['TE of anything but trailers', [['te', 'gzip']]],
    ['a connection header', [['connection', 'close']]],
    ['a transfer coding', [['transfer-encoding', 'chunked']]],
    ['an unknown pseudo-header', [[':unknown', 'a']]],
    ['a second path', [[':path', '/b']]],
    [
      'a pseudo-header behind others',
      [
        ['x', 'a'],
        [':authority', 'b'],
      ],
    ],
  ] as const)('resets a stream with %s, and serves the next', async (_name, more) => {
    const session = await dial();
    const before = transport.seen();
    session.write(get(1, '/', ...more), get(3));
    await answered(session, 1);
    await answered(session, 3);
    expect([session.reader.of(TYPE.reset, 1).length, session.reader.of(TYPE.headers, 1).length, transport.seen() - before]).toEqual([
      1, 0, 1,
    ]);
    session.socket.destroy();
  });

  it.each([
    [
      'no method',
      headerBlock([
        [':scheme', 'https'],
        [':path', '/'],
      ]),
    ],
    [
      'no path',
      headerBlock([
        [':method', 'GET'],
        [':scheme', 'https'],
      ]),
    ],
    [
      'an empty path',
      headerBlock([
        [':method', 'GET'],
        [':scheme', 'https'],
        [':path', ''],
      ]),
    ],
  ])('resets a stream with %s', async (_name, block) => {
    const session = await dial();
    session.write(frame(TYPE.headers, ENDED, 1, block));
    await answered(session, 1);
    expect(session.reader.of(TYPE.headers, 1)).toEqual([]);
    session.socket.destroy();
  });

  it.each([
    ['more than its length', '2', 'abcd'],
    ['less than its length', '9', 'abcd'],
  ])('resets a stream whose body is %s', async (_name, length, body) => {
    const session = await dial();
    session.write(post(1, '/echo', ['content-length', length]), frame(TYPE.data, FLAG.endStream, 1, Buffer.from(body)));
    await waitFor(() => session.reader.of(TYPE.reset, 1).length + session.reader.of(TYPE.goaway).length > 0, { what: 'the refusal' });
    expect(session.reader.of(TYPE.headers, 1)).toEqual([]);
    session.socket.destroy();
    await transport.untilQuiet();
  });

  it('takes no headers on a stream before the last', async () => {
    const session = await dial();
    const before = transport.seen();
    session.write(get(5), get(3), get(7));
    await session.reader.closed;
    expect(transport.seen() - before).toBeLessThanOrEqual(2);
    expect(session.reader.of(TYPE.headers, 3)).toEqual([]);
  });

  it('refuses CONNECT', async () => {
    const session = await dial();
    session.write(
      frame(
        TYPE.headers,
        FLAG.endHeaders,
        1,
        headerBlock([
          [':method', 'CONNECT'],
          [':authority', 'x:1'],
        ]),
      ),
    );
    await answered(session, 1);
    expect(session.reader.of(TYPE.headers, 1)).toHaveLength(1);
    session.socket.destroy();
  });

  it('ignores trailers and frames of unknown types', async () => {
    const session = await dial();
    session.write(
      post(1),
      frame(0xee, 0xff, 1, Buffer.from('x')),
      frame(TYPE.data, 0, 1, Buffer.from('ab')),
      frame(TYPE.headers, ENDED, 1, headerBlock([['x-trailer', 'a']])),
    );
    await answered(session, 1);
    expect(Buffer.concat(session.reader.of(TYPE.data, 1).map(({ payload }) => payload)).toString()).toBe('ab');
    session.socket.destroy();
  });

  it('answers a body that is refused early, and then resets without an error', async () => {
    const session = await dial();
    session.write(post(1, '/echo', ['content-length', '99999999']), frame(TYPE.data, 0, 1, Buffer.alloc(1000)));
    await waitFor(() => session.reader.of(TYPE.reset, 1).length === 1, { what: 'the reset' });
    expect(session.reader.of(TYPE.headers, 1)).toHaveLength(1);
    expect(session.reader.of(TYPE.data, 1).some(({ flags }) => (flags & FLAG.endStream) !== 0)).toBe(true);
    expect(session.reader.of(TYPE.reset, 1)[0]?.payload.readUInt32BE(0)).toBe(0);
    session.socket.destroy();
  });

  it('refuses streams beyond 250', async () => {
    const session = await dial();
    session.write(...Array.from({ length: 260 }, (_, i) => get(1 + 2 * i, '/watch')));
    await waitFor(() => session.reader.of(TYPE.reset).length === 10 || session.reader.isClosed, { what: 'the refusals' });
    expect(transport.running()).toBeLessThanOrEqual(250);
    session.socket.destroy();
    await transport.untilQuiet();
  });

  describe('floods', () => {
    it('of resets end the connection after a bounded number of requests', async () => {
      const session = await dial();
      const before = transport.seen();
      for (let i = 0; i < 5000; i++) session.write(get(1 + 2 * i, '/slow'), frame(TYPE.reset, 0, 1 + 2 * i, uint32(8)));
      await session.reader.closed;
      expect(transport.seen() - before).toBeLessThan(1200);
      await transport.untilQuiet();
      await stillServes();
    });

    it('of CONTINUATION end the connection', async () => {
      const session = await dial();
      const before = transport.seen();
      session.write(frame(TYPE.headers, FLAG.endStream, 1, requestHeaders('GET', '/')));
      for (let i = 0; i < 2000; i++) session.write(frame(TYPE.continuation, 0, 1, headerBlock([[`x${i}`, 'y'.repeat(100)]])));
      await session.reader.closed;
      expect(transport.seen()).toBe(before);
      await stillServes();
    });

    it.each([
      ['PING', frame(TYPE.ping, 0, 0, Buffer.alloc(8))],
      ['SETTINGS', settings([4, 1000])],
      ['empty DATA', frame(TYPE.data, 0, 1)],
    ])('of %s end the connection', async (_name, bytes) => {
      const session = await dial();
      session.write(post(1));
      const flood = Buffer.concat(Array.from({ length: 1000 }, () => bytes));
      const pouring = setInterval(() => session.write(flood), 2);
      await session.reader.closed;
      clearInterval(pouring);
      await stillServes();
    });

    it('of headers beyond the limit are refused', async () => {
      const session = await dial();
      const before = transport.seen();
      const block = requestHeaders('GET', '/', ...Array.from({ length: 400 }, (_, i) => [`x${i}`, 'y'] as const));
      session.write(
        frame(TYPE.headers, FLAG.endStream, 1, block.subarray(0, 1000)),
        frame(TYPE.continuation, FLAG.endHeaders, 1, block.subarray(1000)),
      );
      await answered(session, 1);
      expect(transport.seen()).toBe(before);
      session.socket.destroy();
    });
  });

  it('takes headers of 100 KB', async () => {
    const session = await dial();
    const block = requestHeaders('GET', '/', ...['a', 'b', 'c', 'd'].map((name) => [name, 'y'.repeat(25_000)] as const));
    const pieces = Array.from({ length: 7 }, (_, i) => block.subarray(i * 16_000, (i + 1) * 16_000));
    session.write(
      ...pieces.map((piece, i) =>
        frame(i === 0 ? TYPE.headers : TYPE.continuation, (i === 0 ? FLAG.endStream : 0) | (i === 6 ? FLAG.endHeaders : 0), 1, piece),
      ),
    );
    await answered(session, 1);
    expect(session.reader.of(TYPE.headers, 1)).toHaveLength(1);
    session.socket.destroy();
  });

  it('cuts an answer for which the client opens no window', async () => {
    const session = await dial(Buffer.concat([PREFACE, settings([4, 0])]));
    session.write(get(1), get(3, '/large'));
    await answered(session, 1);
    await answered(session, 3);
    expect(session.reader.of(TYPE.data)).toEqual([]);
    session.socket.destroy();
  });

  it('cuts a connection whose peer takes no bytes at all', async () => {
    const session = await dial(Buffer.concat([PREFACE, settings([4, 0x7fffffff]), frame(TYPE.window, 0, 0, uint32(0x7f000000))]));
    session.socket.pause();
    session.write(get(1, '/large'), get(3, '/large'));
    await waitFor(() => transport.seen() > 0, { what: 'the requests' });
    await transport.untilQuiet();
    session.socket.destroy();
  });

  it('forgets an idle connection whose peer never closes its half', async () => {
    const socket = await dialTls(transport.port, { ALPNProtocols: ['h2'], allowHalfOpen: true });
    socket.write(Buffer.concat([PREFACE, settings(), get(1)]));
    socket.resume();
    await waitFor(async () => (await transport.listener.connections()).http2Connections === 1, { what: 'the connection' });
    await transport.untilQuiet();
    socket.destroy();
  });

  it('gives up a body that stops half-way', async () => {
    const session = await dial();
    session.write(post(1), frame(TYPE.data, 0, 1, Buffer.from('ab')));
    await answered(session, 1);
    expect(session.reader.of(TYPE.headers, 1)).toHaveLength(1);
    session.socket.destroy();
  });

  it('ends what runs when a stream is reset', async () => {
    const session = await dial();
    session.write(get(1, '/watch'), get(3, '/slow'));
    await waitFor(() => transport.running() === 2, { what: 'the requests' });
    session.write(frame(TYPE.reset, 0, 1, uint32(8)), frame(TYPE.reset, 0, 3, uint32(8)));
    await waitFor(() => transport.running() === 0, { what: 'the requests to end' });
    session.socket.destroy();
  });

  it('stays alive whatever bytes are changed', async () => {
    const good = Buffer.concat([PREFACE, settings([4, 100_000]), post(1), frame(TYPE.data, FLAG.endStream, 1, Buffer.from('ab')), get(3)]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        const { socket, reader } = await dial(bytes);
        socket.end();
        await reader.closed;
      }),
      { numRuns: 40 },
    );
    await transport.untilQuiet();
    await stillServes();
  });
});
