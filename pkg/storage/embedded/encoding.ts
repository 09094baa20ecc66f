/**
 * The encoding of the tables. Revisions and ids are 8 bytes, big-endian, so that byte order is numeric order.
 *
 *   log    revision                → id, previous revision, bytes of the previous entry, flags, key length; key; value
 *   head   key                     → revision, id, bytes of the log entry, flags
 *   old    id, revision            → nothing: a superseded revision of a key
 *
 * `id` is the revision that first wrote the key. `old` uses it because a key of maximum length would leave no room for
 * the revision. A log entry, which holds the value, stays while it is a head or part of the history.
 */
import { toRevision, type Revision } from '../backend.ts';
import { keyFromBytes, type Key } from '../keys.ts';

export const REVISION_BYTES = 8;
const TWO_TO_32 = 2 ** 32;
const DELETED = 1;

/** The newest revision of a key. */
export interface Head {
  readonly revision: Revision;
  readonly id: number;
  /** Size of its log entry. */
  readonly bytes: number;
  readonly deleted: boolean;
}

export interface LogEntry {
  readonly id: number;
  /** The superseded revision, or 0. */
  readonly previous: Revision;
  readonly previousBytes: number;
  readonly key: Key;
  /** A view into the entry. Absent: deleted. */
  readonly value?: Buffer;
}

const writeNumber = (into: Buffer, value: number, at: number) => {
  into.writeUInt32BE(Math.floor(value / TWO_TO_32), at);
  into.writeUInt32BE(value % TWO_TO_32, at + 4);
};
const readNumber = (from: Buffer, at: number) => from.readUInt32BE(at) * TWO_TO_32 + from.readUInt32BE(at + 4);

export const revisionKey = (revision: number): Buffer => writeRevisionKey(Buffer.allocUnsafe(REVISION_BYTES), revision);
export function writeRevisionKey(into: Buffer, revision: number): Buffer {
  writeNumber(into, revision, 0);
  return into;
}
export const readRevisionKey = (key: Buffer): Revision => toRevision(readNumber(key, 0));

export function oldKey(id: number, revision: number): Buffer {
  const key = Buffer.allocUnsafe(2 * REVISION_BYTES);
  writeNumber(key, id, 0);
  writeNumber(key, revision, REVISION_BYTES);
  return key;
}
export const readOldRevision = (key: Buffer): Revision => toRevision(readNumber(key, REVISION_BYTES));

const HEAD_BYTES = 21;

export function encodeHead(head: Head): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEAD_BYTES);
  writeNumber(bytes, head.revision, 0);
  writeNumber(bytes, head.id, 8);
  bytes.writeUInt32BE(head.bytes, 16);
  bytes[20] = head.deleted ? DELETED : 0;
  return bytes;
}
export const decodeHead = (bytes: Buffer): Head => ({
  revision: toRevision(readNumber(bytes, 0)),
  id: readNumber(bytes, 8),
  bytes: bytes.readUInt32BE(16),
  deleted: bytes[20] === DELETED,
});

const LOG_HEADER_BYTES = 23;

export function encodeLogEntry(entry: Omit<LogEntry, 'key' | 'value'>, key: Buffer, value: Uint8Array | null): Buffer {
  const bytes = Buffer.allocUnsafeSlow(LOG_HEADER_BYTES + key.byteLength + (value?.byteLength ?? 0));
  writeNumber(bytes, entry.id, 0);
  writeNumber(bytes, entry.previous, 8);
  bytes.writeUInt32BE(entry.previousBytes, 16);
  bytes[20] = value === null ? DELETED : 0;
  bytes.writeUInt16BE(key.byteLength, 21);
  bytes.set(key, LOG_HEADER_BYTES);
  if (value !== null) bytes.set(value, LOG_HEADER_BYTES + key.byteLength);
  return bytes;
}

export function decodeLogEntry(bytes: Buffer): LogEntry {
  const valueAt = logValueOffset(bytes);
  return {
    id: readNumber(bytes, 0),
    previous: toRevision(readNumber(bytes, 8)),
    previousBytes: bytes.readUInt32BE(16),
    key: keyFromBytes(bytes.subarray(LOG_HEADER_BYTES, valueAt)),
    ...(isDeletion(bytes) ? {} : { value: bytes.subarray(valueAt) }),
  };
}

/** The position of the value, for readers that copy only that. */
export const logValueOffset = (bytes: Buffer): number => LOG_HEADER_BYTES + bytes.readUInt16BE(21);
export const isDeletion = (bytes: Buffer): boolean => bytes[20] === DELETED;
