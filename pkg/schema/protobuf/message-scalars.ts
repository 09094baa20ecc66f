/** Values that are scalars in JSON and small messages in protobuf, with fields numbered from 1. */
import type { JsonShape } from '../../apimachinery/json/json-shape.ts';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { normalizeQuantity } from '../../apimachinery/quantity/quantity.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { formatDuration, parseDuration } from '../../apimachinery/time/duration.ts';
import { isZeroTime, microTimeOf, parseTimestamp, timeOf, type Timestamp } from '../../apimachinery/time/rfc3339.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import { unexpectedValue, type ValueCodec } from './value-codec.ts';
import { LENGTH_DELIMITED, VARINT, toTag } from './wire-type.ts';

const FIRST_VARINT = toTag(1, VARINT);
const FIRST_BYTES = toTag(1, LENGTH_DELIMITED);
const SECOND_VARINT = toTag(2, VARINT);
const THIRD_BYTES = toTag(3, LENGTH_DELIMITED);

/** `write` and `readFields` process the inside of the message. */
function scalarMessageCodec(
  zero: JsonValue,
  write: (out: MessageWriter, value: JsonValue) => void,
  readFields: (from: MessageReader) => JsonValue,
): ValueCodec {
  return {
    wireType: LENGTH_DELIMITED,
    zero,
    write: (out, value) => {
      const { size } = out;
      write(out, value);
      out.varint(out.size - size);
    },
    read: (from) => {
      const outer = from.open();
      const value = readFields(from);
      from.close(outer);
      return value;
    },
  };
}

const TIME_FIELDS = ['seconds', 'nanos'];
const MICRO = 1000;
const MICROS_PER_SECOND = 1_000_000;

/** The zero time is an empty message, and so is `null`. As in Go, a Time has no fraction. */
function timeCodec(format: (timestamp: Timestamp) => string | null | undefined, hasNanos: boolean): ValueCodec {
  const write = (out: MessageWriter, value: JsonValue): void => {
    if (value === null) return;
    const timestamp = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (timestamp === undefined) throw unexpectedValue('a time', value);
    if (isZeroTime(timestamp)) return;
    out.int64(hasNanos ? timestamp.nanos - (timestamp.nanos % MICRO) : 0);
    out.byte(SECOND_VARINT);
    out.int64(timestamp.seconds);
    out.byte(FIRST_VARINT);
  };
  return scalarMessageCodec(null, write, (from) => {
    if (!from.hasMore) return null;
    const { seconds, nanos } = readTimestamp(from);
    // Go carries whole microseconds over into the seconds.
    const micros = Math.trunc(nanos / MICRO);
    const carried = Math.floor(micros / MICROS_PER_SECOND);
    const timestamp = hasNanos
      ? { seconds: seconds + carried, nanos: (micros - carried * MICROS_PER_SECOND) * MICRO }
      : { seconds, nanos: 0 };
    const text = format(timestamp);
    if (text === undefined) throw from.malformed('a time has a year out of range');
    return text;
  });
}

function readTimestamp(from: MessageReader): Timestamp {
  let seconds = 0;
  let nanos = 0;
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === FIRST_VARINT) seconds = Number(from.int64());
    else if (tag === SECOND_VARINT) nanos = from.int32();
    else from.skipUnknown(tag, TIME_FIELDS);
  }
  return { seconds, nanos };
}

export const TIME = timeCodec(timeOf, false);
export const MICRO_TIME = timeCodec(microTimeOf, true);

/** Nanoseconds. */
export const DURATION = scalarMessageCodec(
  '0s',
  (out, value) => {
    const nanoseconds = typeof value === 'string' ? parseDuration(value) : undefined;
    if (nanoseconds === undefined) throw unexpectedValue('a duration', value);
    out.int64(nanoseconds);
    out.byte(FIRST_VARINT);
  },
  (from) => {
    let nanoseconds: number | bigint = 0;
    while (from.hasMore) {
      const tag = from.tag();
      if (tag === FIRST_VARINT) nanoseconds = from.int64();
      else from.skipUnknown(tag, ['duration']);
    }
    return formatDuration(BigInt(nanoseconds));
  },
);

/** The only field of a message, a string or bytes; undefined if it is absent. */
function readSingleField<T>(from: MessageReader, field: string, read: () => T): T | undefined {
  let value: T | undefined;
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === FIRST_BYTES) value = read();
    else from.skipUnknown(tag, [field]);
  }
  return value;
}

function writeSingleText(out: MessageWriter, text: string): void {
  const { size } = out;
  out.text(text);
  out.varint(out.size - size);
  out.byte(FIRST_BYTES);
}

export const QUANTITY = scalarMessageCodec(
  '0',
  (out, value) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') throw unexpectedValue('a quantity', value);
    const text = String(value);
    writeSingleText(out, normalizeQuantity(text) ?? text);
  },
  (from) => {
    const text = readSingleField(from, 'string', () => from.text());
    if (text === undefined) return '0';
    const canonical = normalizeQuantity(text);
    if (canonical === undefined) throw from.malformed(`${quotedText(text)} is not a quantity`);
    return canonical;
  },
);

const INTEGER = 0;
const TEXT = 1;
const INT_OR_STRING_FIELDS = ['type', 'intVal', 'strVal'];

export const INT_OR_STRING = scalarMessageCodec(
  0,
  (out, value) => {
    const isText = typeof value === 'string';
    if (!isText && (typeof value !== 'number' || !Number.isInteger(value))) throw unexpectedValue('an integer or a string', value);
    const { size } = out;
    if (isText) out.text(value);
    out.varint(out.size - size);
    out.byte(THIRD_BYTES);
    out.int64(isText ? 0 : value);
    out.byte(SECOND_VARINT);
    out.byte(isText ? TEXT : INTEGER);
    out.byte(FIRST_VARINT);
  },
  (from) => {
    let type: number | bigint = INTEGER;
    let integer = 0;
    let text = '';
    while (from.hasMore) {
      const tag = from.tag();
      if (tag === FIRST_VARINT) type = from.int64();
      else if (tag === SECOND_VARINT) integer = from.int32();
      else if (tag === THIRD_BYTES) text = from.text();
      else from.skipUnknown(tag, INT_OR_STRING_FIELDS);
    }
    if (type === TEXT) return text;
    if (type !== INTEGER) throw from.malformed('an integer or string has an invalid type');
    return integer;
  },
);

const RAW_JSON: JsonShape = { form: 'raw', zero: null };

/** JSON text in a message: RawExtension and FieldsV1. For `null` the field is absent. */
export const RAW = scalarMessageCodec(
  null,
  (out, value) => {
    if (value === null) return;
    const bytes = value instanceof RawJson ? value.bytes : Buffer.from(writeJson(value), 'utf8');
    out.bytes(bytes);
    out.varint(bytes.byteLength);
    out.byte(FIRST_BYTES);
  },
  (from) => {
    const bytes = readSingleField(from, 'raw', () => from.bytes());
    // A copy, because the raw value may outlive the message.
    return bytes === undefined || bytes.byteLength === 0 ? null : parseJson(Buffer.from(bytes), RAW_JSON).value;
  },
);
