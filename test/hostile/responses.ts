/** The responses in the bytes that a server sent, as far as they are whole. */
import { HpackDecoder } from '../../pkg/http2/hpack-decoder.ts';
import { FLAG, TYPE } from '../transport/http2-frames.ts';

export interface HostileResponse {
  readonly code: number;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

export function readHttp1(received: Buffer): readonly HostileResponse[] {
  const responses: HostileResponse[] = [];
  for (let at = 0; ;) {
    const end = received.indexOf(HEAD_END, at);
    if (end < 0) return responses;
    const head = received.toString('latin1', at, end);
    const code = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
    at = end + HEAD_END.byteLength;
    const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
    const isChunked = /\r\nTransfer-Encoding: chunked/i.test(head);
    // A response to HEAD has the length of a body that does not come.
    const hasBody = received.toString('latin1', at, at + 7) !== 'HTTP/1.';
    const next = !hasBody ? at : isChunked ? endOfChunks(received, at) : at + Number(length ?? 0);
    responses.push({ code, body: received.toString('latin1', at, next) });
    at = next;
  }
}

function endOfChunks(received: Buffer, from: number): number {
  const last = received.indexOf('\r\n0\r\n\r\n', from - 2);
  return last < 0 ? received.byteLength : last + 7;
}

interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

function* framesOf(received: Buffer): Generator<ReceivedFrame> {
  for (let at = 0; at + 9 <= received.byteLength;) {
    const end = at + 9 + received.readUIntBE(at, 3);
    if (end > received.byteLength) return;
    yield {
      type: received.readUInt8(at + 3),
      flags: received.readUInt8(at + 4),
      stream: received.readUInt32BE(at + 5) & 0x7fffffff,
      payload: received.subarray(at + 9, end),
    };
    at = end;
  }
}

/** Informational responses are left out. */
export function readHttp2(received: Buffer): readonly HostileResponse[] {
  const decoder = new HpackDecoder();
  const responses = new Map<number, { code: number; body: string }>();
  let block: Buffer[] = [];
  for (const { type, flags, stream, payload } of framesOf(received)) {
    if (type === TYPE.headers || type === TYPE.continuation) {
      block.push(payload);
      if ((flags & FLAG.endHeaders) === 0) continue;
      const whole = Buffer.concat(block);
      block = [];
      const code = Number(decoder.decode(whole, 0, whole.byteLength)?.find(({ name }) => name === ':status')?.value ?? 0);
      if (code >= 200) responses.set(stream, { code, body: '' });
    } else if (type === TYPE.data) {
      const response = responses.get(stream);
      if (response !== undefined) response.body += payload.toString('latin1');
    }
  }
  return [...responses.values()];
}

/** Whether all these streams have ended. */
export function haveEnded(received: Buffer, streams: readonly number[]): boolean {
  const ended = new Set<number>();
  for (const { type, flags, stream } of framesOf(received)) {
    const isLast = (type === TYPE.headers || type === TYPE.data) && (flags & FLAG.endStream) !== 0;
    if (isLast || type === TYPE.reset) ended.add(stream);
  }
  return streams.every((stream) => ended.has(stream));
}
