/**
 * The codec of etcd's hot-path messages: range, txn, compact and watch.
 *
 * The generated codec of the `etcd3` package makes a string of each 64-bit number and an object of each field. This one
 * reads revisions as numbers, keys as byte strings and values as views, and returns the backend's own types. A test
 * compares the two. `maintenance.ts` has status and alarms; a login uses the generated codec (`login-call.ts`).
 */
import type { StoredRecord } from '../backend.ts';
import { toRevision } from '../backend.ts';
import type { Key } from '../keys.ts';
import type { ProtobufPart } from './protobuf.ts';
import { bytesField, encodeMessage, flagField, latin1Field, messageField, numberField, ProtobufReader } from './protobuf.ts';

/** A key with the etcd prefix, unlike those of decoded records. */
type WireKey = string;

export interface Header {
  /** Hexadecimal. */
  readonly clusterId: string;
  readonly revision: number;
}

export interface RangeRequest {
  readonly key: WireKey;
  /** Exclusive. Absent: only `key`. */
  readonly end?: WireKey;
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
}

export interface RangeAnswer {
  readonly header: Header;
  readonly records: readonly StoredRecord[];
  readonly more: boolean;
  /** Keys in the whole range, regardless of the limit. */
  readonly count: number;
}

interface TxnRequest {
  readonly key: WireKey;
  readonly ifRevision: number;
  /** `null` deletes. */
  readonly value: Uint8Array | null;
}

interface TxnAnswer {
  readonly header: Header;
  readonly succeeded: boolean;
  /** The record found by the else branch. */
  readonly current?: StoredRecord;
}

export interface WatchCreateRequest {
  readonly key: WireKey;
  readonly end: WireKey;
  readonly startRevision: number;
}

/** `record` undefined: deleted. `key` undefined: outside the prefix. */
export interface WatchEvent {
  readonly revision: number;
  readonly key: Key | undefined;
  readonly record: StoredRecord | undefined;
}

export interface WatchAnswer {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly cancelReason: string;
  /** Not zero: the start revision is compacted, and this is the oldest possible one. */
  readonly compactRevision: number;
  /** The next response continues this one. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
  /** Size of the whole response. */
  readonly bytes: number;
}

const COMPARE_EQUAL = 0;
const TARGET_MOD_REVISION = 2;
const EVENT_DELETE = 1;

function rangeParts(request: RangeRequest): ProtobufPart[] {
  const parts = [latin1Field(1, request.key)];
  if (request.end !== undefined) parts.push(latin1Field(2, request.end));
  if (request.limit !== undefined) parts.push(numberField(3, request.limit));
  if (request.revision !== undefined) parts.push(numberField(4, request.revision));
  if (request.keysOnly === true) parts.push(flagField(8, true));
  return parts;
}

export const encodeRange = (request: RangeRequest): Buffer => encodeMessage(rangeParts(request));

export function encodeTxn({ key, ifRevision, value }: TxnRequest): Buffer {
  const write =
    value === null
      ? messageField(3, [latin1Field(1, key)]) // request_delete_range
      : messageField(2, [latin1Field(1, key), bytesField(2, value)]); // request_put
  return encodeMessage([
    messageField(1, [numberField(1, COMPARE_EQUAL), numberField(2, TARGET_MOD_REVISION), latin1Field(3, key), numberField(6, ifRevision)]),
    messageField(2, [write]),
    messageField(3, [messageField(1, rangeParts({ key }))]),
  ]);
}

export const encodeCompact = (revision: number): Buffer => encodeMessage([numberField(1, revision)]);

export const encodeWatchCreate = ({ key, end, startRevision }: WatchCreateRequest): Buffer =>
  encodeMessage([
    messageField(1, [
      latin1Field(1, key),
      latin1Field(2, end),
      numberField(3, startRevision),
      flagField(4, true), // progress_notify
      flagField(8, true), // fragment
    ]),
  ]);

export const encodeWatchProgress = (): Buffer => encodeMessage([messageField(3, [])]);

interface KeyValue {
  readonly key: Key | undefined;
  readonly revision: number;
  readonly value: Buffer;
}

/** Decodes responses, and removes the prefix from every key. */
export interface Decoder {
  /** Decodes a compaction too, which has only the header. */
  readonly range: (buffer: Buffer) => RangeAnswer;
  readonly txn: (buffer: Buffer) => TxnAnswer;
  readonly watch: (buffer: Buffer) => WatchAnswer;
}

export function createDecoder(prefix: WireKey): Decoder {
  const ours = `${prefix}/`;
  const inside = (key: string): Key | undefined => (key.startsWith(ours) ? (key.slice(prefix.length) as Key) : undefined);
  const readHeader = createHeaderReader();

  function keyValue(reader: ProtobufReader): KeyValue {
    let key: Key | undefined;
    let revision = 0;
    let value: Buffer = EMPTY;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) key = inside(reader.latin1());
      else if (field === 3) revision = reader.number();
      else if (field === 5) value = reader.view();
      else reader.skip();
    }
    return { key, revision, value };
  }

  function record(reader: ProtobufReader): StoredRecord | undefined {
    const { key, revision, value } = keyValue(reader);
    return key === undefined ? undefined : { key, revision: toRevision(revision), value };
  }

  function event(reader: ProtobufReader): WatchEvent {
    let deleted = false;
    let kv: KeyValue = { key: undefined, revision: 0, value: EMPTY };
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) deleted = reader.number() === EVENT_DELETE;
      else if (field === 2) kv = keyValue(reader.message());
      else reader.skip();
    }
    const { key, revision, value } = kv;
    return { revision, key, record: deleted || key === undefined ? undefined : { key, revision: toRevision(revision), value } };
  }

  function range(reader: ProtobufReader): RangeAnswer {
    let header = NO_HEADER;
    const records: StoredRecord[] = [];
    let more = false;
    let count = 0;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) header = readHeader(reader.message());
      else if (field === 2) {
        const found = record(reader.message());
        if (found !== undefined) records.push(found);
      } else if (field === 3) more = reader.bool();
      else if (field === 4) count = reader.number();
      else reader.skip();
    }
    return { header, records, more, count };
  }

  function elseBranch(reader: ProtobufReader): StoredRecord | undefined {
    let current: StoredRecord | undefined;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) current = range(reader.message()).records[0];
      else reader.skip();
    }
    return current;
  }

  function txn(reader: ProtobufReader): TxnAnswer {
    let header = NO_HEADER;
    let succeeded = false;
    let current: StoredRecord | undefined;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) header = readHeader(reader.message());
      else if (field === 2) succeeded = reader.bool();
      else if (field === 3) current = elseBranch(reader.message());
      else reader.skip();
    }
    return { header, succeeded, ...(current === undefined ? {} : { current }) };
  }

  function watch(reader: ProtobufReader): WatchAnswer {
    const answer = { header: NO_HEADER, created: false, canceled: false, cancelReason: '', compactRevision: 0, fragment: false };
    const events: WatchEvent[] = [];
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) answer.header = readHeader(reader.message());
      else if (field === 3) answer.created = reader.bool();
      else if (field === 4) answer.canceled = reader.bool();
      else if (field === 5) answer.compactRevision = reader.number();
      else if (field === 6) answer.cancelReason = reader.text();
      else if (field === 7) answer.fragment = reader.bool();
      else if (field === 11) events.push(event(reader.message()));
      else reader.skip();
    }
    return { ...answer, events, bytes: reader.buffer.length };
  }

  return {
    range: (buffer) => range(new ProtobufReader(buffer)),
    txn: (buffer) => txn(new ProtobufReader(buffer)),
    watch: (buffer) => watch(new ProtobufReader(buffer)),
  };
}

const EMPTY: Buffer = Buffer.alloc(0);
const NO_HEADER: Header = { clusterId: '', revision: 0 };

/** Reading the cluster id takes a BigInt, so the last one is reused while its first 53 bits are the same. */
function createHeaderReader(): (reader: ProtobufReader) => Header {
  let lastApproximation = -1;
  let lastId = '';
  return (reader) => {
    let clusterId = '';
    let revision = 0;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) {
        const mark = reader.mark();
        const approximation = reader.number();
        clusterId = lastId;
        if (approximation !== lastApproximation) {
          reader.reset(mark);
          clusterId = reader.id();
          lastApproximation = approximation;
          lastId = clusterId;
        }
      } else if (field === 3) revision = reader.number();
      else reader.skip();
    }
    return { clusterId, revision };
  };
}
