/** HTTP/2 frames (RFC 9113 §4, §6). */

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const ERROR_CODE = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

export const FRAME_HEADER_BYTES = 9;
/** Defaults until changed by SETTINGS or WINDOW_UPDATE. */
export const DEFAULT_FRAME_BYTES = 16_384;
export const DEFAULT_WINDOW_BYTES = 65_535;
export const MAX_WINDOW_BYTES = 2 ** 31 - 1;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** A protocol violation of the peer that ends the connection. */
export class ProtocolError extends Error {
  /** From `ERROR_CODE`. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
  }
}

/** Returns the position of the payload. */
export function writeFrameHeader(into: Buffer, at: number, length: number, type: number, flags: number, stream: number): number {
  into.writeUInt32BE(length * 0x100 + type, at);
  into.writeUInt8(flags, at + 4);
  return into.writeUInt32BE(stream, at + 5);
}

export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  bytes.set(payload, writeFrameHeader(bytes, 0, payload.length, type, flags, stream));
  return bytes;
}

function numberFrame(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(value);
  return frame(type, 0, stream, payload);
}

export const windowUpdate = (stream: number, increment: number): Buffer => numberFrame(FRAME.windowUpdate, stream, increment);
export const rstStream = (stream: number, code: number): Buffer => numberFrame(FRAME.rstStream, stream, code);

/** `last`: the last processed stream of the peer. Always 0 in a client, because servers do not open streams. */
export function goAway(code: number, last = 0): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(last);
  payload.writeUInt32BE(code, 4);
  return frame(FRAME.goAway, 0, 0, payload);
}

export function settings(values: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * values.length);
  for (const [index, [id, value]] of values.entries()) payload.writeUInt32BE(value, payload.writeUInt16BE(id, 6 * index));
  return frame(FRAME.settings, 0, 0, payload);
}

/** Disables push, and makes the connection window the maximum, so that calls do not block each other. */
export const clientPreface = (streamWindowBytes: number): Buffer =>
  Buffer.concat([
    PREFACE,
    settings([
      [SETTING.enablePush, 0],
      [SETTING.initialWindowSize, streamWindowBytes],
    ]),
    windowUpdate(0, MAX_WINDOW_BYTES - DEFAULT_WINDOW_BYTES),
  ]);
