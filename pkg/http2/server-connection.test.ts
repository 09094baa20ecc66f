/** A server connection, frame by frame, over a real socket. test/transport tests real and hostile clients over TLS. */
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import {
  FLAG,
  frame,
  FrameCollector,
  get,
  headerBlock,
  post,
  PREFACE,
  settings,
  TYPE,
  uint32,
  type Frame,
} from '../../test/transport/http2-frames.ts';
import { openSocketPair } from '../../test/support/socket-pair.ts';
import { waitFor } from '../../test/support/wait.ts';
import { ERROR_CODE, FRAME } from './frames.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { LARGE_PAGE_BYTES, FramePagePool } from './page-pool.ts';
import { ServerConnection, type ServerConnectionOptions } from './server-connection.ts';
import type { ServerStream } from './server-stream.ts';

interface Ends {
  readonly connection: ServerConnection;
  readonly streams: ServerStream[];
  readonly client: Socket;
  readonly reader: FrameCollector;
  readonly send: (...frames: readonly Uint8Array[]) => void;
  readonly stream: (id: number) => Promise<ServerStream>;
  readonly pool: FramePagePool;
  readonly isClosed: () => boolean;
}

const OK = [{ name: ':status', value: '200' }];

async function withConnection(
  test: (ends: Ends) => Promise<void>,
  { preface = Buffer.concat([PREFACE, settings()]), ...options }: Partial<ServerConnectionOptions> & { readonly preface?: Buffer } = {},
): Promise<void> {
  const { near: client, far: socket, close } = await openSocketPair({ allowHalfOpen: true });
  client.on('error', () => undefined).setNoDelay(true);
  const streams: ServerStream[] = [];
  const pool = new FramePagePool();
  let closed = false;
  const connection = new ServerConnection(socket, {
    pool,
    maxStreams: 10,
    maxHeaderBytes: 16 * 1024,
    maxHeaderFields: 100,
    streamWindowBytes: 100_000,
    connectionWindowBytes: 400_000,
    onStream: (stream) => streams.push(stream),
    onClosed: () => (closed = true),
    ...options,
  });
  const reader = new FrameCollector(client);
  const send = (...frames: readonly Uint8Array[]) => void client.write(Buffer.concat(frames));
  const stream = async (id: number): Promise<ServerStream> => {
    const find = () => streams.find((each) => each.id === id);
    await waitFor(() => find() !== undefined, { what: `stream ${id}`, everyMs: 1 });
    const found = find();
    if (found === undefined) throw new Error(`no stream ${id}`);
    return found;
  };
  client.write(preface);
  try {
    await test({ connection, streams, client, reader, send, stream, pool, isClosed: () => closed });
  } finally {
    connection.destroy();
    close();
  }
}

const bodyOf = (frames: readonly Frame[]) => Buffer.concat(frames.map(({ payload }) => payload));
const isEnd = ({ flags }: Frame) => (flags & FLAG.endStream) !== 0;
const ended = (reader: FrameCollector, id: number) =>
  waitFor(() => reader.of(TYPE.data, id).some(isEnd), { what: `the end of the answer of ${id}`, everyMs: 1 });
const codeOf = (found: Frame | undefined) => found?.payload.readUInt32BE(found.type === FRAME.goAway ? 4 : 0);

const bodyRead = (stream: ServerStream, maxBytes = Infinity): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const refuse = (why: string) => () => reject(new Error(why));
    stream.read({ maxBytes, onBody: resolve, onTooLarge: refuse('too large'), onAborted: refuse('cut') });
  });

describe('a response', () => {
  it('arrives completely and in order, whatever windows and frame sizes the client allows', async () => {
    const sizes = fc.array(fc.oneof(fc.nat(40), fc.nat(70_000)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(sizes, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 100, 16_384, 65_535, 1_000_000),
        fc.constantFrom(16_384, 100_000),
        (answers, windowBytes, frameBytes) =>
          withConnection(
            async ({ reader, send, stream }) => {
              const wanted = answers.map((pieces, n) => pieces.map((size, m) => Buffer.alloc(size, (n * 31 + m) % 251)));
              for (const [n, pieces] of wanted.entries()) {
                send(get(2 * n + 1));
                const answered = await stream(2 * n + 1);
                answered.respond(OK);
                for (const piece of pieces) answered.write(piece);
                answered.end();
              }
              // A slow client: widens the window in small parts, by what it received.
              const given = new Map<number, number>();
              const isWhole = () => wanted.every((_, n) => reader.of(TYPE.data, 2 * n + 1).some(isEnd));
              await waitFor(
                () => {
                  const data = reader.of(TYPE.data);
                  let all = 0;
                  for (const [n] of wanted.entries()) {
                    const id = 2 * n + 1;
                    const came = bodyOf(data.filter((each) => each.stream === id)).length;
                    const more = came - (given.get(id) ?? 0);
                    given.set(id, came);
                    all += more;
                    // More than was received, so that the smallest window does not take forever.
                    if (more > 0) send(frame(TYPE.window, 0, id, uint32(more * 20)));
                  }
                  if (all > 0) send(frame(TYPE.window, 0, 0, uint32(all)));
                  return isWhole();
                },
                { what: 'the answers', everyMs: 0 },
              );
              for (const [n, pieces] of wanted.entries()) {
                const frames = reader.of(TYPE.data, 2 * n + 1);
                expect(bodyOf(frames).equals(Buffer.concat(pieces))).toBe(true);
                expect(frames.filter(isEnd)).toEqual(frames.slice(-1));
                expect(Math.max(...frames.map(({ payload }) => payload.length))).toBeLessThanOrEqual(frameBytes);
              }
            },
            { preface: Buffer.concat([PREFACE, settings([4, windowBytes], [5, frameBytes])]) },
          ),
      ),
      { numRuns: 15 },
    );
  });

  it('sends no more than the windows of its stream and of the connection', async () => {
    await withConnection(
      async ({ reader, send, stream }) => {
        send(get(1), get(3));
        const [first, second] = [await stream(1), await stream(3)];
        for (const each of [first, second]) {
          each.respond(OK);
          each.write(Buffer.alloc(60_000));
        }
        const came = (id: number) => bodyOf(reader.of(TYPE.data, id)).length;
        const sum = async (bytes: number) => {
          await waitFor(() => came(1) + came(3) >= bytes, { what: `${bytes} bytes`, everyMs: 1 });
          send(frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
          const pings = reader.of(TYPE.ping).length;
          await waitFor(() => reader.of(TYPE.ping).length > pings, { what: 'the answer to a PING', everyMs: 1 });
          expect(came(1) + came(3)).toBe(bytes);
        };
        // The connection window.
        await sum(65_535);
        expect(Math.min(came(1), came(3))).toBeGreaterThan(10_000); // in turn
        // The stream windows.
        send(frame(TYPE.window, 0, 0, uint32(1_000_000)));
        await sum(100_000);
        // A smaller setting makes them negative.
        send(settings([4, 10_000]), frame(TYPE.window, 0, 1, uint32(40_001)));
        await sum(100_001);
        expect([first.queuedBytes + second.queuedBytes, first.windowBytes, second.windowBytes]).toEqual([19_999, 0, -40_000]);
      },
      { preface: Buffer.concat([PREFACE, settings([4, 50_000])]) },
    );
  });

  it('makes its writer wait, and resume', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      send(get(1));
      const answered = await stream(1);
      answered.respond(OK);
      expect(answered.write(Buffer.alloc(65_535))).toBe(true);
      expect(answered.write(Buffer.alloc(60_000))).toBe(true);
      expect(answered.write(Buffer.alloc(60_000))).toBe(false);
      let isDrained = false;
      const drained = answered.drained().then(() => (isDrained = true));
      await waitFor(() => bodyOf(reader.of(TYPE.data, 1)).length === 65_535, { what: 'the first part', everyMs: 1 });
      expect(isDrained).toBe(false);
      send(frame(TYPE.window, 0, 0, uint32(100_000)), frame(TYPE.window, 0, 1, uint32(100_000)));
      await drained;
      expect(answered.queuedBytes).toBeLessThan(32_769);
    });
  });

  it('is not blocked by another whose reader is slow', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      send(frame(TYPE.window, 0, 0, uint32(10_000_000)), get(1), get(3));
      const stuck = await stream(1);
      stuck.respond(OK);
      stuck.write(Buffer.alloc(1_000_000));
      const other = await stream(3);
      other.respond(OK);
      other.end([Buffer.from('hello')]);
      await ended(reader, 3);
      expect(bodyOf(reader.of(TYPE.data, 3)).toString()).toBe('hello');
      stuck.reset(ERROR_CODE.internalError);
      await waitFor(() => reader.of(TYPE.reset, 1).length > 0, { what: 'the reset', everyMs: 1 });
      expect(stuck.queuedBytes).toBe(0);
    });
  });

  it('is queued uncopied while the socket is blocked', async () => {
    await withConnection(
      async ({ client, send, streams, connection }) => {
        client.pause();
        send(frame(TYPE.window, 0, 0, uint32(2 ** 30)), ...Array.from({ length: 10 }, (_, n) => get(2 * n + 1)));
        await waitFor(() => streams.length === 10, { what: 'the requests', everyMs: 1 });
        const piece = Buffer.alloc(1024 * 1024);
        for (const each of streams) {
          each.respond(OK);
          for (let n = 0; n < 20; n++) each.write(piece);
        }
        await waitFor(() => connection.stalledMs(performance.now()) > 200, { what: 'the socket to be full', everyMs: 10 });
        const before = process.memoryUsage().arrayBuffers;
        for (const each of streams) for (let n = 0; n < 20; n++) each.write(piece);
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(LARGE_PAGE_BYTES);
      },
      { preface: Buffer.concat([PREFACE, settings([4, 2 ** 30])]) },
    );
  });

  it('has long headers in several consecutive frames', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      send(get(1));
      const answered = await stream(1);
      answered.respond([...OK, { name: 'warning', value: 'w'.repeat(40_000), once: true }], true);
      const ofHead = () => reader.frames.filter(({ type }) => type === TYPE.headers || type === TYPE.continuation);
      await waitFor(() => ofHead().some(({ flags }) => (flags & FLAG.endHeaders) !== 0), { what: 'the head', everyMs: 1 });
      expect(ofHead().map(({ type, flags }) => [type, flags])).toEqual([
        [TYPE.headers, FLAG.endStream],
        [TYPE.continuation, 0],
        [TYPE.continuation, FLAG.endHeaders],
      ]);
    });
  });

  it('that is complete before its request accepts the rest for a while, and then resets the stream', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      send(post(1), post(3));
      for (const id of [1, 3]) {
        const answered = await stream(id);
        answered.respond(OK);
        answered.end([Buffer.from('no')]);
      }
      await ended(reader, 3);
      send(frame(TYPE.data, FLAG.endStream, 1, Buffer.from('all of it')));
      await waitFor(() => reader.of(TYPE.reset, 3).length === 1, { what: 'the reset', everyMs: 1 });
      expect([codeOf(reader.of(TYPE.reset, 3)[0]), reader.of(TYPE.reset, 1)]).toEqual([ERROR_CODE.noError, []]);
    });
  });
});

describe('a request', () => {
  it('receives its body in any frames, with padding, and beyond its window once it is read', async () => {
    await withConnection(async ({ send, stream, reader, client }) => {
      send(post(1, '/', ['content-length', '300000']));
      const asked = await stream(1);
      const body = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
      const read = bodyRead(asked);
      let allowed = 100_000;
      let updates = 0;
      for (let at = 0; at < body.length;) {
        const padding = at % 7;
        const count = Math.min(10_000, body.length - at);
        const padded = Buffer.concat([Buffer.from([padding]), body.subarray(at, at + count), Buffer.alloc(padding)]);
        if (allowed < padded.length) {
          await waitFor(() => reader.of(TYPE.window, 1).length > updates, { what: 'more window', everyMs: 1 });
          for (const { payload } of reader.of(TYPE.window, 1).slice(updates)) allowed += payload.readUInt32BE(0);
          updates = reader.of(TYPE.window, 1).length;
        }
        allowed -= padded.length;
        at += count;
        client.write(frame(TYPE.data, FLAG.padded | (at === body.length ? FLAG.endStream : 0), 1, padded));
      }
      expect((await read).equals(body)).toBe(true);
    });
  });

  it('receives its body from frames of one byte', async () => {
    await withConnection(async ({ send, stream }) => {
      send(post(1));
      const asked = await stream(1);
      const one = Buffer.concat(Array.from({ length: 10_000 }, (_, n) => frame(TYPE.data, 0, 1, Buffer.from([n % 251]))));
      for (let n = 0; n < 9; n++) send(one);
      send(frame(TYPE.data, FLAG.endStream, 1));
      const body = await bodyRead(asked);
      expect(body.equals(Buffer.from(Array.from({ length: 90_000 }, (_, n) => (n % 10_000) % 251)))).toBe(true);
    });
  });

  it('with a body that is too large fails before its end', async () => {
    await withConnection(async ({ send, stream }) => {
      send(post(1), frame(TYPE.data, 0, 1, Buffer.alloc(1000)));
      const asked = await stream(1);
      const read = bodyRead(asked, 1000);
      send(frame(TYPE.data, 0, 1, Buffer.alloc(1)));
      await expect(read).rejects.toThrow('too large');
      expect(asked.closed).toBe(false);
    });
  });

  it('may send only its window before it is read', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      const piece = frame(TYPE.data, 0, 1, Buffer.alloc(10_000));
      send(post(1), ...Array.from({ length: 10 }, () => piece));
      const asked = await stream(1);
      send(frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
      await waitFor(() => reader.of(TYPE.ping).length === 1, { what: 'the answer to a PING', everyMs: 1 });
      expect([asked.closed, reader.of(TYPE.window, 1)]).toEqual([false, []]);
      send(frame(TYPE.data, 0, 1, Buffer.alloc(1)));
      await waitFor(() => asked.closed, { what: 'the refusal', everyMs: 1 });
      await waitFor(() => reader.of(TYPE.reset, 1).length === 1, { what: 'the reset', everyMs: 1 });
      expect(codeOf(reader.of(TYPE.reset, 1)[0])).toBe(ERROR_CODE.flowControlError);
    });
  });

  it('with an unread body does not block the connection', async () => {
    await withConnection(async ({ send, stream, reader }) => {
      for (let id = 1; id < 41; id += 2) {
        send(
          post(id),
          ...Array.from({ length: 5 }, () => frame(TYPE.data, 0, id, Buffer.alloc(16_000))),
          frame(TYPE.reset, 0, id, uint32(8)),
        );
        await stream(id);
      }
      send(get(41));
      const asked = await stream(41);
      asked.respond(OK);
      asked.end([Buffer.from('hello')]);
      await ended(reader, 41);
      const given = reader.of(TYPE.window, 0).reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 65_535);
      // 1.6 MB were received.
      expect(given).toBeGreaterThan(1_600_000);
      expect(given).toBeLessThan(1_600_000 + 400_001);
    });
  });

  it('is closed when its client resets it or disconnects', async () => {
    await withConnection(async ({ send, stream, client }) => {
      send(post(1), post(3));
      const [first, second] = [await stream(1), await stream(3)];
      const read = bodyRead(first);
      send(frame(TYPE.reset, 0, 1, uint32(8)));
      await expect(read).rejects.toThrow('cut');
      expect([first.closed, second.closed]).toEqual([true, false]);
      const other = bodyRead(second);
      client.destroy();
      await expect(other).rejects.toThrow('cut');
      expect(first.write(Buffer.alloc(1))).toBe(false);
      await first.drained();
    });
  });

  it('with too many header fields gets 431, and the next is served', async () => {
    await withConnection(async ({ send, stream, streams, reader }) => {
      const many = Array.from({ length: 150 }, (_, n) => [`x${n}`, 'y'] as const);
      send(get(1, '/', ...many), post(3, '/', ['x', 'y'.repeat(16_300)]), get(5));
      await stream(5);
      await waitFor(() => reader.of(TYPE.reset, 3).length === 1, { what: 'the second answer', everyMs: 1 });
      expect(streams).toHaveLength(1);
      const decoder = new HpackDecoder();
      const heads = reader.of(TYPE.headers).map(({ flags, payload }) => [flags, decoder.decode(payload, 0, payload.length)]);
      const refused = [FLAG.endHeaders | FLAG.endStream, [{ name: ':status', value: '431' }]];
      expect(heads).toMatchObject([refused, refused]);
    });
  });

  it('whose bytes each stand for 4 KB is not decoded for long', async () => {
    await withConnection(
      async ({ send, reader, streams }) => {
        const big = Buffer.concat([Buffer.from([0x40, 1, 0x61, 0x7f, 0xff, 0x1d]), Buffer.alloc(3966, 'v')]);
        const block = (fields: number) => Buffer.concat([headerBlock([[':method', 'GET']]), big, Buffer.alloc(fields, 0xbe)]);
        send(frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, 1, block(40)));
        await waitFor(() => reader.of(TYPE.headers).length === 1, { what: 'the answer', everyMs: 1 });
        send(frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, 3, block(12_000)));
        await reader.closed;
        expect([streams, reader.of(TYPE.goaway).map(codeOf)]).toEqual([[], [ERROR_CODE.enhanceYourCalm]]);
      },
      { maxHeaderFields: 1_000_000, maxHeaderBytes: 100_000 },
    );
  });

  it('that its client resets in the same chunk is not served', async () => {
    await withConnection(async ({ send, streams, stream }) => {
      send(get(1), frame(TYPE.reset, 0, 1, uint32(8)), get(3), get(5), frame(TYPE.window, 0, 5, uint32(0)), get(7));
      await stream(7);
      expect(streams.map(({ id }) => id)).toEqual([3, 7]);
    });
  });

  it('beyond the stream limit is refused, so that the client retries it', async () => {
    await withConnection(async ({ send, streams, reader }) => {
      send(...Array.from({ length: 11 }, (_, n) => get(2 * n + 1)));
      await waitFor(() => reader.of(TYPE.reset, 21).length === 1, { what: 'the refusal', everyMs: 1 });
      expect([codeOf(reader.of(TYPE.reset, 21)[0]), streams.length]).toEqual([ERROR_CODE.refusedStream, 10]);
    });
  });
});

describe('a connection', () => {
  it('that is drained serves requests on their way, and ends after the last response', async () => {
    await withConnection(async ({ connection, send, stream, reader, isClosed }) => {
      send(get(1));
      const first = await stream(1);
      connection.drain();
      await waitFor(() => reader.of(TYPE.goaway).length === 1 && reader.of(TYPE.ping).length === 1, { what: 'the GOAWAY', everyMs: 1 });
      expect(reader.of(TYPE.goaway)[0]?.payload.readUInt32BE(0)).toBe(2 ** 31 - 1);
      // Sent before the client received the GOAWAY.
      send(get(3), frame(TYPE.ping, FLAG.ack, 0, reader.of(TYPE.ping)[0]?.payload), get(5));
      const second = await stream(3);
      await waitFor(() => reader.of(TYPE.goaway).length === 2, { what: 'the second GOAWAY', everyMs: 1 });
      expect(reader.of(TYPE.goaway)[1]?.payload.readUInt32BE(0)).toBe(3);
      for (const each of [first, second]) {
        expect(isClosed()).toBe(false);
        each.respond(OK);
        each.end([Buffer.from('hello')]);
      }
      await reader.closed;
      await waitFor(isClosed, { what: 'the end of the connection', everyMs: 1 });
      expect([reader.of(TYPE.data).filter(isEnd).length, reader.of(TYPE.headers, 5)]).toEqual([2, []]);
    });
  });

  it('that is drained ignores streams opened after the GOAWAY arrived', async () => {
    await withConnection(async ({ connection, send, stream, streams, reader }) => {
      send(get(1));
      const first = await stream(1);
      connection.drain();
      await waitFor(() => reader.of(TYPE.ping).length === 1, { what: 'the GOAWAY', everyMs: 1 });
      send(frame(TYPE.ping, FLAG.ack, 0, reader.of(TYPE.ping)[0]?.payload), post(3), frame(TYPE.data, 0, 3, Buffer.from('x')));
      send(frame(TYPE.window, 0, 3, uint32(1)), frame(TYPE.reset, 0, 3, uint32(8)), frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
      await waitFor(() => reader.of(TYPE.ping).length === 2, { what: 'the answer to a PING', everyMs: 1 });
      expect([first.closed, streams.length]).toEqual([false, 1]);
      first.respond(OK);
      first.end([Buffer.from('hello')]);
      await reader.closed;
      expect([reader.of(TYPE.data, 1).filter(isEnd).length, reader.of(TYPE.goaway).map(codeOf)]).toEqual([1, [0, 0]]);
    });
  });

  it('that is drained completes the last response, however slowly it is read and whatever the client sends', async () => {
    await withConnection(
      async ({ connection, client, send, stream, reader }) => {
        send(frame(TYPE.window, 0, 0, uint32(2 ** 30)), get(1));
        const answered = await stream(1);
        answered.respond(OK);
        client.pause();
        answered.end([Buffer.alloc(300_000, 'x')]);
        await waitFor(() => answered.closed || connection.stalledMs(performance.now()) > 50, { what: 'the answer to be sent', everyMs: 1 });
        connection.drain();
        connection.drain();
        const saying = setInterval(() => send(frame(TYPE.window, 0, 0, uint32(1))), 5);
        await waitFor(() => connection.endedMs(performance.now()) > 700, { what: 'time to pass', everyMs: 10 });
        client.resume();
        await waitFor(() => bodyOf(reader.of(TYPE.data, 1)).length === 300_000, { what: 'the answer', everyMs: 1 });
        clearInterval(saying);
        await reader.closed;
        expect(reader.of(TYPE.data, 1).some(isEnd)).toBe(true);
      },
      { preface: Buffer.concat([PREFACE, settings([4, 2 ** 30])]) },
    );
  });

  it.each([
    ['far too many header fields', frame(TYPE.headers, FLAG.endHeaders, 1, Buffer.alloc(4000, 0xbe).fill(0x82))],
    ['more settings than there are', settings(...Array.from({ length: 33 }, () => [4, 1] as const))],
  ])('ends on %s', async (_, bytes) => {
    await withConnection(async ({ send, reader }) => {
      send(bytes);
      await reader.closed;
      expect(reader.of(TYPE.goaway).map(codeOf)).toEqual([ERROR_CODE.enhanceYourCalm]);
    });
  });

  it.each([
    ['resets', 990, (id: number) => [get(id), frame(TYPE.reset, 0, id, uint32(8))]],
    ['resets that it provokes', 19, (id: number) => [get(id), frame(TYPE.window, 0, id, uint32(0))]],
    ['requests with too many header fields', 9, (id: number) => [get(id, '/', ...Array.from({ length: 150 }, () => ['x', 'y'] as const))]],
  ])('ends when its client has spent its budget on %s, and not before', async (_, count, framesOf) => {
    await withConnection(
      async ({ send, reader }) => {
        for (let n = 0; n < count; n++) send(...framesOf(2 * n + 1));
        send(frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
        await waitFor(() => reader.of(TYPE.ping).length === 1, { what: 'the answer to a PING', everyMs: 1 });
        expect(reader.of(TYPE.goaway).length).toBe(0);
        for (let n = 0; n < 40; n++) send(...framesOf(2 * (count + n) + 1));
        await reader.closed;
        expect(reader.of(TYPE.goaway).map(codeOf)).toEqual([ERROR_CODE.enhanceYourCalm]);
      },
      { maxStreams: 2000 },
    );
  });

  it('gives its memory back when there is nothing to send', async () => {
    await withConnection(async ({ pool, send, stream, reader }) => {
      const taken = new Set<unknown>();
      for (let id = 1; id < 100; id += 2) {
        send(get(id));
        const answered = await stream(id);
        answered.respond(OK);
        answered.end([Buffer.alloc(1000)]);
        await ended(reader, id);
        send(frame(TYPE.window, 0, 0, uint32(1000)));
        const page = pool.take(1);
        taken.add(page);
        pool.release(page);
      }
      expect(taken.size).toBe(1);
    });
  });
});
