/** What a client may send on HTTP/2, good and bad, frame by frame (RFC 9113, RFC 7541). */
import { FLAG, frame, get, headerBlock, post, PREFACE, requestHeaders, settings, TYPE, uint32 } from './http2-frames.ts';

export interface Http2Case {
  readonly name: string;
  /** Sent after the preface and SETTINGS. */
  readonly frames: readonly Uint8Array[];
  /** Instead of the preface and SETTINGS. */
  readonly opening?: Uint8Array;
}

const ENDED = FLAG.endStream | FLAG.endHeaders;
type Fields = readonly (readonly [string, string])[];

const request = (fields: Fields, flags: number = ENDED, stream = 1) => frame(TYPE.headers, flags, stream, headerBlock(fields));
const GET: Fields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', '127.0.0.1'],
  [':path', '/seen'],
];
const without = (name: string): Fields => GET.filter(([each]) => each !== name);
const having = (name: string, value: string): Fields => GET.map(([each, before]) => [each, each === name ? value : before]);
const data = (stream: number, text: string, flags = 0) => frame(TYPE.data, flags, stream, Buffer.from(text));
const echo = (text: string, ...more: Fields) => [post(1, '/echo', ...more), data(1, text, FLAG.endStream)];
const one = (name: string, ...frames: readonly Uint8Array[]): Http2Case => ({ name, frames });
const field = (name: string, ...more: Fields): Http2Case => one(name, request([...GET, ...more]));

const requests: readonly Http2Case[] = [
  one('GET', get(1)),
  one('a query', request(having(':path', '/seen?a=b&c'))),
  one('a path in percent-encoding', request(having(':path', '/seen%20/..//a'))),
  one('an absolute path', request(having(':path', 'https://127.0.0.1/seen'))),
  one('a path that is no path', request(having(':path', 'seen'))),
  one('an empty path', request(having(':path', ''))),
  one('a path with a space', request(having(':path', '/se en'))),
  one('a path with a fragment', request(having(':path', '/seen#a'))),
  one('a path beyond ASCII', request(having(':path', '/seen\u00e9'))),
  one('OPTIONS *', request([[':method', 'OPTIONS'], [':path', '*'], ...GET.slice(1, 3)])),
  one('GET *', request(having(':path', '*'))),
  one(
    'CONNECT',
    request([
      [':method', 'CONNECT'],
      [':authority', '127.0.0.1:1'],
    ]),
  ),
  one('CONNECT with a path', request(having(':method', 'CONNECT'))),
  one('extended CONNECT', request([...having(':method', 'CONNECT'), [':protocol', 'websocket']])),
  one('an unknown method', request(having(':method', 'BREW'))),
  one('a method in lower case', request(having(':method', 'get'))),
  one('a method with a space', request(having(':method', 'GE T'))),
  one('an empty method', request(having(':method', ''))),
  one('HEAD', request(having(':method', 'HEAD'))),
  one('http as scheme', request(having(':scheme', 'http'))),
  one('an unknown scheme', request(having(':scheme', 'gopher'))),
  one('an empty scheme', request(having(':scheme', ''))),
  one('no method', request(without(':method'))),
  one('no scheme', request(without(':scheme'))),
  one('no path', request(without(':path'))),
  one('no authority and no host', request(without(':authority'))),
  one('host in place of the authority', request([...without(':authority'), ['host', 'example.com']])),
  one('an empty authority', request(having(':authority', ''))),
  one('an authority with user information', request(having(':authority', 'user@127.0.0.1'))),
  one('an authority with a space', request(having(':authority', '127.0.0.1 x'))),
  one('no fields at all', request([])),
  field('a host beside the authority', ['host', '127.0.0.1']),
  field('another host than the authority', ['host', 'example.com']),
  field('two hosts', ['host', 'a'], ['host', 'b']),
  field('the method twice', [':method', 'GET']),
  one('the path twice', request([...GET.slice(0, 3), [':path', '/seen'], [':path', '/seen']])),
  one('a pseudo-header field behind others', request([['accept', '*/*'], ...GET])),
  field('an unknown pseudo-header field', [':other', 'x']),
  field('a response pseudo-header field', [':status', '200']),
  field('a name in capitals', ['Accept', '*/*']),
  field('an empty name', ['', 'x']),
  field('a name with a space', ['a b', 'x']),
  field('a name with a colon', ['a:b', 'x']),
  field('a name beyond ASCII', ['\u00e9', 'x']),
  field('an empty value', ['x', '']),
  field('a value with spaces around', ['x', '  y\t']),
  field('a value with a tab', ['x', 'a\tb']),
  field('a value beyond ASCII', ['x', '\u00e9']),
  field('a value with a line break', ['x', 'a\r\nb']),
  field('a value with NUL', ['x', 'a\0b']),
  field('a value with a control character', ['x', 'a\x01b']),
  field('a value with DEL', ['x', 'a\x7fb']),
  field('connection', ['connection', 'close']),
  field('keep-alive', ['keep-alive', '1']),
  field('proxy-connection', ['proxy-connection', 'keep-alive']),
  field('transfer-encoding', ['transfer-encoding', 'chunked']),
  field('upgrade', ['upgrade', 'websocket']),
  field('te: trailers', ['te', 'trailers']),
  field('te: gzip', ['te', 'gzip']),
  field('the same name twice', ['accept', 'a'], ['accept', 'b']),
  field('the same single-valued name twice', ['content-type', 'a'], ['content-type', 'b']),
  field('authorization twice', ['authorization', 'Bearer a'], ['authorization', 'Bearer b']),
  field('cookies', ['cookie', 'a=1'], ['cookie', 'b=2']),
  field('__proto__', ['__proto__', 'x'], ['constructor', 'y']),
  field('expect: 100-continue without a body', ['expect', '100-continue']),
  field('another expectation', ['expect', 'coffee']),
  field('256 fields', ...Array.from({ length: 252 }, (_, n) => [`x${n}`, 'y'] as const)),
  field('300 fields', ...Array.from({ length: 300 }, (_, n) => [`x${n}`, 'y'] as const)),
];

const bodies: readonly Http2Case[] = [
  one('a body', ...echo('hello')),
  one('a body in several frames', post(1), data(1, 'he'), data(1, ''), data(1, 'llo', FLAG.endStream)),
  one('a body with its length', ...echo('hello', ['content-length', '5'])),
  one('a body that is shorter than its length', ...echo('hell', ['content-length', '5'])),
  one('a body that is longer than its length', ...echo('hello!', ['content-length', '5'])),
  field('a length without a body', ['content-length', '5']),
  field('a length of 0 without a body', ['content-length', '0']),
  one('the same length twice', ...echo('hello', ['content-length', '5'], ['content-length', '5'])),
  one('two lengths', ...echo('hello', ['content-length', '5'], ['content-length', '6'])),
  one('a length that is no number', ...echo('hello', ['content-length', 'five'])),
  one('a negative length', ...echo('hello', ['content-length', '-5'])),
  one('a length with a sign', ...echo('hello', ['content-length', '+5'])),
  one('a length with a list', ...echo('hello', ['content-length', '5, 5'])),
  one('100-continue', ...echo('hello', ['expect', '100-continue'])),
  one('trailers', post(1), data(1, 'hello'), frame(TYPE.headers, ENDED, 1, headerBlock([['x', 'y']]))),
  one('trailers without the end of the stream', post(1), data(1, 'a'), frame(TYPE.headers, FLAG.endHeaders, 1, headerBlock([['x', 'y']]))),
  one('trailers with a pseudo-header field', post(1), data(1, 'a'), frame(TYPE.headers, ENDED, 1, headerBlock([[':path', '/']]))),
  one('trailers in capitals', post(1), data(1, 'a'), frame(TYPE.headers, ENDED, 1, headerBlock([['X', 'y']]))),
  one('a padded body', post(1), frame(TYPE.data, FLAG.padded | FLAG.endStream, 1, Buffer.from('\x02hello\0\0'))),
  one('more padding than there is', post(1), frame(TYPE.data, FLAG.padded | FLAG.endStream, 1, Buffer.from('\x09hello'))),
  one('nothing but padding', post(1), frame(TYPE.data, FLAG.padded | FLAG.endStream, 1, Buffer.from('\x05\0\0\0\0\0'))),
  one('a body beyond the limit', post(1), ...Array.from({ length: 70 }, () => data(1, 'x'.repeat(16_000))).slice(0, 15)),
];

const frames: readonly Http2Case[] = [
  one('DATA on stream 0', data(0, 'x')),
  one('DATA on a stream that was not begun', data(5, 'x')),
  one('DATA behind the end of a request', get(1), data(1, 'x')),
  one('HEADERS behind the end of a request', get(1), get(1)),
  one('HEADERS on stream 0', frame(TYPE.headers, ENDED, 0, requestHeaders('GET', '/'))),
  one('HEADERS on an even stream', get(2)),
  one('HEADERS on a lower stream than before', get(5), get(3)),
  one(
    'HEADERS with padding',
    frame(TYPE.headers, ENDED | FLAG.padded, 1, Buffer.concat([Buffer.from([2]), requestHeaders('GET', '/'), Buffer.alloc(2)])),
  ),
  one(
    'HEADERS with too much padding',
    frame(TYPE.headers, ENDED | FLAG.padded, 1, Buffer.concat([Buffer.from([200]), requestHeaders('GET', '/')])),
  ),
  one(
    'HEADERS with a priority',
    frame(TYPE.headers, ENDED | 0x20, 1, Buffer.concat([uint32(0), Buffer.from([1]), requestHeaders('GET', '/')])),
  ),
  one(
    'HEADERS that depend on themselves',
    frame(TYPE.headers, ENDED | 0x20, 1, Buffer.concat([uint32(1), Buffer.from([1]), requestHeaders('GET', '/')])),
  ),
  one(
    'CONTINUATION',
    frame(TYPE.headers, FLAG.endStream, 1, requestHeaders('GET', '/').subarray(0, 10)),
    frame(TYPE.continuation, FLAG.endHeaders, 1, requestHeaders('GET', '/').subarray(10)),
  ),
  one('CONTINUATION without HEADERS', frame(TYPE.continuation, FLAG.endHeaders, 1, requestHeaders('GET', '/'))),
  one(
    'CONTINUATION of another stream',
    frame(TYPE.headers, FLAG.endStream, 1, requestHeaders('GET', '/')),
    frame(TYPE.continuation, FLAG.endHeaders, 3),
  ),
  one(
    'PING within a header block',
    frame(TYPE.headers, FLAG.endStream, 1, requestHeaders('GET', '/')),
    frame(TYPE.ping, 0, 0, Buffer.alloc(8)),
  ),
  one('PRIORITY', frame(TYPE.priority, 0, 1, Buffer.concat([uint32(0), Buffer.from([1])]))),
  one('PRIORITY of another length', frame(TYPE.priority, 0, 1, Buffer.alloc(4))),
  one('PRIORITY on stream 0', frame(TYPE.priority, 0, 0, Buffer.alloc(5))),
  one('PRIORITY of a stream on itself', frame(TYPE.priority, 0, 1, Buffer.concat([uint32(1), Buffer.from([1])]))),
  one('RST_STREAM', post(1), frame(TYPE.reset, 0, 1, uint32(8))),
  one('RST_STREAM on stream 0', frame(TYPE.reset, 0, 0, uint32(8))),
  one('RST_STREAM on a stream that was not begun', frame(TYPE.reset, 0, 7, uint32(8))),
  one('RST_STREAM of another length', post(1), frame(TYPE.reset, 0, 1, Buffer.alloc(3))),
  one('RST_STREAM with an unknown code', post(1), frame(TYPE.reset, 0, 1, uint32(0xffff))),
  one('SETTINGS on a stream', frame(TYPE.settings, 0, 1, settings().subarray(9))),
  one('SETTINGS of another length', frame(TYPE.settings, 0, 0, Buffer.alloc(5))),
  one('SETTINGS ACK with content', frame(TYPE.settings, FLAG.ack, 0, Buffer.alloc(6))),
  one('an unknown setting', settings([0xabc, 1])),
  one('ENABLE_PUSH of 2', settings([2, 2])),
  one('INITIAL_WINDOW_SIZE beyond 2^31', settings([4, 2 ** 31])),
  one('MAX_FRAME_SIZE of 1', settings([5, 1])),
  one('MAX_FRAME_SIZE of 2^24', settings([5, 2 ** 24])),
  one('a header table of nothing', settings([1, 0]), get(1)),
  one('33 settings in a frame', settings(...Array.from({ length: 33 }, () => [3, 100] as const))),
  one('PUSH_PROMISE', frame(TYPE.push, FLAG.endHeaders, 1, Buffer.concat([uint32(2), requestHeaders('GET', '/')]))),
  one('PING', frame(TYPE.ping, 0, 0, Buffer.from('12345678'))),
  one('PING of another length', frame(TYPE.ping, 0, 0, Buffer.alloc(7))),
  one('PING on a stream', frame(TYPE.ping, 0, 1, Buffer.alloc(8))),
  one('GOAWAY', frame(TYPE.goaway, 0, 0, Buffer.alloc(8))),
  one('GOAWAY on a stream', frame(TYPE.goaway, 0, 1, Buffer.alloc(8))),
  one('GOAWAY that is too short', frame(TYPE.goaway, 0, 0, Buffer.alloc(7))),
  one('WINDOW_UPDATE', frame(TYPE.window, 0, 0, uint32(1000))),
  one('WINDOW_UPDATE of nothing', frame(TYPE.window, 0, 0, uint32(0))),
  one('WINDOW_UPDATE of nothing on a stream', post(1), frame(TYPE.window, 0, 1, uint32(0))),
  one('WINDOW_UPDATE of another length', frame(TYPE.window, 0, 0, Buffer.alloc(3))),
  one('WINDOW_UPDATE on a stream that was not begun', frame(TYPE.window, 0, 9, uint32(1))),
  one('a window beyond 2^31', frame(TYPE.window, 0, 0, uint32(2 ** 31 - 1))),
  one('a window of a stream beyond 2^31', post(1), frame(TYPE.window, 0, 1, uint32(2 ** 31 - 1))),
  one('an unknown frame', frame(0xf0, 0, 0, Buffer.alloc(8))),
  one('an unknown frame on a stream', get(1), frame(0xf0, 0, 1, Buffer.alloc(8))),
  one('a frame beyond the size', frame(TYPE.data, 0, 1, Buffer.alloc(0), 16_385)),
  one('reserved flags', frame(TYPE.headers, ENDED | 0xc2, 1, requestHeaders('GET', '/'))),
  one('a broken header block', frame(TYPE.headers, ENDED, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))),
  one('an index of nothing', frame(TYPE.headers, ENDED, 1, Buffer.from([0x80]))),
  one('a table larger than allowed', frame(TYPE.headers, ENDED, 1, Buffer.from([0x3f, 0xe2, 0x1f]))),
];

const openings: readonly Http2Case[] = [
  { name: 'a broken preface', opening: Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n'), frames: [settings()] },
  { name: 'HTTP/1.1', opening: Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'), frames: [] },
  { name: 'no preface', opening: settings(), frames: [get(1)] },
  { name: 'no SETTINGS', opening: PREFACE, frames: [get(1)] },
  { name: 'PING before SETTINGS', opening: PREFACE, frames: [frame(TYPE.ping, 0, 0, Buffer.alloc(8)), settings()] },
];

export const HTTP2_CASES: readonly Http2Case[] = [...requests, ...bodies, ...frames, ...openings];
