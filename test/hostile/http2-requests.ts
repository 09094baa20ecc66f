/** Hostile HTTP/2 as bytes: requests, and frames that break the rules in between. */
import type { Choices } from './choices.ts';
import { FLAG, frame, headerBlock, PREFACE, settings, TYPE, uint32 } from '../transport/http2-frames.ts';
import { chooseIntent, type Field } from './words.ts';

export interface Http2Attack {
  readonly bytes: Buffer;
  /** Streams that may be answered. */
  readonly streams: readonly number[];
}

export function chooseHttp2(choices: Choices, credentials: readonly Field[]): Http2Attack {
  const streams = Array.from({ length: 1 + choices.below(4) }, (_, index) => 1 + 2 * index);
  const frames = streams.flatMap((stream) => [
    ...(choices.rarely(4) ? [chooseFrame(choices, stream)] : []),
    ...chooseRequest(choices, credentials, stream),
  ]);
  const opening = choices.rarely(40) ? choices.of([PREFACE, settings(), Buffer.alloc(0)]) : Buffer.concat([PREFACE, settings()]);
  const bytes = Buffer.concat([opening, ...frames]);
  return { streams, bytes: choices.rarely(10) ? damaged(choices, bytes) : bytes };
}

function damaged(choices: Choices, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let times = 1 + choices.below(4); times > 0; times--) changed[choices.below(changed.byteLength)] = choices.below(256);
  return choices.rarely(3) ? changed.subarray(0, choices.below(changed.byteLength)) : changed;
}

const PSEUDO: readonly Field[] = [
  [':path', '/livez'],
  [':authority', 'evil.example'],
  [':protocol', 'websocket'],
  [':status', '200'],
  [':unknown', 'x'],
  ['Upper-Case', 'x'],
  ['', 'x'],
  ['a b', 'x'],
  ['x', 'a\r\nImpersonate-User: admin'],
  ['x', 'a\0b'],
  ['host', 'other.example'],
  ['connection', 'close'],
  ['transfer-encoding', 'chunked'],
  ['te', 'gzip'],
  ['content-length', '5'],
  ['content-length', '-1'],
];

function chooseRequest(choices: Choices, credentials: readonly Field[], stream: number): Buffer[] {
  const { method, target, fields: asked, body } = chooseIntent(choices);
  const own: Field[] = [
    [':method', method],
    [':scheme', choices.rarely(30) ? choices.of(['http', 'ftp', '']) : 'https'],
    [':authority', choices.rarely(20) ? choices.of(['evil.example', '', 'a b']) : '127.0.0.1'],
    [':path', target],
  ];
  const named = [...credentials, ...asked].map(([name, value]): Field => [name.toLowerCase(), value]);
  const fields = choices.rarely(12) ? [...own.slice(choices.below(2)), ...named, ...choices.some(PSEUDO, 2)] : [...own, ...named];
  const block = headerBlock(fields.map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')] as const));
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const flags = hasBody ? 0 : FLAG.endStream;
  return [
    ...headerFrames(block, flags, stream),
    ...(hasBody ? dataFrames(choices, body.subarray(0, 60_000), stream) : []),
    ...(choices.rarely(20) ? [frame(TYPE.reset, 0, stream, uint32(8))] : []),
  ];
}

const MAX_FRAME = 16_384;

function headerFrames(block: Buffer, flags: number, stream: number): Buffer[] {
  const pieces = Array.from({ length: Math.max(1, Math.ceil(block.byteLength / MAX_FRAME)) }, (_, index) =>
    block.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME),
  );
  return pieces.map((piece, index) => {
    const end = index === pieces.length - 1 ? FLAG.endHeaders : 0;
    return frame(index === 0 ? TYPE.headers : TYPE.continuation, (index === 0 ? flags : 0) | end, stream, piece);
  });
}

function dataFrames(choices: Choices, body: Buffer, stream: number): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.byteLength; at += MAX_FRAME) frames.push(frame(TYPE.data, 0, stream, body.subarray(at, at + MAX_FRAME)));
  if (!choices.rarely(20)) frames.push(frame(TYPE.data, FLAG.endStream, stream));
  return frames;
}

const times = (count: number, bytes: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => bytes));

/** A frame, or some, that no good client would send here. */
function chooseFrame(choices: Choices, stream: number): Buffer {
  const other = choices.of([0, 1, 2, stream, stream + 2, 99, 2 ** 31 - 1]);
  const junk = Buffer.alloc(choices.below(40), choices.below(256));
  return choices.of<() => Buffer>([
    () => frame(choices.below(12), choices.below(256), other, junk),
    () => frame(choices.below(12), 0, other, junk, choices.of([0, 1, 16_385, 2 ** 24 - 1])),
    () => times(100, frame(TYPE.ping, 0, 0, Buffer.alloc(8))),
    () => times(100, settings()),
    () => settings([4, 2 ** 31], [5, 1], [1, 0], [6, 0], [99, 1]),
    () => frame(TYPE.window, 0, other, uint32(choices.of([0, 1, 2 ** 31 - 1]))),
    () => Buffer.concat([frame(TYPE.headers, 0, other, junk), times(60, frame(TYPE.continuation, 0, other, Buffer.alloc(500)))]),
    () => times(50, frame(TYPE.data, 0, other)),
    () => frame(TYPE.data, FLAG.padded, other, Buffer.from([255, 1])),
    () => frame(TYPE.push, FLAG.endHeaders, other, junk),
    () => frame(TYPE.priority, 0, other, Buffer.concat([uint32(other), Buffer.from([1])])),
    () => frame(TYPE.goaway, 0, 0, Buffer.concat([uint32(0), uint32(0)])),
    // Entries of the dynamic table: one large, then named again and again.
    () =>
      frame(
        TYPE.headers,
        FLAG.endHeaders | FLAG.endStream,
        other,
        Buffer.concat([Buffer.from('40017800', 'hex'), Buffer.alloc(12_000, 0xbe)]),
      ),
  ])();
}
