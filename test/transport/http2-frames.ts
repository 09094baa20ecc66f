/** HTTP/2 by hand: frames, and header blocks without compression. */
import type { Socket } from 'node:net';

export const TYPE = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8 } as const;
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.byteLength,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** An HPACK integer with a prefix of 7 bits (RFC 7541 section 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Literals that are not indexed (RFC 7541 section 6.2.2). */
export const headerBlock = (headers: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([0]),
      ...[name, value].flatMap((text) => [integer(text.length), Buffer.from(text, 'latin1')]),
    ]),
  );

export const requestHeaders = (method: string, path: string, ...more: readonly (readonly [string, string])[]) =>
  headerBlock([[':method', method], [':scheme', 'https'], [':authority', '127.0.0.1'], [':path', path], ...more]);

export const get = (stream: number, path = '/', ...more: readonly (readonly [string, string])[]) =>
  frame(TYPE.headers, FLAG.endStream | FLAG.endHeaders, stream, requestHeaders('GET', path, ...more));
export const post = (stream: number, path = '/echo', ...more: readonly (readonly [string, string])[]) =>
  frame(TYPE.headers, FLAG.endHeaders, stream, requestHeaders('POST', path, ...more));

export const settings = (...pairs: readonly (readonly [number, number])[]) =>
  frame(
    TYPE.settings,
    0,
    0,
    Buffer.concat(
      pairs.map(([id, value]) => {
        const bytes = Buffer.alloc(6);
        bytes.writeUInt16BE(id);
        bytes.writeUInt32BE(value, 2);
        return bytes;
      }),
    ),
  );

/** Collects the frames that arrive on a connection. Its own parser, since a client may allow frames of any size. */
export class FrameCollector {
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  #rest = Buffer.alloc(0);

  constructor(socket: Socket) {
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.once('end', () => socket.end());
    this.closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.isClosed = true;
        resolve();
      }),
    );
  }

  of(type: number, stream?: number): readonly Frame[] {
    return this.frames.filter((found) => found.type === type && (stream === undefined || found.stream === stream));
  }

  #take(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece]);
    while (this.#rest.byteLength >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.byteLength < 9 + length) return;
      this.frames.push({
        type: this.#rest.readUInt8(3),
        flags: this.#rest.readUInt8(4),
        stream: this.#rest.readUInt32BE(5) & 0x7fffffff,
        payload: this.#rest.subarray(9, 9 + length),
      });
      this.#rest = this.#rest.subarray(9 + length);
    }
  }
}
