/**
 * The encoding of a stored value. The JSON has no `resourceVersion`.
 *
 *   0      format, 0x01
 *   1..8   attempt token: random, identifies the commit call that wrote this value
 *   9..16  expiresAt, unsigned big-endian milliseconds since the epoch; 0: never
 *   17..   canonical JSON, UTF-8
 */
const FORMAT_PLAIN = 0x01;
const TOKEN_OFFSET = 1;
const EXPIRES_OFFSET = 9;
export const RECORD_HEADER_BYTES = 17;

export interface RecordContent {
  /** 8 bytes, as a latin1 string. */
  readonly token: string;
  /** Milliseconds since the epoch; absent: never. */
  readonly expiresAt?: number;
  /** A view into the value. */
  readonly json: Buffer;
}

export function encodeRecord({ token, expiresAt, json }: RecordContent): Buffer {
  const value = Buffer.allocUnsafeSlow(RECORD_HEADER_BYTES + json.byteLength);
  value[0] = FORMAT_PLAIN;
  value.write(token, TOKEN_OFFSET, 8, 'latin1');
  value.writeBigUInt64BE(BigInt(expiresAt ?? 0), EXPIRES_OFFSET);
  json.copy(value, RECORD_HEADER_BYTES);
  return value;
}

/** Undefined when the value has another format, or is damaged. */
export function decodeRecord(value: Buffer): RecordContent | undefined {
  if (value.byteLength < RECORD_HEADER_BYTES || value[0] !== FORMAT_PLAIN) return undefined;
  const expiresAt = Number(value.readBigUInt64BE(EXPIRES_OFFSET));
  return {
    token: value.toString('latin1', TOKEN_OFFSET, EXPIRES_OFFSET),
    ...(expiresAt === 0 ? {} : { expiresAt }),
    json: value.subarray(RECORD_HEADER_BYTES),
  };
}
